"""Playouts by the methods of a game: slower than compiled ones, but for any game, and one phase at a time."""

from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from engine.game import Game, Move, MoveSequence, Outcome, Position
from learners.core.generator import draw_below
from learners.core.kernel_tables import Counts
from learners.uct.kernel_tables import DRAW, LOSS, OPEN, WIN, new_nodes

MAX_NODES: Final = 2_000_000
"""The maximum number of nodes of a tree, about 90 MB. A tree of that size stops growing."""


class PhaseKind(Enum):
    """The phases of a playout, in order."""

    SELECTION = "selection"
    """Goes down the tree to a node that is not expanded."""
    EXPANSION = "expansion"
    """Adds the children of the node."""
    SIMULATION = "simulation"
    """Plays at random to the end of the game."""
    BACKUP = "backup"
    """Counts the outcome in every node of the path, and proves what follows from it."""


class Phase(NamedTuple):
    kind: PhaseKind
    plies: int
    """The number of plies from the root to the last node of the path."""
    moves: MoveSequence = ()
    """The random moves of a simulation."""
    outcome: Outcome | None = None


class Interpreted:
    """Makes the moves of playouts by the methods of the game."""

    first_slice = 1
    """The playouts of the first slice, before it is known how long one takes."""

    def __init__(self, game: Game, position: Position, playouts: int, generator: Counts) -> None:
        from learners.uct import kernel

        self.game, self.kernel, self.generator = game, kernel, generator
        self.positions = [position]
        widest = len(game.moves(position))
        self.nodes = new_nodes(min(MAX_NODES, 1 + 2 * widest * playouts), game.longest)

    def run(self, playouts: int) -> int:
        if not self.nodes.children[0]:
            self._expand(0)
        for done in range(playouts):
            if self.nodes.proven[0] != OPEN:
                return done
            for _ in self.playout():
                pass
        return playouts

    def playout(self) -> Iterator[Phase]:
        """Run one playout, as `learners.uct.kernel.run_playouts` does, and yield each phase when it is over."""
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
            moves, outcome = self._simulate(position)
            points = points_of(outcome, self.game.side(position).other)
            yield Phase(PhaseKind.SIMULATION, plies, moves, outcome)
        kernel.back_up(nodes, plies, points)
        yield Phase(PhaseKind.BACKUP, plies)

    def _expand(self, node: int) -> bool:
        """Add the children of a node; return whether there was room for them."""
        successors = self.game.successors(self.positions[node])
        first = len(self.positions)
        if first + len(successors) > len(self.nodes.visits):
            return False
        mover = self.game.side(self.positions[node])
        for move, _, outcome in successors:
            proven = OPEN if outcome is None else points_of(outcome, mover)
            self.kernel.add_child(self.nodes, node, move, 0, 0, proven, self.generator)
        self.kernel.prove_by_children(self.nodes, node)
        position_after = {move: after for move, after, _ in successors}
        moves = self.nodes.move[first : first + len(successors)].tolist()
        self.positions += [position_after[move] for move in moves]
        return True

    def _simulate(self, position: Position) -> tuple[MoveSequence, Outcome]:
        moves, outcome = list[Move](), None
        while outcome is None:
            successors = self.game.successors(position)
            move, position, outcome = successors[draw_below(self.generator, len(successors))]
            moves.append(move)
        return tuple(moves), outcome

    def move(self, position: Position, number: int) -> Move:
        return number


def points_of(outcome: Outcome, side: int) -> int:
    """Return the points of an outcome for a side: see `learners.uct.kernel_tables`."""
    if outcome is Outcome.DRAW:
        return DRAW
    return WIN if outcome == side else LOSS
