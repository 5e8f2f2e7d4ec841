"""The positions of small games, for tests that go through them."""

from engine.game import Game, Position
from engine.space import RUNNING
from engine.spaces import space_of


def running(game: Game) -> list[Position]:
    """The positions in which the game is not over, in the order of its space."""
    space = space_of(game)
    return space.position[space.outcome == RUNNING].tolist()
