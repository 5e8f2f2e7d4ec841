"""How large tests are: games chosen by their number of positions, and tests that have a short and a long version."""

import pytest

from engine.game import Game
from engine.games import SMALL_GAMES

QUICK_GAMES = tuple(game for game in SMALL_GAMES if game.name not in ("wild", "morris"))
"""The games that are learned and solved in tests, whole."""

FIRST = ("tictactoe", "hexapawn")
"""The games with which `make test` runs a test that runs with all quick games in `make long`."""


def marks_of_game(game: Game) -> tuple[pytest.MarkDecorator, ...]:
    return () if game.name in FIRST or game not in SMALL_GAMES else (pytest.mark.long,)


def with_games(*games: Game) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "game", [pytest.param(game, id=game.name, marks=marks_of_game(game)) for game in games]
    )


quick_game = with_games(*QUICK_GAMES)


def short_and_long(name: str, short: object, long: object) -> pytest.MarkDecorator:
    """Run a test with one value of a parameter, and in `make long` with another as well."""
    return pytest.mark.parametrize(name, [short, pytest.param(long, marks=pytest.mark.long)])
