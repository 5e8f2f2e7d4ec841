"""The shape of a large board: the size of its squares, the lines between them, and its marks in blocks."""

from bisect import bisect
from collections.abc import Callable
from functools import cache
from itertools import accumulate, pairwise
from math import hypot, pi
from typing import Final

from textual.geometry import Region, Size

from engine.game import Game

MAX_CELL_LINES: Final = 13
"""The lines of the largest square: on a vast screen, more is shown beside a board, and not a larger board."""
CELL_SIZES: Final = (
    *((2 * height - 1, height) for height in range(MAX_CELL_LINES, 6, -1)),
    (13, 6),
    (11, 5),
    (9, 4),
    (8, 4),
    (7, 3),
    (5, 3),
    (5, 2),
    (4, 2),
    (3, 2),
    (3, 1),
    (2, 1),
    (1, 1),
)
"""The sizes that a square is drawn at, in terminal cells, largest first."""
DENSE_CELL: Final = 3, 2
"""At this size of squares, a board on which pieces fall has no lines between its rows, so that its pieces are discs."""
WALL: Final = "|"
"""The mark of the gap between two boards."""
GAP: Final = 1
"""The columns of a gap between two boards, besides those of the lines at its sides."""
GUTTER: Final = 2
"""The columns left of the board for the numbers of the rows, unless pieces fall: then a move is only a column."""
LETTERS_LINES: Final = 1
"""The lines below the board for the letters of the columns; empty if its rows are heaps."""


@cache
def walls(game: Game) -> frozenset[int]:
    """Return the columns of a board that are only the gap between two boards."""
    cells, columns = game.board.cells(game.start), game.board.columns
    return frozenset(
        column
        for column in range(columns)
        if all(piece is not None and piece.mark == WALL for piece in cells[column::columns])
    )


def has_falling_pieces(game: Game) -> bool:
    """Return whether pieces fall."""
    return game.board.discs and not game.board.heaps


def gutter_width(game: Game) -> int:
    """Return the columns left of a board."""
    return 0 if has_falling_pieces(game) else GUTTER


def column_starts(game: Game, width: int) -> list[int]:
    """Return where each column of squares of this `width` begins; the last number is where the columns end."""
    widths = (GAP if column in walls(game) else width for column in range(game.board.columns))
    return [*accumulate((each + 1 for each in widths), initial=gutter_width(game))]


def line_left_of(game: Game, column: int, line: str) -> str:
    """Return the text left of a column: a line, or a space between two boards and between stones."""
    return " " if game.board.heaps or {column - 1, column} & walls(game) else line


def rule_between_rows(game: Game, width: int) -> str:
    """Return the line between two rows of squares of `width`."""
    line = " " if game.board.heaps else "─"
    rule = " " * gutter_width(game)
    for column in range(game.board.columns):
        if column:
            rule += line_left_of(game, column, "┼")
        rule += " " * GAP if column in walls(game) else line * width
    return rule


def letters_below(game: Game, width: int) -> str:
    """Return the line below a board: the letter of each column of squares of `width`."""
    letters = " " * gutter_width(game)
    for column, (start, next_start) in enumerate(pairwise(column_starts(game, width))):
        letter = "" if column in walls(game) else chr(ord("a") + column)
        letters += f"{letter:^{next_start - start - 1}} "
    return letters


def row_pitch(game: Game, width: int, height: int) -> int:
    """Return the lines from one row of squares to the next one."""
    return height if has_falling_pieces(game) and (width, height) == DENSE_CELL else height + 1


def region_of(game: Game, width: int, height: int, square: int) -> Region:
    """Return the place of a square on a board with squares of `width` columns and `height` lines."""
    row, column = divmod(square, game.board.columns)
    return Region(column_starts(game, width)[column], row * row_pitch(game, width, height), width, height)


def square_at(game: Game, width: int, height: int, x: int, y: int) -> int | None:
    """Return the square at column `x` and line `y` of a board with squares of this size, if any."""
    column, row = bisect(column_starts(game, width), x) - 1, y // row_pitch(game, width, height)
    if 0 <= column < game.board.columns and 0 <= row < game.board.rows:
        return row * game.board.columns + column
    return None


def board_size(game: Game, width: int, height: int) -> Size:
    """Return the columns and lines of a board with squares of `width` columns and `height` lines."""
    board_lines = (game.board.rows - 1) * row_pitch(game, width, height) + height
    return Size(column_starts(game, width)[-1] - 1, board_lines + LETTERS_LINES)


@cache  # called for each line of the board
def largest_cell(game: Game, room: Size) -> tuple[int, int]:
    """Return the columns and lines of a square: the largest size with which the board fits into `room`."""
    for cell in CELL_SIZES:
        size = board_size(game, *cell)
        if size.width <= room.width and size.height <= room.height:
            return cell
    return CELL_SIZES[-1]


Shape = Callable[[float, float], bool]
"""Whether a shape covers the point (x, y). In its square, x and y run from −1 to 1; y points down."""

DISCS: Final = ("●", "○")
"""The discs of the two sides."""
STONE: Final = "•"
"""A stone of a heap where there is room for air around it; elsewhere it is a disc."""
QUARTERS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""The block of each set of quarters: 1 for the upper left one, 2 for the upper right one, then 4 and 8 below."""
SHAPE_SHARE: Final = 0.9
"""The share of the width and height of its square that a shape fills."""


def _stroke(pixels: int) -> float:
    """Return the width of a stroke of a letter that is `pixels` half blocks high: about two, in a large one more."""
    return max(0.235, 1.9 / (pixels + 1))


def cross(x: float, y: float, pixels: int) -> bool:
    return abs(abs(x) - abs(y)) < _stroke(pixels)


def ring(x: float, y: float, pixels: int) -> bool:
    """Cover a ring with as much ink as a cross, so that neither side looks heavier, and without a spike at its top."""
    outside = (1 - 1 / pixels) ** 2 + 0.45**2
    ink = 4 * (1 - (1 - _stroke(pixels)) ** 2)
    return outside - ink / pi < x * x + y * y < outside


def disc(x: float, y: float) -> bool:
    """Cover a disc that reaches the edges of its square: a smaller one is no longer round in a small square."""
    return hypot(x, y) < 1.16


def hollow_disc(x: float, y: float) -> bool:
    """Cover a disc with a hole, so that the two sides differ without colours."""
    return disc(x, y) and hypot(x, y) > 0.57


def stone(x: float, y: float) -> bool:
    return hypot(x, y) < 0.92


def _foot(x: float, y: float) -> bool:
    return 0.55 < y < 0.9 and abs(x) < 0.8


def pawn(x: float, y: float) -> bool:
    body = -0.2 < y < 0.6 and abs(x) < 0.22 + 0.5 * max(0.0, y)
    return hypot(x, y + 0.42) < 0.5 or body or _foot(x, y)


def pointed_pawn(x: float, y: float) -> bool:
    """Cover a pawn that is a cone without a head, so that the two sides differ by shape."""
    return (-0.9 < y < 0.6 and abs(x) < 0.16 + 0.42 * (y + 0.9)) or _foot(x, y)


LETTERS: Final = {"X": cross, "O": ring}
"""The marks with air around them: half a line above and below in a square of more than `USUAL_LEAST`, more in a large
one."""
SHAPES: Final[dict[str, Shape]] = {"W": pointed_pawn, "B": pawn, DISCS[0]: disc, DISCS[1]: hollow_disc, STONE: stone}
"""The shape of each mark. A mark without one is drawn as its letter."""
SMALL_LETTERS: Final = {
    "X": (("▀▄▀", "▄▀▄"), ("▀▄▄▀", "▄▀▀▄"), ("▝▚▄▞▘", "▗▞▀▚▖")),
    "O": (("▄▀▄", "▀▄▀"), ("▄▀▀▄", "▀▄▄▀"), ("▗▞▀▚▖", "▝▚▄▞▘")),
}
"""Letters in squares of two lines: of up to three columns, of an even number, and of an odd one."""
DRAWN_MARKS: Final = {
    (*DENSE_CELL, DISCS[0]): ("▟█▙", "▜█▛"),
    (*DENSE_CELL, DISCS[1]): ("▟▀▙", "▜▄▛"),
    (5, 3, DISCS[0]): ("▗███▖", "█████", "▝███▘"),
    (5, 3, DISCS[1]): ("▗▛▀▜▖", "█   █", "▝▙▄▟▘"),
    (5, 3, STONE): (" ▄▄▄ ", "▐███▌", " ▀▀▀ "),
    (5, 3, "X"): ("▀▄ ▄▀", " ▄▀▄ ", "▀   ▀"),
    (5, 3, "O"): ("▄▀▀▀▄", "█   █", " ▀▀▀ "),
}
"""Marks in squares of sizes in which their shape would not be seen, by columns, lines and mark."""
ROUND_MARKS: Final = frozenset([*DISCS, STONE])
"""The marks that are drawn in quarter blocks, since in half blocks a small disc looks like a plus sign."""
USUAL_LEAST: Final = 7, 3
"""The columns and lines that a shape needs."""
LEAST: Final = dict.fromkeys(DISCS, (4, 2))
"""The columns and lines that the shape of a mark needs, if that is not `USUAL_LEAST`."""


@cache  # called for each line of a board
def mark_lines(mark: str, width: int, height: int, *, solid: bool = False) -> tuple[str, ...]:
    """Return a mark as `height` strings of `width` characters: its shape where there is room, else its letter.

    With `solid`, the shape has whole blocks only, for a terminal without half blocks.
    """
    least_width, least_height = LEAST.get(mark, USUAL_LEAST)
    is_small = width < least_width or height < least_height
    if (width, height, mark) in DRAWN_MARKS and not solid:
        return DRAWN_MARKS[width, height, mark]
    if mark == STONE and is_small:
        return mark_lines(DISCS[0], width, height, solid=solid)
    if mark in SMALL_LETTERS and height == 2 and width > height and not solid:
        form = 0 if width <= USUAL_LEAST[1] else 1 + width % 2
        return tuple(line.center(width) for line in SMALL_LETTERS[mark][form])
    if is_small or mark not in {*SHAPES, *LETTERS}:
        return tuple(mark.center(width) if row == height // 2 else " " * width for row in range(height))
    return _shape_lines(mark, width, height, solid=solid)


def _shape_lines(mark: str, width: int, height: int, *, solid: bool) -> tuple[str, ...]:
    """Return the shape of a mark in quarter blocks, or with `solid` in whole blocks."""
    _, least_height = LEAST.get(mark, USUAL_LEAST)
    air = height // 7 + (1 if height > least_height else 0)
    letter_pixels = 2 * (height - air)  # half blocks
    shape_size = SHAPE_SHARE * min(width, 2 * height)
    least_ink = 2 if height >= USUAL_LEAST[1] else 3  # quarters of a whole block: in a small ring, its hole stays open
    offset = 0.5 if mark in ROUND_MARKS else 0.0  # from the middle of a half block to the points of its two quarters

    def has_ink(column: int, line: int, quarter: int) -> bool:
        x = 2 * column + 1 - width + (offset if quarter % 2 else -offset)
        y = 2 * (2 * line + quarter // 2) + 1 - 2 * height
        if mark not in LETTERS:
            return SHAPES[mark](x / shape_size, y / shape_size)
        if abs(y) >= letter_pixels or abs(x) > letter_pixels:
            return False
        return LETTERS[mark](x / (letter_pixels + 1), y / letter_pixels, letter_pixels)

    def block(column: int, line: int) -> str:
        quarters = sum(1 << quarter for quarter in range(4) if has_ink(column, line, quarter))
        if solid:
            return QUARTERS[-1] if quarters.bit_count() >= least_ink else QUARTERS[0]
        return QUARTERS[quarters]

    return tuple("".join(block(column, line) for column in range(width)) for line in range(height))
