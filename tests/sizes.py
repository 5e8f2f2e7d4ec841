"""How large tests are: games chosen by their number of positions, and tests that have a short and a long version."""

import pytest

from engine.games import SMALL_GAMES
from noughts.testing.games import QUICK, has_at_most

QUICK_GAMES = tuple(game for game in SMALL_GAMES if has_at_most(game, QUICK))
"""The games that are learned and solved in tests, whole."""

quick_game = pytest.mark.parametrize("game", QUICK_GAMES, ids=lambda game: game.name)


def short_and_long(name: str, short: object, long: object) -> pytest.MarkDecorator:
    """Run a test with one value of a parameter, and in `make long` with another as well."""
    return pytest.mark.parametrize(name, [short, pytest.param(long, marks=pytest.mark.long)])
