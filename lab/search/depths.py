"""The depths of a search that a person can choose."""

from typing import Final

from engine.game import Game, Position
from engine.search import can_search_to_end
from learners.core.plural import counted_noun

TO_THE_END: Final = 0
"""The depth that stands for a search to the end of the game."""
SHALLOW: Final = 2
"""The first depth offered if a search to the end is long."""
SHORT: Final = 400
"""The maximum number of nodes of a short search. Tic-tac-toe with five empty squares has at most 326."""
MAX_DEPTH: Final = 6
"""The largest depth offered for a game that is too large for a space."""


def depths_of(game: Game, position: Position) -> list[tuple[str, int]]:
    """The label and value of each depth that can be chosen for a search of a position."""
    most = game.longest if game.numbered else MAX_DEPTH
    ahead = [(f"{counted_noun(depth, 'move')} ahead", depth) for depth in range(1, most + 1)]
    return [("to the end", TO_THE_END), *ahead] if can_search_to_end(game, position) else ahead


def first_depth(game: Game, position: Position) -> int:
    """The depth to begin with: one at which the whole search can be followed by eye."""
    nodes, waiting = 0, [position]
    while waiting and nodes <= SHORT:
        waiting += [reached for _, reached, _ in game.successors(waiting.pop())]
        nodes += 1
    return TO_THE_END if can_search_to_end(game, position) and not waiting else SHALLOW
