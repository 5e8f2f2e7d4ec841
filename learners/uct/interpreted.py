"""Playouts by the rules of a game itself: of any game, one phase at a time, and slowly."""

from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from engine.game import Game, Move, Outcome, Path, Position
from learners.core.generator import draw_below
from learners.core.kernel_tables import Counts

MOST_NODES: Final = 2_000_000
"""The most nodes of a tree, about 90 MB; a larger tree does not grow any more."""


class PhaseKind(Enum):
    """The phases of an iteration, in their order."""

    SELECTION = "selection"
    """It goes down the tree to a node that is not expanded."""
    EXPANSION = "expansion"
    """It adds the children of the node."""
    SIMULATION = "simulation"
    """It plays at random to the end of the game."""
    BACKUP = "backup"
    """It counts the outcome in every node of its path, and proves what follows."""


class Phase(NamedTuple):
    """A phase of an iteration."""

    kind: PhaseKind
    plies: int
    """The plies from the root to its node."""
    moves: Path = ()
    """The random moves."""
    outcome: Outcome | None = None
    """How the game ended by them."""


class Interpreted:
    """Plays by the rules of the game itself: any game, and slowly."""

    first_slice = 1

    def __init__(self, game: Game, position: Position, playouts: int, generator: Counts) -> None:
        """Begin with the root."""
        from learners.uct import kernel
        from learners.uct.kernel_tables import new_nodes

        self.game, self.kernel, self.generator = game, kernel, generator
        self.positions = [position]
        """The position of each node."""
        widest = len(game.moves(position))
        self.nodes = new_nodes(min(MOST_NODES, 1 + 2 * widest * playouts), game.longest)

    def run(self, times: int) -> int:
        """As in `_Player`."""
        from learners.uct.kernel_tables import OPEN

        if not self.nodes.children[0]:
            self._expand(0)
        for done in range(times):
            if self.nodes.proven[0] != OPEN:
                return done
            for _ in self.iterate():
                pass
        return times

    def iterate(self) -> Iterator[Phase]:
        """Run one iteration, as `learners.uct.kernel.iterate` does, and yield each of its phases once it is over."""
        from learners.uct.kernel_tables import OPEN

        nodes, kernel = self.nodes, self.kernel
        plies = kernel.descend(nodes)
        node = int(nodes.path[plies])
        yield Phase(PhaseKind.SELECTION, plies)
        if nodes.visits[node] and self._expand(node):
            yield Phase(PhaseKind.EXPANSION, plies)
            if nodes.proven[node] == OPEN:
                node = kernel.next_child(nodes, node)
                plies += 1
                nodes.path[plies] = node
        points = int(nodes.proven[node])
        if points == OPEN:
            position = self.positions[node]
            moves, outcome = self._playout(position)
            points = points_of(outcome, self.game.side(position).other)
            yield Phase(PhaseKind.SIMULATION, plies, moves, outcome)
        kernel.back_up(nodes, plies, points)
        yield Phase(PhaseKind.BACKUP, plies)

    def _expand(self, node: int) -> bool:
        """Add the children of a node, if there is room."""
        from learners.uct.kernel_tables import OPEN

        successors = self.game.successors(self.positions[node])
        first = len(self.positions)
        if first + len(successors) > len(self.nodes.visits):
            return False
        mover = self.game.side(self.positions[node])
        for move, _, outcome in successors:
            proven = OPEN if outcome is None else points_of(outcome, mover)
            self.kernel.add_child(self.nodes, node, move, 0, 0, proven, self.generator)
        self.kernel.settle(self.nodes, node)
        reached = {move: after for move, after, _ in successors}
        self.positions += [reached[move] for move in self.nodes.move[first : first + len(successors)].tolist()]
        return True

    def _playout(self, position: Position) -> tuple[Path, Outcome]:
        """Play random moves to the end of the game."""
        moves, outcome = list[Move](), None
        while outcome is None:
            successors = self.game.successors(position)
            move, position, outcome = successors[draw_below(self.generator, len(successors))]
            moves.append(move)
        return tuple(moves), outcome

    def move(self, position: Position, number: int) -> Move:
        """As in `_Player`."""
        return number


def points_of(outcome: Outcome, side: int) -> int:
    """The points of a side: see `learners.uct.kernel_tables`."""
    return 1 if outcome is Outcome.DRAW else 2 * (outcome == side)
