"""Which games the solver of rows knows."""

from typing import Final

from engine.game import BadText, Game
from engine.games.mnk import Mnk
from engine.games.tictactoe import TicTacToe
from engine.grid_game import GridGame

SQUARES: Final = 62
"""The bits of a word of the table that are left for squares."""


def rows_of(game: Game) -> GridGame | None:
    """Return a game that the solver knows: no piece falls or is chosen, and the first to complete a row wins."""
    if not isinstance(game, Mnk | TicTacToe) or game.falls or game.chooses_piece or game.ends != GridGame.ends:
        return None
    return game if game.lines and game.size <= SQUARES else None


def require_rows(game: Game) -> GridGame:
    """Return a game that the solver knows. Raises `BadText`."""
    rows = rows_of(game)
    if rows is None:
        raise BadText(f"{game.title} has no solver of rows: it takes mnk:C,R,K of at most {SQUARES} squares")
    return rows
