"""The difference between two memories in a position: each move with its two probabilities, as text."""

from math import copysign, sqrt
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from engine.evaluate import SAME
from engine.solve import edge_values
from engine.space import Space
from lab.memory.shifts import Names
from lab.text.columns import cut
from lab.text.numbers import decimal_percent
from learners.comparison import Shift
from learners.players.plain import VERDICT
from tui.widgets.tiles import Palette

CAPTION_WIDTH: Final = 12
"""The maximum width of a name below a board, in columns."""
FULL_HEAT: Final = 0.1
"""From this change on, the largest change in a position has the full colour."""
SHARE_WIDTH, NAME = 8, 5
"""The width of a probability, and of the name of a move, in columns."""


def heat(change: float, most: float) -> float:
    """Return the heat of a change, from −1 to 1, if the largest one of its position is `most`."""
    return copysign(sqrt(min(1.0, abs(change) / max(most, FULL_HEAT))), change)


def moves_text(  # noqa: PLR0913, PLR0917  two memories in a position, and how they are drawn
    space: Space, shift: Shift, names: Names | None, palette: Palette, width: int, height: int | None
) -> Text:
    """Return each move with its probability in both memories and where it leads, the most changed moves first.

    With enough lines in `height`, the probabilities are bars as well, the longest of which takes all the room.
    """
    game, values = space.game, edge_values(space)
    captions = ("before", "after") if names is None else [cut(name, CAPTION_WIDTH) for name in names]
    changes = {edge: shift.after[edge] - shift.before[edge] for edge in shift.before}
    edges = sorted(changes, key=lambda edge: -abs(changes[edge]))
    room = width - max(map(cell_len, captions)) - 2 - SHARE_WIDTH
    most = max(map(abs, changes.values()), default=0.0)
    longest = max((*shift.before.values(), *shift.after.values()), default=0.0) or 1.0
    drawn = height is not None and room > 0 and 3 * len(edges) <= height
    apart = height is not None and 4 * len(edges) <= height + 1
    wide = max(1, min(CAPTION_WIDTH + 1, (width - NAME - len("  loses")) // 2))
    heads = "".join(f"{cut(each, wide - 1):>{wide}}" for each in captions)
    rows = [] if drawn else [Text(f"{'':<{NAME}}{heads}", "dim")]
    for edge in edges:
        name, leads = game.move_name(int(space.move[edge])), VERDICT[int(values[edge])]
        shares = shift.before[edge], shift.after[edge]
        if not drawn:
            figures = "".join(f"{figure_text(share)} %".rjust(wide) for share in shares)
            rows.append(Text.assemble(f"{name:<{NAME}}{figures}", (f"  {leads}", "dim")))
            continue
        rows.append(Text.assemble((f"{name:<4}", "bold"), (leads, "dim")))
        styles = Style(dim=True), palette.of_change(heat(changes[edge], most))
        for caption, share, style in zip(captions, shares, styles, strict=True):
            line = Text().append(f"{caption:<{width - room - SHARE_WIDTH}}", "dim")
            line.append(f"{bar_text(share / longest, room):<{room}}", style)
            rows.append(line.append(f"{figure_text(share)} %".rjust(SHARE_WIDTH)))
        if apart:
            rows.append(Text())
    return Text("\n", no_wrap=True).join(rows[:-1] if drawn and apart else rows)


def figure_text(share: float) -> str:
    """Return a share in per cent with one decimal, also if it is exact: `0.0`, `25.0`."""
    return f"{100 * share:.1f}" if share in (0, 1) else decimal_percent(share)


def bar_text(share: float, room: int) -> str:
    """Return a bar as long as a share of `room` columns, rounded to half columns; a share above 0 has at least one."""
    halves = max(1, round(2 * share * room)) if share > SAME else 0
    return "━" * (halves // 2) + "╸" * (halves % 2)
