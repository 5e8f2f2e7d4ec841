"""The exact results of a player as stacked bars: the games won, drawn and lost, for each side and opponent."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.text import Text

from engine.evaluate import Results
from lab.results.score_lines import NAMES, results_by_mark
from lab.results.tables import quality_text, untrained_sides
from lab.text.columns import bar_parts
from lab.text.numbers import decimal_percent
from learners.core.player import Player

NAME_WIDTH: Final = 9
"""The columns of the name of an opponent."""
NUMBER_WIDTH: Final = 6
"""The columns of each number."""
UNIT: Final = " %"
GAP: Final = 3
"""The columns between the bars of two sides that stand beside each other."""
MAX_BAR: Final = 100
"""The maximum width of a bar, in columns."""
GLYPHS: Final = "▆▄▂"
"""What won, drawn and lost games are drawn with, so that a bar can be read without colours."""
HEADINGS: Final = "win", "draw", "loss"
SIDE_ROWS: Final = len(NAMES) + 3
"""The lines of a side, with an empty one after it."""
AIRY_ROWS: Final = SIDE_ROWS + len(NAMES)
"""The lines of a side with an empty line after each bar."""


def exact_bars(
    player: Player, exact: Mapping[str, Results], width: int, styles: Sequence[str], *, airy: bool = False
) -> Text:
    """Return a bar for each side in `exact` and each opponent, the numbers in per cent at its end.

    `styles` are those of won, drawn and lost games. If it is `airy`, an empty line follows each bar.
    """
    game = player.game
    untrained_marks = [game.mark(side) for side in untrained_sides(player)]
    bar_width, number_width = width - NAME_WIDTH - NUMBER_WIDTH * len(HEADINGS) - len(UNIT), NUMBER_WIDTH
    if bar_width < 0:
        bar_width, number_width = 0, NUMBER_WIDTH - 1  # only the numbers
    bar_width = min(MAX_BAR, bar_width)
    columns = [nth for nth, heading in enumerate(HEADINGS) if heading != "draw" or game.has_draws]
    lines = []
    for mark, results in results_by_mark(game, exact):
        title = f"as {mark}, not trained" if mark in untrained_marks else f"as {mark}"
        head = Text(title.ljust(NAME_WIDTH + bar_width), "bold", no_wrap=True)
        for nth in columns:
            head.append(f"{HEADINGS[nth]:>{number_width}}", f"not bold {styles[nth]}")
        lines.append(head.append(UNIT, "not bold dim"))
        for key, name in NAMES.items():
            chances = results.against[key]
            shares = chances.win, chances.draw, chances.loss
            line = Text(f"{name:<{NAME_WIDTH}}", no_wrap=True)
            for glyph, cells, style in zip(GLYPHS, bar_parts(shares, bar_width), styles, strict=True):
                line.append(glyph * cells, style)
            for nth in columns:
                line.append(
                    f"{decimal_percent(shares[nth]):>{number_width}}", "bold" if HEADINGS[nth] == "loss" else ""
                )
            lines.append(line)
            if airy:
                lines.append(Text(""))
        quality = quality_text(results)
        if len(quality) > width:
            quality = quality.replace(" losing moves left", " losing")
        lines += [Text(quality, "dim"), Text("")]
    return Text("\n").join(lines[:-1])


def bars_beside(player: Player, exact: Mapping[str, Results], width: int, styles: Sequence[str]) -> Text:
    """Return the bars of `exact_bars` with the sides beside each other."""
    side_width = (width - GAP * (len(exact) - 1)) // len(exact)
    sides = []
    for side, results in exact.items():
        lines = exact_bars(player, {side: results}, side_width, styles).split("\n")
        for line in lines:
            line.pad_right(side_width - line.cell_len)
        sides.append(lines)
    return Text("\n").join(Text(" " * GAP).join(row) for row in zip(*sides, strict=True))
