"""How deep a search may look: the list of depths of a game, and the one to begin with."""

from typing import Final

from engine.game import Game, Position

ENDS: Final = 0
"""In the list of depths: to the ends."""
SHALLOW: Final = 2
"""The depth to begin with where a search to the ends is long."""
SHORT: Final = 5
"""How many squares may be empty for a search to the ends to be short."""
DEEPEST: Final = 6
"""The largest depth offered for a game that is not numbered."""


def depths_of(game: Game) -> list[tuple[str, int]]:
    most = game.longest if game.numbered else DEEPEST
    ahead = [(f"{depth} {'move' if depth == 1 else 'moves'} ahead", depth) for depth in range(1, most + 1)]
    return [("to the ends", ENDS), *ahead] if game.numbered else ahead


def first_depth(game: Game, position: Position) -> int:
    """As deep as can well be looked through."""
    empty = sum(piece is None for piece in game.board.cells(position))
    return ENDS if game.numbered and empty <= SHORT else SHALLOW
