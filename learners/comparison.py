"""What lies between two memories of a game, move by move: of two learners, or of one at two moments of its training."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import SAME, Policy
from engine.game import BadText
from engine.games import parse_game
from engine.solve import edge_values
from engine.stop import Stop, never
from learners import revive
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.core.training import Plan, run
from learners.rewind import rewound


@dataclass(frozen=True)
class Difference:
    """A move that two learners hold otherwise."""

    edge: int
    """Where symmetric moves share a number in both, the first of them."""
    chances: tuple[float, float]
    """How likely each of the two plays it, or one that shares its number."""
    numbers: tuple[int, int] | None
    """How much the memory of each holds for it; `None` where they are of different kinds."""
    value: int
    """What the move is worth to the side that makes it: 1, 0 or −1."""

    @property
    def given_up(self) -> bool:
        """Whether the first plays it at times and the second never."""
        return self.chances[0] > 0 and self.chances[1] <= 0


def differences(one: Learner, other: Learner) -> list[Difference]:
    """The moves that differ, those of earlier plies first, and in a position those whose chance changed most.

    Told for the sides that both play. Raises `BadText` where there is none, and for learners of different games.
    """
    if one.game is not other.game:
        raise BadText(f"one of them plays {one.game.title}, the other {other.game.title}: they have no move in common")
    sides = [side for side in one.sides if side in other.sides]
    if not sides:
        raise BadText("they play different sides: they have no move in common")
    space, own = one.space, np.arange(len(one.cell), dtype=np.int32)
    shared = np.isin(space.side, sides)[space.source]
    alike = np.array_equal(one.cell[shared], other.cell[shared])
    comparable = alike and type(one) is type(other)
    cell = np.where(shared, one.cell, own) if alike else own
    before, after = (_gathered(learner.policy(), cell, learner) for learner in (one, other))
    held = [learner.amount(learner.memory) for learner in (one, other)]
    differs = np.abs(before - after) > SAME
    if comparable:
        differs |= held[0] != held[1]
    edges = np.flatnonzero(differs & shared & (cell == own))
    source = space.source[edges]
    order = np.lexsort((space.move[edges], -np.abs(before - after)[edges], source, space.ply[source]))
    value = edge_values(space)
    return [
        Difference(
            edge=edge,
            chances=(float(before[edge]), float(after[edge])),
            numbers=(int(held[0][edge]), int(held[1][edge])) if comparable else None,
            value=int(value[edge]),
        )
        for edge in edges[order].tolist()
    ]


def _gathered(policy: Policy, cell: NDArray[np.int32], learner: Learner) -> Policy:
    """The chance of each cell: that of all moves of its position that share its number, shape (m,)."""
    source = learner.space.source
    own = np.flatnonzero(source == source[cell])
    return np.bincount(cell[own], policy[own], len(cell)).astype(np.float64)


@dataclass(frozen=True)
class Switch:
    """A moment at which a learner gave a move up, or took it up again."""

    rounds: int
    """The first moment known at which it is so."""
    since: int
    """The last moment known at which it was not."""
    edge: int
    given_up: bool


def switches(moments: Sequence[tuple[int, NDArray[np.bool_]]], edges: Iterable[int]) -> list[Switch]:
    """When each of those edges was given up or taken up again, in order of time.

    `moments` are by ascending numbers of rounds, each with the edges then open: `Learner.kept_open`.
    """
    watched = list(edges)
    return [
        Switch(rounds, since, edge, given_up=bool(before[edge]))
        for (since, before), (rounds, after) in pairwise(moments)
        for edge in watched
        if before[edge] != after[edge]
    ]


def narrowed(snapshot: Snapshot, switch: Switch, stop: Stop = never) -> Switch:
    """The same to the very round, found by training over again from the moment before; itself where it is stopped.

    Halves the stretch again and again: where the move changed back and forth in between, one of these rounds. Raises
    `BadText` for a learner that cannot be trained on from that moment.
    """
    game, low, high = parse_game(snapshot.game), switch.since, switch.rounds
    if high - low == 1:
        return switch
    learner = revive(rewound(snapshot, low), game)
    learner.catch_up(stop)
    then = learner.snapshot()
    while high - low > 1 and not stop():
        middle = (low + high) // 2
        learner = revive(then, game)
        *_, last = run(learner, Plan(middle - low), stop)
        if learner.rounds < middle:
            break
        if bool(learner.kept_open()[switch.edge]) == switch.given_up:
            low, then = middle, last.snapshot
        else:
            high = middle
    return replace(switch, rounds=high, since=low)
