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
from tui.widgets.palette import Palette

CAPTION_WIDTH: Final = 12
"""The maximum width of a name below a board, in columns."""
FULL_HEAT: Final = 0.1
"""From this change on, the largest change in a position has the full colour."""
SHARE_WIDTH, MOVE_WIDTH = 8, 5
"""The width of a probability, and of the name of a move, in columns."""


def heat(change: float, largest: float) -> float:
    """Return the heat of a change, from −1 to 1, if the largest one of its position is `largest`."""
    return copysign(sqrt(min(1.0, abs(change) / max(largest, FULL_HEAT))), change)


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
    move_names = {edge: game.move_name(int(space.move[edge])) for edge in edges}
    verdicts = {edge: VERDICT[int(values[edge])] for edge in edges}
    bar_width = width - max(map(cell_len, captions)) - 2 - SHARE_WIDTH
    if height is None or bar_width <= 0 or 3 * len(edges) > height:
        column = max(1, min(CAPTION_WIDTH + 1, (width - MOVE_WIDTH - len("  loses")) // 2))
        headings = "".join(f"{cut(each, column - 1):>{column}}" for each in captions)
        lines = [Text(f"{'':<{MOVE_WIDTH}}{headings}", "dim")]
        for edge in edges:
            shares = shift.before[edge], shift.after[edge]
            figures = "".join(f"{figure_text(share)} %".rjust(column) for share in shares)
            lines.append(Text(f"{move_names[edge]:<{MOVE_WIDTH}}{figures}").append(f"  {verdicts[edge]}", "dim"))
        return Text("\n", no_wrap=True).join(lines)

    largest = max(map(abs, changes.values()), default=0.0)
    longest = max((*shift.before.values(), *shift.after.values()), default=0.0) or 1.0
    blocks = []
    for edge in edges:
        lines = [Text.assemble((f"{move_names[edge]:<4}", "bold"), (verdicts[edge], "dim"))]
        shares = shift.before[edge], shift.after[edge]
        styles = Style(dim=True), palette.of_change(heat(changes[edge], largest))
        for caption, share, style in zip(captions, shares, styles, strict=True):
            line = Text().append(f"{caption:<{width - bar_width - SHARE_WIDTH}}", "dim")
            line.append(f"{bar_text(share / longest, bar_width):<{bar_width}}", style)
            lines.append(line.append(f"{figure_text(share)} %".rjust(SHARE_WIDTH)))
        blocks.append(Text("\n").join(lines))
    separator = "\n\n" if 4 * len(edges) <= height + 1 else "\n"
    return Text(separator, no_wrap=True).join(blocks)


def figure_text(share: float) -> str:
    """Return a share in per cent with one decimal, also if it is exact: `0.0`, `25.0`."""
    return f"{100 * share:.1f}" if share in (0, 1) else decimal_percent(share)


def bar_text(share: float, room: int) -> str:
    """Return a bar as long as a share of `room` columns, rounded to half columns; a share above 0 has at least one."""
    halves = max(1, round(2 * share * room)) if share > SAME else 0
    return "━" * (halves // 2) + "╸" * (halves % 2)
