"""The shape of a large board: the size of its squares, the lines between them, and its marks in blocks."""

from bisect import bisect
from collections.abc import Callable
from functools import cache
from itertools import accumulate, pairwise
from math import hypot, pi
from typing import Final

from textual.geometry import Region, Size

from engine.game import Game

LARGEST: Final = 13
"""The lines of the largest square: on a vast screen, more is shown beside a board, and not a larger board."""
CELL_SIZES: Final = (
    *((2 * height - 1, height) for height in range(LARGEST, 6, -1)),
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
DENSE: Final = 3, 2
"""The size of squares between whose rows a board on which pieces fall has no lines, so that they are discs still."""
WALL: Final = "|"
"""The mark of the gap between two boards."""
GAP: Final = 1
"""The columns of a gap between two boards, besides those of the lines at its sides."""
GUTTER: Final = 2
"""The columns left of the board, for the numbers of the rows, unless pieces fall: then a move is only a column. One
line below the board has the letters of the columns, unless its rows are heaps."""


@cache
def walls(game: Game) -> frozenset[int]:
    """Return the columns of a board that are only the gap between two boards."""
    cells, columns = game.board.cells(game.start), game.board.columns
    return frozenset(
        column for column in range(columns) if all(each and each.mark == WALL for each in cells[column::columns])
    )


def gutter_width(game: Game) -> int:
    """Return the columns left of a board."""
    return 0 if game.board.discs and not game.board.heaps else GUTTER


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
    parts = [" " * GAP if column in walls(game) else line * width for column in range(game.board.columns)]
    joined = "".join(f"{line_left_of(game, at, '┼')}{part}" for at, part in enumerate(parts[1:], 1))
    return " " * gutter_width(game) + parts[0] + joined


def letters_below(game: Game, width: int) -> str:
    """Return the line below a board: the letter of each column of squares of `width`."""
    names = ("" if column in walls(game) else chr(ord("a") + column) for column in range(game.board.columns))
    rooms = (end - start - 1 for start, end in pairwise(column_starts(game, width)))
    return " " * gutter_width(game) + "".join(f"{name:^{room}} " for name, room in zip(names, rooms, strict=True))


def row_pitch(game: Game, width: int, height: int) -> int:
    """Return the lines from one row of squares to the next one."""
    falls = game.board.discs and not game.board.heaps
    return height if falls and (width, height) == DENSE else height + 1


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
    letters = 1
    return Size(
        column_starts(game, width)[-1] - 1, (game.board.rows - 1) * row_pitch(game, width, height) + height + letters
    )


@cache  # called for each line of the board
def largest_cell(game: Game, room: Size) -> tuple[int, int]:
    """Return the columns and lines of a square: the largest size with which the board fits into `room`."""
    sizes = ((board_size(game, *cell), cell) for cell in CELL_SIZES)
    fitting = (cell for size, cell in sizes if size.width <= room.width and size.height <= room.height)
    return next(fitting, CELL_SIZES[-1])


Shape = Callable[[float, float], bool]
"""Whether a shape covers the point (x, y). In its square, x and y run from −1 to 1; y points down."""

DISCS: Final = ("●", "○")
"""The discs of the two sides."""
STONE: Final = "•"
"""A stone of a heap where there is room for air around it; elsewhere it is a disc."""
QUARTERS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""The block of each set of quarters: 1 for the upper left one, 2 for the upper right one, then 4 and 8 below."""
FILLED: Final = 0.9
"""The share of the width and height of its square that a shape fills."""


def _stroke(pixels: int) -> float:
    """Return the width of a stroke of a letter that is `pixels` half blocks high: about two, in a large one more."""
    return max(0.235, 1.9 / (pixels + 1))


def cross(x: float, y: float, pixels: int) -> bool:
    return abs(abs(x) - abs(y)) < _stroke(pixels)


def ring(x: float, y: float, pixels: int) -> bool:
    """Return a ring with as much ink as a cross, so that neither side looks heavier, and without a spike at its top."""
    outside = (1 - 1 / pixels) ** 2 + 0.45**2
    ink = 4 * (1 - (1 - _stroke(pixels)) ** 2)
    return outside - ink / pi < x * x + y * y < outside


def disc(x: float, y: float) -> bool:
    """Return a disc that reaches the edges of its square: a smaller one is no longer round in a small square."""
    return hypot(x, y) < 1.16


def hollow_disc(x: float, y: float) -> bool:
    """Return a disc with a hole, so that the two sides differ without colours."""
    return disc(x, y) and hypot(x, y) > 0.57


def stone(x: float, y: float) -> bool:
    return hypot(x, y) < 0.92


def _foot(x: float, y: float) -> bool:
    return 0.55 < y < 0.9 and abs(x) < 0.8


def pawn(x: float, y: float) -> bool:
    body = -0.2 < y < 0.6 and abs(x) < 0.22 + 0.5 * max(0.0, y)
    return hypot(x, y + 0.42) < 0.5 or body or _foot(x, y)


def pointed_pawn(x: float, y: float) -> bool:
    """Return a pawn that is a cone without a head, so that the two sides differ by shape."""
    return (-0.9 < y < 0.6 and abs(x) < 0.16 + 0.42 * (y + 0.9)) or _foot(x, y)


LETTERS: Final = {"X": cross, "O": ring}
"""The marks that leave air around them, half a line where the square has more lines than `USUAL_LEAST`, and more in a
large one."""
SHAPES: Final[dict[str, Shape]] = {"W": pointed_pawn, "B": pawn, DISCS[0]: disc, DISCS[1]: hollow_disc, STONE: stone}
"""The shape of each mark. A mark without one is drawn as its letter."""
SMALL: Final = {
    "X": (("▀▄▀", "▄▀▄"), ("▀▄▄▀", "▄▀▀▄"), ("▝▚▄▞▘", "▗▞▀▚▖")),
    "O": (("▄▀▄", "▀▄▀"), ("▄▀▀▄", "▀▄▄▀"), ("▗▞▀▚▖", "▝▚▄▞▘")),
}
"""Letters in squares of two lines: of up to three columns, of an even number, and of an odd one."""
DRAWN: Final = {
    (*DENSE, DISCS[0]): ("▟█▙", "▜█▛"),
    (*DENSE, DISCS[1]): ("▟▀▙", "▜▄▛"),
    (5, 3, DISCS[0]): ("▗███▖", "█████", "▝███▘"),
    (5, 3, DISCS[1]): ("▗▛▀▜▖", "█   █", "▝▙▄▟▘"),
    (5, 3, STONE): (" ▄▄▄ ", "▐███▌", " ▀▀▀ "),
    (5, 3, "X"): ("▀▄ ▄▀", " ▄▀▄ ", "▀   ▀"),
    (5, 3, "O"): ("▄▀▀▀▄", "█   █", " ▀▀▀ "),
}
"""Marks in squares of sizes in which their shape would not be seen, by columns, lines and mark."""
ROUND: Final = frozenset([*DISCS, STONE])
"""The marks that are drawn in quarter blocks, since in half blocks a small disc looks like a plus sign."""
LEAST: Final = dict.fromkeys(DISCS, (4, 2))
"""The columns and lines that a shape needs, if that is not `USUAL_LEAST`."""
USUAL_LEAST: Final = 7, 3
"""The columns and lines that a shape needs."""


@cache  # called for each line of a board
def mark_lines(mark: str, width: int, height: int, *, solid: bool = False) -> tuple[str, ...]:
    """Return a mark as `height` strings of `width` characters: its shape where there is room, else its letter.

    With `solid`, the shape has whole blocks only, for a terminal without half blocks.
    """
    least_width, least_height = LEAST.get(mark, USUAL_LEAST)
    if (width, height, mark) in DRAWN and not solid:
        return DRAWN[width, height, mark]
    if mark == STONE and (width < least_width or height < least_height):
        return mark_lines(DISCS[0], width, height, solid=solid)
    if mark in SMALL and height == 2 and width > height and not solid:
        form = 0 if width <= USUAL_LEAST[1] else 1 + width % 2
        return tuple(line.center(width) for line in SMALL[mark][form])
    if mark not in {*SHAPES, *LETTERS} or width < least_width or height < least_height:
        return tuple(mark.center(width) if row == height // 2 else " " * width for row in range(height))
    pixels, side = 2 * (height - (height > least_height) - height // 7), FILLED * min(width, 2 * height)
    least_ink = 2 if height >= USUAL_LEAST[1] else 3  # quarters of a whole block: in a small ring, its hole stays open
    apart = 0.5 if mark in ROUND else 0.0  # of two points in a half block: from its middle to theirs

    def inked(column: int, line: int, quarter: int) -> bool:
        x = 2 * column + 1 - width + (apart if quarter % 2 else -apart)
        y = 2 * (2 * line + quarter // 2) + 1 - 2 * height
        if mark in LETTERS:
            return abs(y) < pixels and abs(x) <= pixels and LETTERS[mark](x / (pixels + 1), y / pixels, pixels)
        return SHAPES[mark](x / side, y / side)

    def block(column: int, line: int) -> str:
        ink = sum(inked(column, line, quarter) << quarter for quarter in range(4))
        return QUARTERS[15 * (ink.bit_count() >= least_ink) if solid else ink]

    return tuple("".join(block(column, line) for column in range(width)) for line in range(height))
