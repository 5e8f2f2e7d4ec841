"""The shape of a large board: the size of its squares, and where its columns begin."""

from functools import cache
from itertools import accumulate
from typing import Final

from textual.geometry import Size

from engine.game import Game

CELL_SIZES: Final = (
    (33, 17),
    (31, 16),
    (29, 15),
    (27, 14),
    (25, 13),
    (23, 12),
    (21, 11),
    (19, 10),
    (17, 9),
    (15, 8),
    (13, 7),
    (13, 6),
    (11, 5),
    (9, 4),
    (8, 4),
    (7, 3),
    (5, 2),
    (4, 2),
    (3, 1),
    (2, 1),
    (1, 1),
)
"""The sizes that a square is drawn at, in terminal cells, largest first."""
WALL: Final = "|"
"""The mark of what stands between two boards."""
GAP: Final = 1
"""The columns of a gap between two boards, besides those of the lines at its sides."""
GUTTER: Final = 2
"""The columns left of the board, for the numbers of the rows. One line below it has the letters of the columns."""


def middle_of(game: Game) -> int:
    """Return the square in the middle, where the cursor starts."""
    return game.board.rows // 2 * game.board.columns + game.board.columns // 2


@cache
def walls(game: Game) -> frozenset[int]:
    """Return the columns of a board that are only the gap between two boards."""
    cells, columns = game.board.cells(game.start), game.board.columns
    return frozenset(
        column for column in range(columns) if all(each and each.mark == WALL for each in cells[column::columns])
    )


def starts(game: Game, width: int) -> list[int]:
    """Return where each column of squares begins, and at last where another one would, for squares of `width`."""
    widths = (GAP if column in walls(game) else width for column in range(game.board.columns))
    return [*accumulate((each + 1 for each in widths), initial=GUTTER)]


def board_size(game: Game, width: int, height: int) -> Size:
    """Return the columns and lines of a board with squares of `width` columns and `height` lines."""
    return Size(starts(game, width)[-1] - 1, game.board.rows * (height + 1) - 1 + 1)


@cache  # called for each line of the board
def largest_cell(game: Game, room: Size) -> tuple[int, int]:
    """Return the columns and lines of a square: the largest size with which the board fits into `room`."""
    sizes = ((board_size(game, *cell), cell) for cell in CELL_SIZES)
    fitting = (cell for size, cell in sizes if size.width <= room.width and size.height <= room.height)
    return next(fitting, CELL_SIZES[-1])
