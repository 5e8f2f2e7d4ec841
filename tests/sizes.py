"""How large tests are: games chosen by their number of positions, and tests that have a short and a long version."""

import pytest

from engine.game import Game
from engine.games import SMALL_GAMES

QUICK: int = 10_000
"""A test may look at every position of a game that has no more than these."""


def has_at_most(game: Game, most: int) -> bool:
    """Whether play reaches no more than `most` positions."""
    found, waiting = {game.start}, [game.start]
    while waiting and len(found) <= most:
        after = {reached for _, reached, _ in game.successors(waiting.pop())} - found
        found |= after
        waiting += after
    return len(found) <= most


QUICK_GAMES = tuple(game for game in SMALL_GAMES if has_at_most(game, QUICK))
"""The games that are learned and solved in tests, whole."""

quick_game = pytest.mark.parametrize("game", QUICK_GAMES, ids=lambda game: game.name)


def short_and_long(name: str, short: object, long: object) -> pytest.MarkDecorator:
    """Run a test with one value of a parameter, and in `make long` with another as well."""
    return pytest.mark.parametrize(name, [short, pytest.param(long, marks=pytest.mark.long)])
