"""The games of the program, one file each."""

from typing import Final

from engine.game import BadText, Game, quoted
from engine.games.connectfour import ConnectFour
from engine.games.hexapawn import Hexapawn
from engine.games.misere import Misere
from engine.games.tictactoe import TicTacToe

GAMES: Final[tuple[Game, ...]] = (TicTacToe(), Misere(), Hexapawn(), ConnectFour())
"""Every game of the program, the default first. A new game is one file and one entry here."""

SMALL_GAMES: Final = tuple(game for game in GAMES if game.numbered)
"""The games that have a `Space`, and so exact values and learners."""


def parse_game(name: str) -> Game:
    """Find a game by its name. Raises `BadText`, which lists the names."""
    for game in GAMES:
        if game.name == name:
            return game
    raise BadText(f"no game {quoted(name)}; there are {', '.join(game.name for game in GAMES)}")
