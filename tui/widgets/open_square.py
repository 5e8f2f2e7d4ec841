"""A square of an open box as text: the number and chance of its move, and what lies on it."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from rich.segment import Segment
from rich.style import Style

from engine.plural import signed_text
from lab.memory.matchbox import SquareKind
from lab.memory.open_box import OpenSquare
from lab.text.columns import cut
from lab.text.numbers import share_text
from tui.widgets.board_shape import DISCS, WALL, mark_lines
from tui.widgets.palette import DRAWN, STRUCK, Palette
from tui.widgets.tiles import centred

GAUGE: Final = "━"
TRACK: Final = "─"
WORD_TEXTS: Final = 3
"""How many of the texts about a move without beads, the longest first, are words; the others are signs."""

Line = list[Segment]


def fit_numbers(squares: Iterable[OpenSquare], width: int) -> list[str]:
    """Return the number and the chance of each move in at most `width` columns; those of beads all in the same way."""
    texts = [number_texts(square) if square.move else [] for square in squares]
    of_beads = [each for square, each in zip(squares, texts, strict=True) if square.move and square.beads is not None]
    first_fitting = max((sum(len(text) > width for text in each) for each in of_beads), default=0)
    return [next((text for text in each[first_fitting:] if len(text) <= width), "") for each in texts]


def number_texts(square: OpenSquare) -> list[str]:
    """Return texts with the number and the chance of a move, from the longest to the shortest."""
    chance = share_text(square.chance) if square.chance else ""
    if square.beads is None:
        words, short = square.words.replace("-", "−"), square.short.replace("-", "−")
        value = short.rpartition(" ")[2]
        return [_join_parts("  ", words, chance), words, shorten_words(words), short, value]
    count = f"{square.beads:,}" if square.beads else "–"  # 0 looks like a nought
    counted = f"{count if square.beads else 'no'} {'bead' if square.beads == 1 else 'beads'}"
    gain = signed_text(square.gained) if square.gained else ""
    return [
        _join_parts("  ", counted, chance, gain),
        _join_parts(" ", counted, chance, gain),
        _join_parts(" ", counted, gain or chance),
        _join_parts("  ", count, chance, gain),
        _join_parts("  ", count, chance),
        count,
    ]


def _join_parts(separator: str, *parts: str) -> str:
    return separator.join(part for part in parts if part)


def shorten_words(words: str) -> str:
    """Return the words about a move without how soon, and whether the champion has it."""
    return re.split(" in | at once|, ", words)[0]


def square_lines(  # noqa: PLR0913  all that a square shows
    square: OpenSquare,
    number: str,
    size: tuple[int, int],
    palette: Palette,
    most: int = 0,
    *,
    tallest: int = 0,
    history: str = "",
    discs: bool = False,
) -> list[Line]:
    """Return the lines of one square with its number and its history; `size` is its columns and lines.

    `most` is the largest number of beads in a square of its box: all beads lie as far apart as those. `tallest` is the
    number of lines of the tallest drawing in its row: all numbers of a row are in one line.
    """
    width, height = size
    _, style = palette.look(replace(square.look, drawn=False), discs=discs)
    if square.look.kind is SquareKind.PIECE and discs and height > 1:
        return [[Segment(line, style)] for line in mark_lines(DISCS[bool(square.look.side)], width, height)]
    if not square.move:
        return _block([_sign_line(square, width, palette, discs=discs)], width, height)
    number_part = Segment(number, _number_style(square, palette))
    if height == 1:
        if square.look.kind is SquareKind.STRUCK and len(number) + 2 <= width:
            return [centred([Segment(f"{STRUCK} ", style), number_part], width)]
        beads = [] if square.beads is None else drawing_lines(square, width - len(number) - 1, 1, palette, most)
        return [centred([*beads[0], Segment(" "), number_part] if beads else [number_part], width)]
    text_lines = [[number_part]]
    if history and height == 2:
        text_lines[0] += [Segment(" "), Segment(history, style)]
    elif history:
        text_lines.append([Segment(history, style)])
    lines = drawing_lines(square, width - 2, height - len(text_lines), palette, most)
    if lines:
        above: list[Line] = [[] for _ in range(tallest - len(lines))]
        lines = [*above, *lines]
        if height > len(lines) + 1 + len(text_lines):
            lines.append([])
    return _block([*lines, *text_lines], width, height)


def _sign_line(square: OpenSquare, width: int, palette: Palette, *, discs: bool) -> Line:
    """Return what stands in a square without a move: its twin, its piece or its sign."""
    if square.twin:
        return [Segment(cut(f"= {square.twin}", width), palette.quiet)]
    text, style = palette.look(replace(square.look, drawn=False), discs=discs)
    if square.look.kind is SquareKind.NOTHING or square.look.text == WALL:
        text = ""
    elif 0 < len(square.short) <= width:
        text = square.short
    return [Segment(cut(text, width), style + Style(reverse=square.look.drawn))]


def dot_lines(square: OpenSquare, width: int, palette: Palette) -> list[Line]:
    """Return the only line of a square of a small board of discs."""
    text, style = palette.look(replace(square.look, drawn=False), discs=True)
    words = square.short if 0 < len(square.short) <= width else text
    return [centred([Segment(words, style + Style(reverse=square.look.drawn))], width)]


def move_line(square: OpenSquare, number: str, width: int, palette: Palette, most: int) -> Line:
    """Return a move below the board: its name, as wide as all names, what lies there, and its number."""
    room = max(0, width - len(square.move) - len(number) - 2)
    line = [Segment(square.move, palette.share if square.look.drawn else palette.quiet)]
    for drawing in drawing_lines(square, room, 1, palette, most):
        line += drawing
    line.append(Segment(" " * max(1, width - len(number) - sum(len(part.text) for part in line))))
    return [*line, Segment(number, _number_style(square, palette))]


def drawing_lines(square: OpenSquare, width: int, height: int, palette: Palette, most: int) -> list[Line]:
    """Return what lies on a square, in at most `height` lines of `width` columns."""
    look = square.look
    _, style = palette.look(replace(look, drawn=False))
    if look.kind is SquareKind.BEAD:
        return _bead_lines(square, max(1, width), height, palette, most)
    if look.kind is SquareKind.STRUCK:
        return [[Segment(STRUCK * max(1, width // 2), style)]] * min(2, height)
    if look.kind is SquareKind.VALUE or (look.kind is SquareKind.SHARE and look.level > 0):
        filled = max(1, round(look.level * width))
        return [[Segment(GAUGE * filled, style), Segment(TRACK * (width - filled), palette.frame)]]
    return []


def _bead_lines(square: OpenSquare, width: int, height: int, palette: Palette, most: int) -> list[Line]:
    """Return the beads of a square; the drawn one is ringed.

    If those of the fullest square, `most`, do not fit, each pile has its share of them, and at least one.
    """
    count, hue = square.beads or 0, square.look.hue
    style = palette.of_bead(hue)
    most = max(count, most)
    pitch = 2 if most <= (width + 1) // 2 * height else 1
    beads_per_line = (width + pitch - 1) // pitch
    capacity = beads_per_line * height
    shown = count if most <= capacity else max(min(1, count), round(count * capacity / most))
    gap = " " * (pitch - 1)
    lines: list[Line] = []
    for first in range(0, shown, beads_per_line):
        beads = gap.join([palette.bead(hue)] * min(beads_per_line, shown - first))
        if square.look.drawn and first == 0:
            lines.append([Segment(DRAWN, style + Style(bold=True)), Segment(beads[1:], style)])
        else:
            lines.append([Segment(beads, style)])
    return lines


def _number_style(square: OpenSquare, palette: Palette) -> Style:
    if square.gained:
        return palette.good if square.gained > 0 else palette.bad
    return palette.share if square.look.drawn else palette.quiet


def _block(lines: list[Line], width: int, height: int) -> list[Line]:
    """Return lines in the middle of a square."""
    above = max(0, (height - len(lines)) // 2)
    below = max(0, height - len(lines) - above)
    padded: list[Line] = [*([[]] * above), *lines, *([[]] * below)]
    return [centred(line, width) for line in padded]
