"""The result of a Monte-Carlo tree search, and the move to play by it.

worth   the value of a move for the side that makes it, from 0 for a loss to 1 for a win: exact if it is proven, else
        the mean of the playouts, in which a draw counts one half
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from engine.game import Game, Move, MoveSequence, Position, Side


@dataclass(frozen=True)
class UctMove:
    move: Move
    visits: int
    """The number of playouts that began with the move. A proven move gets no further visits."""
    worth: float
    """The worth of the move, as the module explains it; 0 if the move is neither proven nor visited."""
    proven: bool
    line: MoveSequence
    """The principal variation of the move, beginning with the move itself."""


@dataclass(frozen=True)
class UctResult:
    game: Game
    position: Position
    seed: int
    playouts: int
    """The number of playouts that were run: fewer than requested if the position was proven first."""
    nodes: int
    proven: bool
    moves: tuple[UctMove, ...]
    """Every move of the position, in the random order in which the search tries unvisited moves."""
    seconds: float = field(compare=False)
    """The time that the playouts took."""

    @property
    def best(self) -> UctMove:
        return best_move(self.moves)

    @property
    def value(self) -> float:
        """The value of the position for the first side, by the best move: 1 for a win, 0 for a draw, −1 for a loss."""
        return self.value_of(self.best)

    def value_of(self, move: UctMove) -> float:
        """Return the value of a move for the first side, from −1 for a loss to 1 for a win."""
        value = 2 * move.worth - 1
        return (value if self.game.side(self.position) is Side.FIRST else -value) + 0.0  # never -0.0

    @property
    def playouts_per_second(self) -> float:
        """The speed of the search; 0 if it took no time."""
        return self.playouts / self.seconds if self.seconds else 0.0


class Rated(Protocol):
    @property
    def visits(self) -> int:
        """As in `UctMove`."""

    @property
    def worth(self) -> float:
        """As in `UctMove`."""

    @property
    def proven(self) -> bool:
        """As in `UctMove`."""


AnyRated = TypeVar("AnyRated", bound=Rated)


def best_move(moves: Sequence[AnyRated]) -> AnyRated:
    """Return the move with the most visits, unless a move that is proven not to lose is worth at least as much.

    A move that is proven to lose is played only if all moves are. Among proven moves of the same value, the one with
    the most visits is played.
    """
    candidates = [each for each in moves if each.worth or not each.proven] or list(moves)
    proven = [each for each in candidates if each.proven]
    open_moves = [each for each in candidates if not each.proven]
    leaders = []
    if proven:
        leaders.append(max(proven, key=lambda each: (each.worth, each.visits)))
    if open_moves:
        leaders.append(max(open_moves, key=lambda each: each.visits))
    return max(leaders, key=lambda each: each.worth)
