"""The open box as text: a large board with beads, bars and struck squares, and the numbers below them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from engine.plural import signed_text
from lab.memory.matchbox import BARS, SquareKind
from lab.memory.open_box import OpenBox, OpenSquare, stages
from lab.text.columns import cut
from lab.text.numbers import share_text, short_count, spark
from tui.widgets.board_shape import DISCS, WALL, mark_lines
from tui.widgets.motion import Motion
from tui.widgets.tiles import BEAD, DRAWN, PLAIN, STRUCK, Palette, centred, palette_of

GAUGE: Final = "━"
TRACK: Final = "─"
STEP: Final = 0.16
"""Seconds between two looks of a box that opens."""
NARROW: Final = 6
"""In a square of up to this many columns, a number may take all of them; in a wider one, it leaves some free."""
WORDED: Final = 3
"""How many of the texts about a move without beads, the longest first, are words; the others are signs."""
MOST_LINES: Final = 3
"""The most lines of a square of a board above its moves."""
MOST_LISTED: Final = 9
"""The number of moves up to which each has its own line, unless all are alike."""
FEW: Final = 5
"""How many alike moves of a longer list keep their own lines."""
DISC_LINES: Final = 3
"""The lines that a row of discs needs, with the line below it."""
AIR: Final = 1
"""The lines between the frame and the box."""
NAME: Final = 6
"""The minimum columns of the name of a move below the board."""

LEAST_WORTH: Final = 1.05
TEN: Final = 9.95
"""From the first number of beads for one that is drawn on, the number is told; below the second one to one decimal."""

Line = list[Segment]


def open_box_lines(box: OpenBox, width: int, height: int, palette: Palette = PLAIN, most: int = 0) -> list[Line]:
    """Return the lines of an open box in `width` columns and at most `height` lines.

    `most` is the largest number of beads in a square of the boxes beside it, which have their beads as far apart.
    """
    box = _listed(box, width, height)
    rows = max(1, len(box.squares) // box.columns)  # there may be no board above the moves
    room = height - len(box.below) - bool(box.below)
    walls = {at for at in range(box.columns) if {each.look.text for each in box.squares[at :: box.columns]} == {WALL}}
    cell = (width - box.columns + 1 - len(walls)) // (box.columns - len(walls))
    kinds = {each.look.kind for each in box.squares}
    has_bars = cell > NARROW and not kinds.isdisjoint(BARS) and SquareKind.STRUCK not in kinds
    least = 2 if has_bars or any(square.beads for square in box.squares) else 1
    dotted = bool(box.below) and box.discs and room < DISC_LINES * rows  # there are only signs where the pieces are
    ruled = not dotted and min(least, room // rows) <= (room - rows + 1) // rows
    each = max(1, (room - (rows - 1) * ruled) // rows)
    if box.below:  # the board has no words in its squares
        each = 1 if dotted else min(each, MOST_LINES)
        cell = min(cell, 2 * each + 1)
    widths = [1 if column in walls else cell for column in range(box.columns)]
    left = (width - sum(widths) - box.columns + 2) // 2 if box.below else 0
    indent = [Segment(" " * left)] if left else []
    beside = each == 1 and any(square.beads for square in box.squares)  # beads and their number share a line
    latest = each == 2 and any(square.before for square in box.squares)  # a history stands behind its number
    longest = min(cell, max([cell // 2, *(len(f"{square.beads or 0:,}") * latest for square in box.squares)]))
    numbers = _numbers(box.squares, longest if beside or latest else max(cell - 2, min(cell, NARROW)))
    most = max([most, *(square.beads or 0 for square in (*box.squares, *box.below))])
    lines: list[Line] = []
    peak = max((max(square.before, default=0) for square in box.squares), default=0)
    free = max(0, cell - 2 - latest * max(map(len, numbers), default=0))
    histories = [spark(square.before, peak, free) for square in box.squares]

    def joined(parts: Sequence[Line], line: str) -> Line:
        """Join the parts of a line of the board by lines, but for those at the gap between two boards."""
        whole: Line = [*indent, *parts[0]]
        for column, part in enumerate(parts[1:], 1):
            bare = dotted or {column - 1, column} & walls
            whole += [Segment(" " if bare else line, palette.frame), *part]
        return whole

    for first in range(0, len(box.squares), box.columns):
        if first and ruled:
            rule = [" " if column in walls else "╌" * cell for column in range(box.columns)]
            lines.append(joined([[Segment(part, palette.frame)] for part in rule], "┼"))
        row = zip(box.squares, numbers, histories, strict=True)
        piles = zip(box.squares[first : first + box.columns], widths, strict=True)
        told = 2 if each > 2 and peak else 1
        tallest = max(len(_drawing(square, across - 2, each - told, palette, most)) for square, across in piles)
        drawn = [
            _dot(square, cell, palette)
            if dotted
            else square_lines(
                square, number, (across, each), palette, most, tallest=tallest, history=history, discs=box.discs
            )
            for (square, number, history), across in zip(islice(row, first, first + box.columns), widths, strict=True)
        ]
        lines += [joined(parts, "┊") for parts in zip(*drawn, strict=True)]
    if box.below:
        name = max(NAME, *(len(move.move) + 1 for move in box.below))
        numbers = _numbers(box.below, width - name - 2)
        longest = max(map(len, numbers))
        numbers = [f"{number:>{longest}}" for number in numbers]  # so that all bars have one scale
        named = [replace(move, move=f"{move.move:<{name}}") for move in box.below]
        moves = [_move_line(*each, width, palette, most) for each in zip(named, numbers, strict=True)]
        loose = len(lines) + 2 * len(moves) <= height
        for line in moves:
            lines += [[], line] if lines and (loose or line is moves[0]) else [line]
    return lines[:height]


def _dot(square: OpenSquare, width: int, palette: Palette) -> list[Line]:
    """Return the only line of a square of a small board of discs."""
    text, style = palette.look(replace(square.look, drawn=False), discs=True)
    words = square.short if 0 < len(square.short) <= width else text
    return [centred([Segment(words, style + Style(reverse=square.look.drawn))], width)]


def _listed(box: OpenBox, width: int, height: int) -> OpenBox:
    """Return a box with its moves in lines of their own, if these fit, where its squares are too narrow for words.

    Where pieces fall or lie in heaps, a move is no square, and always has its line. The board stands above them where
    there is room for both, with the values of the moves in their squares, unless it would be empty. Moves that are
    alike have one line if all are, or are many.
    """
    moves = sorted((square for square in box.squares if square.move), key=lambda square: square.move)
    if not moves or any(each.beads is not None for each in moves) or not (box.discs or has_signs(box, width)):
        return box
    count, alike = len(moves), dict[tuple[str, float], list[OpenSquare]]()
    numbers = _numbers(moves, width - max(NAME, *(len(move.move) + 1 for move in moves)) - 2)
    whole = all(number in _ways(move)[:2] for move, number in zip(moves, numbers, strict=True))
    for move in moves:  # those that say the same in this width
        alike.setdefault((move.words, move.chance) if whole else (_brief(move.words), 0.0), []).append(move)
    few = FEW if count > MOST_LISTED or not whole else count if len(alike) > 1 else 1
    ones = [move for each in alike.values() if len(each) <= few for move in each]
    many = [_together(each) for each in alike.values() if len(each) > few]
    moves = [*sorted(ones, key=lambda square: square.move), *many]
    if len(moves) > height:
        return box
    board = tuple(
        OpenSquare(each.look, short=_ways(each)[-1]) if each.move else replace(each, twin="") for each in box.squares
    )
    seen = {each.look.kind for each in board if each.look.text != WALL}
    told = SquareKind.PIECE in seen or (SquareKind.VALUE in seen and not box.discs)
    fits = told and len(board) // box.columns + 1 + len(moves) <= height
    return replace(box, squares=board if fits else (), below=tuple(moves))


def _together(moves: Sequence[OpenSquare]) -> OpenSquare:
    """Return what stands for moves that are alike in one line."""
    first = moves[0]
    return replace(first, move=f"{len(moves)} moves", words=f"each {first.words}", short=_brief(first.words))


def has_signs(box: OpenBox, width: int) -> bool:
    """Return whether squares in a box of `width` columns are too narrow for words on their moves."""
    moves = [square for square in box.squares if square.move]
    numbers = _numbers(moves, (width + 1) // box.columns - 3)
    return any(
        number not in _ways(move)[:WORDED]
        for move, number in zip(moves, numbers, strict=True)
        if move.beads is None and move.look.kind is not SquareKind.STRUCK
    )


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
    text, style = palette.look(replace(square.look, drawn=False), discs=discs)
    if square.look.kind is SquareKind.PIECE and discs and height > 1:
        drawn = mark_lines(DISCS[bool(square.look.side)], width, height)
        return [[Segment(line, style)] for line in drawn]
    if not square.move:
        blank = square.look.kind is SquareKind.NOTHING or square.look.text == WALL
        short = square.short if len(square.short) <= width else text
        words = f"= {square.twin}" if square.twin else "" if blank else short or text
        style += Style(reverse=square.look.drawn)
        lines = [[Segment(cut(words, width), palette.quiet if square.twin else style)]]
        return _block(lines, width, height)
    if height == 1:
        counted = Segment(number, _number_style(square, palette))
        if square.look.kind is SquareKind.STRUCK and len(number) + 2 <= width:
            return [centred([Segment(f"{STRUCK} ", style), counted], width)]
        beads = _drawing(square, width - len(number) - 1, 1, palette, most) if square.beads is not None else []
        return [centred([*beads[0], Segment(" "), counted] if beads else [counted], width)]
    told = [[Segment(number, _number_style(square, palette))]]
    if history and height == 2:
        told[0] += [Segment(" "), Segment(history, style)]
    elif history:
        told.append([Segment(history, style)])
    drawing = _drawing(square, width - 2, height - len(told), palette, most)
    tallest = max(tallest, len(drawing)) if drawing else 0
    apart = bool(drawing) and height > tallest + 1 + len(told)
    return _block([*[[]] * (tallest - len(drawing)), *drawing, *[[]] * apart, *told], width, height)


def _number_style(square: OpenSquare, palette: Palette) -> Style:
    if square.gained:
        return palette.good if square.gained > 0 else palette.bad
    return palette.share if square.look.drawn else palette.quiet


def _numbers(squares: Iterable[OpenSquare], width: int) -> list[str]:
    """Return the number and the chance of each move in at most `width` columns; those of beads all in the same way."""
    ways = [_ways(square) if square.move else [] for square in squares]
    counted = [way for square, way in zip(squares, ways, strict=True) if square.move and square.beads is not None]
    unfit = max((sum(len(words) > width for words in way) for way in counted), default=0)
    return [next((words for words in way[unfit:] if len(words) <= width), "") if way else "" for way in ways]


def _brief(words: str) -> str:
    """Return the words about a move without how soon, and whether the champion has it."""
    return re.split(" in | at once|, ", words)[0]


def _ways(square: OpenSquare) -> list[str]:
    """Return the number and the chance of a move, from the longest way to the shortest."""
    chance = share_text(square.chance) if square.chance else ""
    if square.beads is None:
        words, short = (text.replace("-", "−") for text in (square.words, square.short))
        brief = _brief(words)
        last = short.rpartition(" ")[2]  # the value alone
        return ["  ".join(filter(None, (words, chance))), words, brief, short, last]
    count = f"{square.beads:,}" if square.beads else "–"  # 0 looks like a nought
    noun = "bead" if square.beads == 1 else "beads"
    gain = signed_text(square.gained) if square.gained else ""
    longest = f"{count if square.beads else 'no'} {noun}"
    ways = [(longest, chance, gain), (longest, gain or chance), (count, chance, gain), (count, chance), (count,)]
    parts = [[*filter(None, way)] for way in ways]
    return ["  ".join(parts[0]), *(" ".join(words) for words in parts[:2]), *("  ".join(words) for words in parts[2:])]


def _drawing(square: OpenSquare, width: int, height: int, palette: Palette, most: int) -> list[Line]:
    """Return what lies on a square, in at most `height` lines of `width` columns."""
    look = square.look
    _, style = palette.look(replace(look, drawn=False))
    if look.kind is SquareKind.BEAD:
        return _beads(square, max(1, width), height, palette, most)
    if look.kind is SquareKind.STRUCK:
        return [[Segment(STRUCK * max(1, width // 2), style)]] * min(2, height)
    if look.kind is SquareKind.VALUE or (look.kind is SquareKind.SHARE and look.level > 0):
        filled = max(1, round(look.level * width))
        return [[Segment(GAUGE * filled, style), Segment(TRACK * (width - filled), palette.frame)]]
    return []


def _beads(square: OpenSquare, width: int, height: int, palette: Palette, most: int) -> list[Line]:
    """Return the beads of a square; the drawn one is ringed.

    If those of the fullest square, `most`, do not fit, each pile has its share of them, and at least one.
    """
    count, hue = square.beads or 0, square.look.hue
    style = palette.of_bead(hue)
    most = max(count, most)
    apart = 2 if most <= (width + 1) // 2 * height else 1
    per_line = (width + apart - 1) // apart
    fitting = per_line * height
    shown = count if most <= fitting else max(min(1, count), round(count * fitting / most))
    signs = [palette.bead(hue)] * shown
    if square.look.drawn and signs:
        signs[0] = DRAWN
    gap = " " * (apart - 1)
    lines = [gap.join(signs[start : start + per_line]) for start in range(0, shown, per_line)]
    found: list[Line] = [[Segment(line, style)] for line in lines]
    if square.look.drawn and found:
        found[0] = [Segment(DRAWN, style + Style(bold=True)), Segment(lines[0][1:], style)]
    return found


def _move_line(square: OpenSquare, number: str, width: int, palette: Palette, most: int) -> Line:
    """Return a move below the board: its name, as wide as all names, what lies there, and its number."""
    room = max(0, width - len(square.move) - len(number) - 2)
    drawing = _drawing(square, room, 1, palette, most)
    line = [Segment(square.move, palette.share if square.look.drawn else palette.quiet)]
    line += drawing[0] if drawing else []
    line.append(Segment(" " * max(1, width - len(number) - sum(len(part.text) for part in line))))
    return [*line, Segment(number, _number_style(square, palette))]


def _block(lines: list[Line], width: int, height: int) -> list[Line]:
    """Return lines in the middle of a square."""
    above = (height - len(lines)) // 2
    padded: list[Line] = [*([] for _ in range(above)), *lines]
    padded += ([] for _ in range(height - len(padded)))
    return [centred(line, width) for line in padded]


def worth_text(worth: float) -> str:
    """Return how many beads one that is drawn stands for, if it is more than one."""
    return f"{BEAD} ≈ {short_count(worth) if worth >= TEN else f'{worth:.1f}'} beads" if worth >= LEAST_WORTH else ""


class OpenBoxView(Widget):
    """Shows an open box as large as there is room."""

    DEFAULT_CSS = "OpenBoxView { width: 1fr; height: 1fr; }"
    _box: OpenBox | None = None

    class Moved(Message):
        """Posted when the look of a box in motion changes."""

    def __init__(self, *, id: str | None = None, animates: bool = False) -> None:  # noqa: A002  as Textual's
        """Make an open box; if it `animates`, it opens before its beads are seen, and beads come and go one by one."""
        super().__init__(id=id)
        self.motion = Motion(self, self._move)
        self._animates = animates
        self._before: tuple[OpenBox, ...] = ()
        """The looks of the box before its last one."""
        self._drawn: tuple[OpenBox | None, tuple[object, ...], list[Line]] = None, (), []
        """The look that was drawn last, its size and palette, and its lines."""

    def show(self, box: OpenBox | None) -> None:
        if box != self._box:
            self._box, self._before = box, () if box is None else stages(box)
            self.motion.play(len(self._before) * self._animates, STEP)
        self.refresh()

    def _move(self) -> None:
        self.refresh()
        self.post_message(self.Moved())

    @property
    def box(self) -> OpenBox | None:
        return self._box

    @property
    def has_signs(self) -> bool:
        """Whether signs stand in the squares for words on the moves."""
        return self._box is not None and has_signs(_listed(self._box, *self.size), self.size.width)

    @property
    def worth(self) -> float:
        """The number of beads that a sign stands for; 0 if there are none."""
        if self._box is None:
            return 0.0
        lines = open_box_lines(self._box, self.size.width, self.size.height - AIR)
        drawn = sum(part.text.count(sign) for line in lines for part in line for sign in (BEAD, DRAWN))
        beads = sum(square.beads or 0 for square in (*self._box.squares, *self._box.below))
        return beads / drawn if drawn else 0.0

    @property
    def look(self) -> OpenBox | None:
        """The present look of the box."""
        return self._before[-self.motion.steps_left] if self.motion.steps_left else self._box

    def render_line(self, y: int) -> Strip:
        box, palette, (width, height) = self.look, palette_of(self), self.size
        shown = self.size, palette
        if self._drawn[0] is not box or self._drawn[1] != shown:
            self._drawn = box, shown, [] if box is None else open_box_lines(box, width, height - AIR, palette)
        lines = self._drawn[2]
        above = AIR + max(0, height - AIR - len(lines)) // 2
        line = lines[y - above] if 0 <= y - above < len(lines) else []
        return Strip(line).adjust_cell_length(self.size.width).apply_style(self.visual_style.rich_style)
