"""The histories of a game, for agents that are shown the moves before a position, and may answer by them.

A tree has a node for each history. It is a `Space` in which a position occurs as often as there are orders of moves
that lead to it, so exact results are computed there as in any other space. Tic-tac-toe has 549,946 histories.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import SAME, Policy, faced_decisions, reach_probabilities
from engine.game import BadText, Game, Move, Position, Side
from engine.grid_game import GridGame
from engine.space import Space
from engine.spaces import space_of

MAX_HISTORIES: Final = 1_000_000
"""The maximum number of histories in a tree; a game with more has none."""
TRIED_ORDERS: Final = 8
"""The number of orders of the moves before a position that are tried in a game without a tree."""


@dataclass(frozen=True, eq=False)
class HistoryTree:
    """The tree of the histories of a game."""

    space: Space
    """The tree as a space: each edge leads to a target of its own."""
    known_as: NDArray[np.int32]
    """The edge of the game's own space that each edge of the tree stands for, shape (m,)."""

    def moves_to(self, row: int) -> tuple[Move, ...]:
        moves = list[Move]()
        while row:  # node k is reached by edge k - 1 alone
            moves.append(int(self.space.move[row - 1]))
            row = int(self.space.source[row - 1])
        return tuple(reversed(moves))

    def decisions(self, policy: Policy, sides: Sequence[Side]) -> NDArray[np.intp]:
        """Return the histories in which an agent with this policy has to choose a move."""
        decided = [faced_decisions(self.space, side, policy) for side in sides]
        return np.flatnonzero(np.logical_or.reduce(decided))

    def policy_by_position(self, policy: Policy, sides: Sequence[Side]) -> Policy | None:
        """Return a policy on histories as a policy on positions; `None` if it depends on the order of moves."""
        is_decision = np.zeros(len(self.space.position), np.bool_)
        is_decision[self.decisions(policy, sides)] = True
        edges = np.flatnonzero(is_decision[self.space.source])
        known_edges, chances = self.known_as[edges], policy[edges]
        edge_count = len(space_of(self.space.game).move)
        least, most = np.full(edge_count, np.inf), np.full(edge_count, -np.inf)
        np.minimum.at(least, known_edges, chances)
        np.maximum.at(most, known_edges, chances)
        if (most - least > SAME).any():
            return None
        return np.where(np.isfinite(most), most, 0.0)

    def find_two_orders(self, policy: Policy, sides: Sequence[Side]) -> tuple[int, int]:
        """Return two histories of the same position after which a policy differs: see `policy_by_position`."""
        first_rows, first_edge = dict[Position, int](), self.space.first_edge
        for row in self.decisions(policy, sides).tolist():
            other = first_rows.setdefault(int(self.space.position[row]), row)
            chances = policy[first_edge[row] : first_edge[row + 1]]
            other_chances = policy[first_edge[other] : first_edge[other + 1]]
            if np.abs(chances - other_chances).max() > SAME:
                return other, row
        raise ValueError("the policy does not depend on the order")


@lru_cache(1)
def histories_of(game: Game) -> HistoryTree | None:
    """Return the tree of the histories of a game; `None` if it has more than `MAX_HISTORIES`. Raises `TooLarge`."""
    space = space_of(game)
    if reach_probabilities(space, np.ones(len(space.move))).sum() > MAX_HISTORIES:  # each way to a position counts as 1
        return None
    layers, sources, edges = _layers_of(space)
    row, known_as = np.concatenate(layers), np.concatenate(edges)
    ply = np.repeat(np.arange(len(layers)), [len(layer) for layer in layers])
    tree = Space(
        game=game,
        position=space.position[row],
        ply=ply.astype(np.int16),
        side=space.side[row],
        outcome=space.outcome[row],
        first_edge=np.append(0, np.cumsum(np.diff(space.first_edge)[row])).astype(np.int32),
        source=np.concatenate(sources).astype(np.int32),
        move=space.move[known_as],
        target=np.arange(1, len(row), dtype=np.int32),
    )
    return HistoryTree(tree, known_as)


def _layers_of(space: Space) -> tuple[list[NDArray[np.int32]], list[NDArray[np.intp]], list[NDArray[np.int32]]]:
    """Return the histories of a game, ply by ply, and the edges that lead from each ply to the next.

    They are the row of each history's position in the space; the number of the history that each edge leads from; and
    the edge of the space.
    """
    layers, edges = [np.zeros(1, np.int32)], list[NDArray[np.int32]]()
    sources, begin = list[NDArray[np.intp]](), 0
    while True:
        layer = layers[-1]
        counts = np.diff(space.first_edge)[layer]
        if not counts.any():
            return layers, sources, edges
        source = np.repeat(np.arange(len(layer)), counts)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)  # among those of its source
        edge = space.first_edge[layer][source] + within.astype(np.int32)
        sources.append(source + begin)
        edges.append(edge)
        begin += len(layer)
        layers.append(space.target[edge])


def order_finder(game: Game) -> Callable[[Position], Collection[tuple[Move, ...]]]:
    """Return a function that finds at most `TRIED_ORDERS` orders of moves that lead to a position.

    In a large game where pieces stay where they are placed, the function finds one or two. Raises `TooLarge`.
    """
    if isinstance(game, GridGame) and game.places_pieces and (game.is_large or not game.numbered):
        return lambda position: {_placing_moves(game, position, Random(seed)) for seed in (0, 1)}  # noqa: S311  as below
    space = space_of(game)
    edges_by_target = np.argsort(space.target, kind="stable")
    first = np.searchsorted(space.target[edges_by_target], np.arange(len(space.position) + 1))
    random = Random(1)  # noqa: S311  orders of moves, not a secret

    def random_path_to(row: int) -> tuple[Move, ...]:
        moves = list[Move]()
        while row:
            edge = edges_by_target[random.randrange(first[row], first[row + 1])]
            moves.append(int(space.move[edge]))
            row = int(space.source[edge])
        return tuple(reversed(moves))

    return lambda position: {random_path_to(space.row(position)) for _ in range(TRIED_ORDERS)}


def order_error(game: Game, position: Position, one: Sequence[Move], other: Sequence[Move]) -> BadText:
    """Return the error for an agent that answers differently after two orders of the moves to the same position."""
    orders = (" ".join(map(game.move_name, order)) for order in (one, other))
    return BadText(
        f"its answer in {game.to_text(position)} depends on the order of moves: {', or '.join(orders)}\n"
        f"In {game.title} only an agent that depends on the position alone can be judged"
    )


def _placing_moves(game: GridGame, position: Position, random: Random) -> tuple[Move, ...]:
    """Return a random order in which the pieces of a position can be placed, where pieces stay where they are."""
    absent, dead_ends = ~position & game.pack(game.full, game.full, Side.FIRST), set[Position]()

    def search(start: Position) -> list[Move] | None:
        """Return the moves from a position to the wanted one; `None` if there are none."""
        if start == position:
            return []
        successors = [*game.successors(start)]
        for move, after, _ in random.sample(successors, len(successors)):
            if not after & absent and after not in dead_ends:
                moves = search(after)
                if moves is not None:
                    return [move, *moves]
        dead_ends.add(start)
        return None

    moves = search(game.start)
    if moves is None:
        raise BadText(f"play cannot reach {game.to_text(position)}")
    return tuple(moves)
