"""The exact results of a player as stacked bars: the games won, drawn and lost, for each side and opponent."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.text import Text

from engine.evaluate import Results
from lab.results.score_lines import NAMES, marked
from lab.results.tables import quality_text, untrained
from lab.text.columns import bar_parts
from lab.text.numbers import decimal_percent
from learners.core.player import Player

NAME: Final = 9
NUMBER: Final = 6
UNIT: Final = 2
"""The columns of the name of an opponent, of each number, and of their unit."""
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
    game, never = player.game, [player.game.mark(side) for side in untrained(player)]
    room, number = min(MAX_BAR, width - NAME - NUMBER * len(HEADINGS) - UNIT), NUMBER
    if room < 0:
        room, number = 0, NUMBER - 1  # only the numbers
    shown = [
        (heading, style) for heading, style in zip(HEADINGS, styles, strict=True) if heading != "draw" or game.has_draws
    ]
    lines = []
    for mark, results in marked(game, exact):
        head = Text(f"as {mark}{', not trained' if mark in never else ''}".ljust(NAME + room), "bold", no_wrap=True)
        for heading, style in shown:
            head.append(f"{heading:>{number}}", f"not bold {style}")
        lines.append(head.append(" %", "not bold dim"))
        for key, name in NAMES.items():
            chances = results.against[key]
            shares = chances.win, chances.draw, chances.loss
            line = Text(f"{name:<{NAME}}", no_wrap=True)
            for glyph, cells, style in zip(GLYPHS, bar_parts(shares, room), styles, strict=True):
                line.append(glyph * cells, style)
            for heading, share in zip(HEADINGS, shares, strict=True):
                if heading != "draw" or game.has_draws:
                    line.append(f"{decimal_percent(share):>{number}}", "bold" if heading == "loss" else "")
            lines += [line, Text("")] if airy else [line]
        quality = quality_text(results)
        quality = quality if len(quality) <= width else quality.replace(" losing moves left", " losing")
        lines += [Text(quality, "dim"), Text("")]
    return Text("\n").join(lines[:-1])


def bars_beside(player: Player, exact: Mapping[str, Results], width: int, styles: Sequence[str]) -> Text:
    """Return the bars of `exact_bars` with the sides beside each other."""
    each = (width - GAP * (len(exact) - 1)) // len(exact)
    sides = [exact_bars(player, {side: results}, each, styles).split("\n") for side, results in exact.items()]
    for line in (line for side in sides for line in side):
        line.pad_right(each - line.cell_len)
    return Text("\n").join(Text(" " * GAP).join(lines) for lines in zip(*sides, strict=True))
