"""Rules and truth: games, their whole spaces, exact values. No learning, no disk, no screen."""

from typing import Final

from engine.game import BadText, Game, quoted
from engine.games.connectfour import ConnectFour
from engine.games.hexapawn import Hexapawn
from engine.games.misere import Misere
from engine.games.tictactoe import TicTacToe

GAMES: Final[tuple[Game, ...]] = (TicTacToe(), Misere(), Hexapawn(), ConnectFour())
"""Every game of the program, the default first. A new game is one file and one entry here."""

SMALL_GAMES: Final = tuple(game for game in GAMES if game.numbered)
"""Those that are numbered whole: they have exact values, and learners can learn them."""


def parse_game(name: str) -> Game:
    """The game of that name. Raises `BadText` with the names there are."""
    for game in GAMES:
        if game.name == name:
            return game
    raise BadText(f"no game {quoted(name)}; there are {', '.join(game.name for game in GAMES)}")
