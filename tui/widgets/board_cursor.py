"""Where the cursor of a board can stand, the squares that it points at, and the squares that the digits pick."""

from collections.abc import Collection, Sequence

from engine.game import Game, Move, Position
from tui.widgets.board_shape import walls


def middle_of(game: Game) -> int:
    """Return the square in the middle, where the cursor starts; of two boards, in the middle of the first."""
    columns = min(walls(game), default=game.board.columns)
    return game.board.rows // 2 * game.board.columns + columns // 2


def cursor_squares(game: Game, position: Position) -> list[int]:
    """Return the squares on which the cursor can stand: in heaps, those with a stone, as long as there are any."""
    cells = game.board.cells(position)
    if game.board.heaps:
        stones = [square for square, piece in enumerate(cells) if piece is not None]
        if stones:
            return stones
    return list(range(len(cells)))


def nearest_cursor_square(game: Game, position: Position, square: int) -> int:
    """Return the square on which the cursor can stand that is nearest to `square`, preferably in its row."""
    columns = game.board.columns
    row, column = divmod(square, columns)
    return min(
        cursor_squares(game, position), key=lambda each: (abs(each // columns - row), abs(each % columns - column))
    )


def cursor_after_arrow(game: Game, position: Position, cursor: int, down: int, right: int) -> int:
    """Return the square to which the arrows move the cursor: beyond an edge, to the other side of the board."""
    columns = game.board.columns
    row, column = divmod(cursor, columns)
    rows = sorted({square // columns for square in cursor_squares(game, position)})
    row = rows[(rows.index(row) + down) % len(rows)]
    column = (column + right) % columns
    if column in walls(game):
        column += right
    return row * columns + column


def squares_pointed_at(game: Game, position: Position, cursor: int) -> set[int]:
    """Return the squares that the cursor points at; in a heap, those of all stones that would be taken."""
    square, cells = game.board.pointed(position, cursor), game.board.cells(position)
    if not game.board.heaps or cells[square] is None:
        return {square}
    row_end = (square // game.board.columns + 1) * game.board.columns
    return {each for each in range(square, row_end) if cells[each] is not None}


def squares_of_move(game: Game, position: Position, move: Move) -> tuple[int, ...]:
    """Return the squares that stand for a move: those to point at; in a heap, those of all stones that it takes."""
    squares = game.board.squares(position, move)
    if not game.board.heaps:
        return squares
    return tuple(sorted(squares_pointed_at(game, position, squares[-1])))


def squares_of_digits(game: Game, position: Position, cursor: int, open_squares: Collection[int]) -> Sequence[int]:
    """Return the squares that the digits pick, in order: all squares, or if they are too many, those of one row.

    That is the row of the cursor, or the nearest row in which a square can be picked. In a heap, the digit n
    picks the stone that takes n stones.
    """
    columns, rows = game.board.columns, game.board.rows
    cursor_row = cursor // columns
    if game.board.heaps:
        return [square for square in reversed(cursor_squares(game, position)) if square // columns == cursor_row]
    if rows * columns <= len("123456789"):
        return range(rows * columns)
    open_rows = [square // columns for square in open_squares]
    row = min(open_rows, key=lambda each: abs(each - cursor_row), default=cursor_row)
    return [row * columns + column for column in range(columns) if column not in walls(game)]
