"""The symmetries of a board in words."""

from functools import cache

from engine.game import Game
from engine.grid import Symmetry


@cache
def _names(rows: int, columns: int) -> dict[Symmetry, str]:
    """Return the name of each symmetry of a board; those of a square only for a square board."""
    low, last = rows - 1, columns - 1
    places = [divmod(square, columns) for square in range(rows * columns)]
    goals = {
        "as it is": [(row, column) for row, column in places],
        "given a half turn": [(low - row, last - column) for row, column in places],
        "with left and right exchanged": [(row, last - column) for row, column in places],
        "with top and bottom exchanged": [(low - row, column) for row, column in places],
    }
    if rows == columns:
        goals |= {
            "given a quarter turn clockwise": [(column, low - row) for row, column in places],
            "given a quarter turn anticlockwise": [(last - column, row) for row, column in places],
            "mirrored in the falling diagonal": [(column, row) for row, column in places],
            "mirrored in the rising diagonal": [(last - column, low - row) for row, column in places],
        }
    names = dict[Symmetry, str]()
    for name, goal in goals.items():  # on a single row some of them are the same: the first name is the simplest
        names.setdefault(tuple(row * columns + column for row, column in goal), name)
    return names


def turn_words(game: Game, symmetry: Symmetry) -> str:
    """Return what a symmetry does to the board of a game, such as `given a half turn, with X and O exchanged`."""
    size = game.board.rows * game.board.columns
    squares = tuple(goal % size for goal in symmetry[:size])
    words = [_names(game.board.rows, game.board.columns).get(squares, "with its squares rearranged")]
    if symmetry[0] >= size:  # the places of the first piece are carried to those of the second
        exchanged = f"with {' and '.join(piece.mark for piece in game.board.pieces)} exchanged"
        words = [*(words if squares != tuple(range(size)) else []), exchanged]
    return ", ".join(words)
