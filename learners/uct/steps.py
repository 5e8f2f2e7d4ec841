"""A Monte-Carlo tree search step by step: a step is a phase of a playout."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.game import Game, MoveSequence, Outcome, Position
from engine.search import require_running
from learners.uct.interpreted import Interpreted, PhaseKind
from learners.uct.kernel_tables import OPEN, WIN
from learners.uct.search import generator_for


@dataclass(frozen=True)
class UctNode:
    path: MoveSequence
    position: Position
    visits: int = 0
    worth: float = 0.0
    """What it is worth to the side that made the move to it: see `learners.uct.result`."""
    proven: bool = False


@dataclass(frozen=True)
class UctStep:
    kind: PhaseKind
    path: MoveSequence
    """The node of the step: the last one that the playout passes."""
    nodes: tuple[UctNode, ...]
    """The nodes that the step reaches or changes, as they are after it, parents first."""
    moves: MoveSequence = ()
    """The random moves of a playout, or the moves of a node that is expanded."""
    outcome: Outcome | None = None

    @property
    def node(self) -> UctNode:
        return next(node for node in self.nodes if node.path == self.path)


def uct_steps(game: Game, position: Position, playouts: int) -> Iterator[UctStep]:
    """Return the steps of a search, in order. Raises `BadText` where the game is over."""
    require_running(game, position)
    return _steps(Interpreted(game, position, playouts, generator_for(game, position, 0)), playouts)


def _steps(runner: Interpreted, playouts: int) -> Iterator[UctStep]:

    nodes, paths = runner.nodes, {0: MoveSequence()}

    def seen(node: int) -> UctNode:
        visits, proven = int(nodes.visits[node]), int(nodes.proven[node])
        worth = proven / WIN if proven != OPEN else int(nodes.points[node]) / (WIN * visits) if visits else 0.0
        return UctNode(paths[node], runner.positions[node], visits, worth, proven != OPEN)

    def expansion(node: int) -> UctStep:
        """Return the step that expands a node. Of the children, `nodes` has only those that the expansion proves."""
        first = int(nodes.first[node])
        children = range(first, first + int(nodes.children[node]))
        for child in children:
            paths[child] = (*paths[node], int(nodes.move[child]))
        proven = [seen(child) for child in children if nodes.proven[child] != OPEN]
        moves = tuple(sorted(paths[child][-1] for child in children))
        return UctStep(PhaseKind.EXPANSION, paths[node], (seen(node), *proven), moves)

    runner.run(0)
    yield expansion(0)
    for _ in range(playouts):
        if nodes.proven[0] != OPEN:
            return
        for phase in runner.playout():
            passed = nodes.path[: phase.plies + 1].tolist()
            if phase.kind is PhaseKind.EXPANSION:
                yield expansion(passed[-1])
                continue
            shown = passed if phase.kind is PhaseKind.BACKUP else passed[-1:]
            yield UctStep(phase.kind, paths[passed[-1]], tuple(map(seen, shown)), phase.moves, phase.outcome)
