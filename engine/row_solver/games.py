"""The games that the solver of rows knows."""

from typing import Final

from engine.game import Game
from engine.games.mnk import Mnk
from engine.games.tictactoe import TicTacToe
from engine.grid_game import GridGame

SQUARES: Final = 62
"""The bits of a word of the table that are left for squares."""
SOON_SQUARES: Final = 30
"""The largest board, in squares, on which the solver takes seconds in every position; 6 × 6 can take minutes."""


def rows_of(game: Game) -> GridGame | None:
    """Return a game that the solver knows: no piece falls or is chosen, and the first to complete a row wins."""
    if not isinstance(game, Mnk | TicTacToe) or game.falls or game.chooses_piece or game.ends != GridGame.ends:
        return None
    return game if game.lines and game.size <= SQUARES else None


def is_solved_soon(game: Game) -> bool:
    rows = rows_of(game)
    return rows is not None and rows.size <= SOON_SQUARES
