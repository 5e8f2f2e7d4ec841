"""The open box: its board in the room there is, as text, with the moves below it that need lines of their own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rich.segment import Segment
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from lab.memory.matchbox import BARS, SquareKind
from lab.memory.open_box import OpenBox, OpenSquare, frames_before
from lab.text.numbers import short_count, spark
from tui.widgets.board_shape import WALL
from tui.widgets.motion import Motion
from tui.widgets.open_square import (
    WORD_TEXTS,
    Line,
    dot_lines,
    drawing_lines,
    fit_numbers,
    move_line,
    number_texts,
    shorten_words,
    square_lines,
)
from tui.widgets.palette import BEAD, DRAWN, PLAIN, Palette, palette_of

STEP_SECONDS: Final = 0.16
"""Seconds between two looks of a box that opens."""
NARROW: Final = 6
"""In a square of up to this many columns, a number may take all of them; in a wider one, it leaves some free."""
MAX_LINES_ABOVE_MOVES: Final = 3
"""The maximum number of lines of a square of a board above its moves."""
SHORT_LIST: Final = 9
"""The number of moves up to which each has its own line, unless all are alike."""
FEW_ALIKE: Final = 5
"""How many alike moves of a longer list keep their own lines."""
DISC_LINES: Final = 3
"""The lines that a row of discs needs, with the line below it."""
AIR: Final = 1
"""The lines between the frame and the box."""
MIN_NAME_WIDTH: Final = 6
"""The minimum columns of the name of a move below the board."""

WORTH_FROM: Final = 1.05
"""From this many beads for each one that is drawn on, it is said how many one stands for."""
WHOLE_WORTH_FROM: Final = 9.95
"""From this many on, that number is said without decimals."""


@dataclass(frozen=True)
class BoardGrid:
    """How the squares of an open box are arranged."""

    cell: int
    """The columns of a square."""
    lines: int
    """The lines of a square."""
    walls: frozenset[int]
    """The columns of squares that are only the gap between two boards; each is one column wide."""
    indent: int
    """The columns left of the board."""
    ruled: bool
    """Whether there are lines between the rows of squares."""
    dotted: bool
    """Whether the board is so low that there are only signs where the pieces are."""

    def width_of(self, column: int) -> int:
        return 1 if column in self.walls else self.cell


def open_box_lines(box: OpenBox, width: int, height: int, palette: Palette = PLAIN, most: int = 0) -> list[Line]:
    """Return the lines of an open box in `width` columns and at most `height` lines.

    `most` is the largest number of beads in a square of the boxes beside it, which have their beads as far apart.
    """
    box = _with_listed_moves(box, width, height)
    most = max([most, *(square.beads or 0 for square in (*box.squares, *box.below))])
    lines = _board_lines(box, _grid_of(box, width, height), palette, most)
    if box.below:
        moves = _lines_below(box.below, width, palette, most)
        is_airy = len(lines) + 2 * len(moves) <= height
        for nth, line in enumerate(moves):
            if lines and (is_airy or nth == 0):
                lines.append([])
            lines.append(line)
    return lines[:height]


def _grid_of(box: OpenBox, width: int, height: int) -> BoardGrid:
    """Return how the squares of a box with its moves are arranged in `width` columns and `height` lines."""
    rows = max(1, len(box.squares) // box.columns)  # there may be no board above the moves
    room = height - len(box.below) - 1 if box.below else height
    walls = frozenset(
        column
        for column in range(box.columns)
        if {square.look.text for square in box.squares[column :: box.columns]} == {WALL}
    )
    cell = (width - box.columns + 1 - len(walls)) // (box.columns - len(walls))
    kinds = {square.look.kind for square in box.squares}
    has_bars = cell > NARROW and not kinds.isdisjoint(BARS) and SquareKind.STRUCK not in kinds
    least_lines = 2 if has_bars or any(square.beads for square in box.squares) else 1
    dotted = bool(box.below) and box.discs and room < DISC_LINES * rows
    lines_if_ruled = (room - rows + 1) // rows
    ruled = not dotted and min(least_lines, room // rows) <= lines_if_ruled
    lines = max(1, lines_if_ruled if ruled else room // rows)
    if not box.below:
        return BoardGrid(cell, lines, walls, 0, ruled, dotted)
    lines = 1 if dotted else min(lines, MAX_LINES_ABOVE_MOVES)  # the board has no words in its squares
    cell = min(cell, 2 * lines + 1)
    board_width = len(walls) + cell * (box.columns - len(walls)) + box.columns - 1
    return BoardGrid(cell, lines, walls, (width - board_width + 1) // 2, ruled, dotted)


def _board_lines(box: OpenBox, grid: BoardGrid, palette: Palette, most: int) -> list[Line]:
    """Return the lines of the squares of a box, with their numbers and histories."""
    numbers = fit_numbers(box.squares, _number_width(box, grid))
    peak = max((max(square.before, default=0) for square in box.squares), default=0)
    history_width = grid.cell - 2
    if _has_history_beside(box, grid):
        history_width -= max(map(len, numbers), default=0)
    text_lines = 2 if grid.lines > 2 and peak else 1
    lines: list[Line] = []
    for first in range(0, len(box.squares), box.columns):
        if first and grid.ruled:
            rule = [" " if column in grid.walls else "╌" * grid.cell for column in range(box.columns)]
            lines.append(_join_columns([[Segment(part, palette.frame)] for part in rule], grid, "┼", palette))
        squares = box.squares[first : first + box.columns]
        tallest = max(
            len(drawing_lines(square, grid.width_of(column) - 2, grid.lines - text_lines, palette, most))
            for column, square in enumerate(squares)
        )
        columns = []
        for column, (square, number) in enumerate(zip(squares, numbers[first:], strict=False)):
            if grid.dotted:
                columns.append(dot_lines(square, grid.cell, palette))
                continue
            size, history = (grid.width_of(column), grid.lines), spark(square.before, peak, max(0, history_width))
            columns.append(
                square_lines(square, number, size, palette, most, tallest=tallest, history=history, discs=box.discs)
            )
        lines += [_join_columns(parts, grid, "┊", palette) for parts in zip(*columns, strict=True)]
    return lines


def _has_history_beside(box: OpenBox, grid: BoardGrid) -> bool:
    """Return whether histories stand behind the numbers, since there is no line for them."""
    return grid.lines == 2 and any(square.before for square in box.squares)


def _number_width(box: OpenBox, grid: BoardGrid) -> int:
    """Return how many columns of a square its number may take."""
    if _has_history_beside(box, grid):
        longest_count = max(len(f"{square.beads or 0:,}") for square in box.squares)
        return min(grid.cell, max(grid.cell // 2, longest_count))
    if grid.lines == 1 and any(square.beads for square in box.squares):  # beside the beads
        return min(grid.cell, grid.cell // 2)
    return max(grid.cell - 2, min(grid.cell, NARROW))


def _join_columns(parts: Sequence[Line], grid: BoardGrid, sign: str, palette: Palette) -> Line:
    """Join the parts of a line of the board by a sign, but for those at the gap between two boards."""
    line: Line = [Segment(" " * grid.indent)] if grid.indent else []
    line += parts[0]
    for column, part in enumerate(parts[1:], 1):
        is_bare = grid.dotted or column - 1 in grid.walls or column in grid.walls
        line += [Segment(" " if is_bare else sign, palette.frame), *part]
    return line


def _lines_below(moves: Sequence[OpenSquare], width: int, palette: Palette, most: int) -> list[Line]:
    """Return a line for each move below the board; all their bars have one scale."""
    name_width = _name_width(moves)
    numbers = fit_numbers(moves, width - name_width - 2)
    number_width = max(map(len, numbers))
    return [
        move_line(replace(move, move=f"{move.move:<{name_width}}"), f"{number:>{number_width}}", width, palette, most)
        for move, number in zip(moves, numbers, strict=True)
    ]


def _name_width(moves: Sequence[OpenSquare]) -> int:
    """Return the columns for the names of moves below the board."""
    return max(MIN_NAME_WIDTH, *(len(move.move) + 1 for move in moves))


def _with_listed_moves(box: OpenBox, width: int, height: int) -> OpenBox:
    """Return a box with its moves in lines of their own, if these fit, where its squares are too narrow for words.

    Where pieces fall or lie in heaps, a move is no square, and always has its line. The board stands above them where
    there is room for both, with the values of the moves in their squares, unless it would be empty. Moves that are
    alike have one line if all are, or are many.
    """
    moves = sorted((square for square in box.squares if square.move), key=lambda square: square.move)
    if not moves or any(each.beads is not None for each in moves) or not (box.discs or has_signs(box, width)):
        return box
    moves = _merge_alike_moves(moves, width)
    if len(moves) > height:
        return box
    board = tuple(
        OpenSquare(each.look, short=number_texts(each)[-1]) if each.move else replace(each, twin="")
        for each in box.squares
    )
    kinds = {each.look.kind for each in board if each.look.text != WALL}
    says_something = SquareKind.PIECE in kinds or (SquareKind.VALUE in kinds and not box.discs)
    fits = len(board) // box.columns + 1 + len(moves) <= height
    return replace(box, squares=board if says_something and fits else (), below=tuple(moves))


def _merge_alike_moves(moves: Sequence[OpenSquare], width: int) -> list[OpenSquare]:
    """Return moves, with one that stands for all that say the same in `width` columns if all do, or many.

    Those that stand for several come last.
    """
    numbers = fit_numbers(moves, width - _name_width(moves) - 2)
    is_whole = all(number in number_texts(move)[:2] for move, number in zip(moves, numbers, strict=True))
    alike = dict[tuple[str, float], list[OpenSquare]]()
    for move in moves:
        text = (move.words, move.chance) if is_whole else (shorten_words(move.words), 0.0)
        alike.setdefault(text, []).append(move)
    max_alike = FEW_ALIKE
    if is_whole and len(moves) <= SHORT_LIST:
        max_alike = len(moves) if len(alike) > 1 else 1
    single, merged = list[OpenSquare](), list[OpenSquare]()
    for group in alike.values():
        if len(group) <= max_alike:
            single += group
        else:
            words = group[0].words
            merged.append(
                replace(group[0], move=f"{len(group)} moves", words=f"each {words}", short=shorten_words(words))
            )
    return [*sorted(single, key=lambda square: square.move), *merged]


def has_signs(box: OpenBox, width: int) -> bool:
    """Return whether squares in a box of `width` columns are too narrow for words on their moves."""
    moves = [square for square in box.squares if square.move]
    numbers = fit_numbers(moves, (width + 1) // box.columns - 3)
    return any(
        number not in number_texts(move)[:WORD_TEXTS]
        for move, number in zip(moves, numbers, strict=True)
        if move.beads is None and move.look.kind is not SquareKind.STRUCK
    )


def worth_text(worth: float) -> str:
    """Return how many beads one that is drawn stands for, if it is more than one."""
    if worth < WORTH_FROM:
        return ""
    number = short_count(worth) if worth >= WHOLE_WORTH_FROM else f"{worth:.1f}"
    return f"{BEAD} ≈ {number} beads"


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
        self._stages: tuple[OpenBox, ...] = ()
        """The looks of the box before its last one."""
        self._drawn: tuple[OpenBox | None, tuple[object, ...], list[Line]] = None, (), []
        """The look that was drawn last, its size and palette, and its lines."""

    def show(self, box: OpenBox | None) -> None:
        if box != self._box:
            self._box = box
            self._stages = () if box is None else frames_before(box)
            self.motion.play(len(self._stages) if self._animates else 0, STEP_SECONDS)
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
        if self._box is None:
            return False
        return has_signs(_with_listed_moves(self._box, *self.size), self.size.width)

    @property
    def worth(self) -> float:
        """The number of beads that a sign stands for; 0 if there are none."""
        if self._box is None:
            return 0.0
        lines = open_box_lines(self._box, self.size.width, self.size.height - AIR)
        text = "".join(part.text for line in lines for part in line)
        drawn = text.count(BEAD) + text.count(DRAWN)
        beads = sum(square.beads or 0 for square in (*self._box.squares, *self._box.below))
        return beads / drawn if drawn else 0.0

    @property
    def look(self) -> OpenBox | None:
        """The present look of the box."""
        return self._stages[-self.motion.steps_left] if self.motion.steps_left else self._box

    def render_line(self, y: int) -> Strip:
        box, palette, (width, height) = self.look, palette_of(self), self.size
        drawn_box, drawn_for, lines = self._drawn
        if drawn_box is not box or drawn_for != (self.size, palette):
            lines = [] if box is None else open_box_lines(box, width, height - AIR, palette)
            self._drawn = box, (self.size, palette), lines
        index = y - AIR - max(0, height - AIR - len(lines)) // 2
        line = lines[index] if 0 <= index < len(lines) else []
        return Strip(line).adjust_cell_length(width).apply_style(self.visual_style.rich_style)
