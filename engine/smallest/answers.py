"""The fewest positions in which a player must have a fixed answer so that it never loses, with a proof.

    answer     a move that is stored for a position: there the player plays it and nothing else
    elsewhere  the edges that the player may play in a position without an answer: all legal moves, or the support of
               the policy of an agent. The opponent may play anything at any time.
    node       a class of symmetric positions, or a single position. An answer holds for all positions of its node,
               turned along. The edges of the first position of each node lead from node to node.

An integer program decides. It has a variable for each node, whether play can come there, and one for each answer. Play
begins at the start; it continues by every move of the opponent, by every answer, and from a node without an answer by
all edges of `elsewhere`; and it must never come to a node that is lost. Nodes from which the player cannot lose even
without answers are left out, unless they are counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic
from typing import Final

import numpy as np

from engine.game import BadText, Move, Position, Side
from engine.smallest.integer_program import IntegerProgram
from engine.solve import Mask, values
from engine.space import RUNNING, Int32, Space
from engine.stop import Stop, never

SECONDS: Final = 120.0
"""The default time limit of the solver, in seconds."""
Node = int
Edge = int


class Counting(StrEnum):
    DECISIONS = "decisions"
    """Each answer. In a position without one the player plays as `elsewhere` says."""
    BOARDS = "boards"
    """Each position in which the player can come to move. There is an answer in every one."""
    PUBLISHED = "published"
    """`BOARDS`, and each board that the opponent finishes (C. Lomont, "Minimal size tic tac toe trees")."""


@dataclass(frozen=True)
class FewestAnswers:
    moves: Mapping[Position, Move]
    """The move to play in each position with an answer, one position for each node."""
    entries: int
    """The number of entries: the answers, and with `Counting.PUBLISHED` the finished boards."""
    bound: int
    """The proved lower bound: no player that never loses has fewer entries."""
    seconds: float

    @property
    def proved(self) -> bool:
        return self.entries == self.bound


class CannotHold(BadText):
    """The side loses against best play, whatever it remembers."""


@dataclass(frozen=True, eq=False)
class _Nodes:
    row: Int32
    """The first position of each node, by which it is known; the start of the game belongs to node 0."""
    own: Mask
    """Whether the player is to move, or would be if the game was not over."""
    over: Mask
    lost: Mask
    """Whether best play of the opponent wins."""
    ways: list[dict[Edge, Node]]
    """For each node, the nodes to which its edges lead, with one edge of each class."""
    elsewhere: list[set[Edge]]
    """The edges of each node that the player may play without an answer."""


def fewest_answers(  # noqa: PLR0913  each says what is asked for
    space: Space,
    side: Side,
    elsewhere: Mask | None = None,
    *,
    symmetric: bool = True,
    counting: Counting = Counting.DECISIONS,
    seconds: float = SECONDS,
    stop: Stop = never,
) -> FewestAnswers | None:
    """Return the fewest answers with which `side` never loses; `None` if none are found within `seconds`.

    `elsewhere` is a mask of edges, shape (m,): what the player may play without an answer, and any legal move if it is
    `None`. Where it allows nothing, the player needs an answer. With `symmetric`, an answer serves all positions that
    are symmetric to its own, and what `elsewhere` allows in one of them it allows in all. To mend an agent that need
    not be symmetric, pass `policy > 0` and `symmetric=False`: `moves` are then the fewest positions in which it must
    answer otherwise.

    Raises `CannotHold` if best play beats the side, `NoSolver` without the solver, and `Stopped` once `stop()` is true.
    """
    start = monotonic()
    if elsewhere is None:
        elsewhere = np.ones(len(space.move), np.bool_)
    nodes = _nodes(space, side, elsewhere, symmetric=symmetric)
    if nodes.lost[0]:
        marks = space.game.mark(side), space.game.mark(side.other)
        raise CannotHold("{} loses against best play, whatever it remembers: ask for {} alone".format(*marks))
    everywhere = counting is not Counting.DECISIONS
    relevant = (_may_lose(nodes) | everywhere) & ~nodes.lost
    if not relevant[0]:
        return FewestAnswers({}, 0, 0, monotonic() - start)
    counted = nodes.own & nodes.over & (counting is Counting.PUBLISHED)
    program = IntegerProgram()
    reached = {node: program.variable(int(counted[node])) for node in np.flatnonzero(relevant).tolist()}
    program.require([reached[0]], [], 1)
    answers = dict[int, Edge]()
    for node, node_reached in reached.items():
        if nodes.own[node] and not nodes.over[node]:
            answers |= _add_answers(program, nodes, node, reached, always=everywhere)
        else:
            for after in set(nodes.ways[node].values()) & reached.keys():
                program.require([reached[after]], [node_reached])
    first_answers = []
    if nodes.own[0]:
        first_answers = [variable for variable, edge in answers.items() if edge in nodes.ways[0]]
    solution = program.minimum_by_choice(first_answers, seconds, stop)
    if solution is None:
        return None
    edges = sorted(edge for variable, edge in answers.items() if solution.values[variable] > 0.5)
    moves = {int(space.position[space.source[edge]]): int(space.move[edge]) for edge in edges}
    return FewestAnswers(moves, solution.cost, solution.bound, monotonic() - start)


def _add_answers(
    program: IntegerProgram, nodes: _Nodes, node: Node, reached: Mapping[Node, int], *, always: bool
) -> dict[int, Edge]:
    """Add a variable for each answer in a node, and the rows of where play goes on; return the edges by variable."""
    after = {edge: target for edge, target in nodes.ways[node].items() if not nodes.lost[target]}
    safe = [edge for edge, target in after.items() if target not in reached]
    answers = {edge: program.variable(1, whole=True) for edge in safe[:1] or after}  # one is as good as any
    for edge, answer in answers.items():
        if after[edge] in reached:
            program.require([reached[after[edge]]], [answer])
    allowed = nodes.elsewhere[node]
    if always or not allowed or not allowed <= after.keys():
        program.require([*answers.values()], [reached[node]])
    else:
        for edge in allowed:
            if after[edge] in reached:
                others = [answer for each, answer in answers.items() if each != edge]
                program.require([reached[after[edge]], *others], [reached[node]])
    return {answer: edge for edge, answer in answers.items()}


def _nodes(space: Space, side: Side, elsewhere: Mask, *, symmetric: bool) -> _Nodes:
    node_of = space.position_class if symmetric else np.arange(len(space.position), dtype=np.int32)
    class_of = space.edge_class if symmetric else np.arange(len(space.move), dtype=np.int32)
    row = np.unique(node_of, return_index=True)[1].astype(np.int32)
    allowed = np.bincount(class_of, elsewhere) > 0
    ways, permitted = list[dict[Edge, Node]](), list[set[Edge]]()
    for first, end in zip(space.first_edge[row].tolist(), space.first_edge[row + 1].tolist(), strict=True):
        edges = {int(class_of[edge]): edge for edge in range(end - 1, first - 1, -1)}
        ways.append({edge: int(node_of[space.target[edge]]) for edge in sorted(edges.values())})
        permitted.append({edge for kind, edge in edges.items() if allowed[kind]})
    lost = values(space)[row] * (1 if side is Side.FIRST else -1) < 0
    return _Nodes(row, space.side[row] == side, space.outcome[row] != RUNNING, lost, ways, permitted)


def _may_lose(nodes: _Nodes) -> Mask:
    """Return whether a player without any answer may lose from each node on: nodes that follow have larger numbers."""
    risky = nodes.lost.copy()
    for node in reversed(range(len(risky))):
        open_edges = nodes.elsewhere[node] if nodes.own[node] else nodes.ways[node].keys()
        has_no_move = nodes.own[node] and not nodes.over[node] and not open_edges
        risky[node] |= has_no_move or any(risky[nodes.ways[node][edge]] for edge in open_edges)
    return risky
