"""The depths of a search that a person can choose."""

from typing import Final

from engine.game import Game, Position
from learners.core.plural import counted_noun

ENDS: Final = 0
"""The depth that stands for a search to the end of the game."""
SHALLOW: Final = 2
"""The first depth offered if a search to the end is long."""
SHORT: Final = 5
"""The most empty squares with which a search to the end is short."""
DEEPEST: Final = 6
"""The largest depth offered for a game that is too large for a space."""


def depths_of(game: Game) -> list[tuple[str, int]]:
    """The label and value of each depth that a game offers."""
    most = game.longest if game.numbered else DEEPEST
    ahead = [(f"{counted_noun(depth, 'move')} ahead", depth) for depth in range(1, most + 1)]
    return [("to the end", ENDS), *ahead] if game.numbered else ahead


def first_depth(game: Game, position: Position) -> int:
    """The depth to begin with: one at which the whole search can be followed by eye."""
    empty = sum(piece is None for piece in game.board.cells(position))
    return ENDS if game.numbered and empty <= SHORT else SHALLOW
