"""Compare two memories move by move: those of two learners, or of one learner at two moments of its training."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import SAME, Policy, reach_probabilities, uniform_policy
from engine.game import BadText, Side
from engine.solve import edge_values
from engine.stop import Stop, never
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.rewatching import locate_change


@dataclass(frozen=True)
class Difference:
    edge: int
    """The edge of the move. If symmetric moves share a number in both memories, the edge that holds it."""
    chances: tuple[float, float]
    """The probability with which each learner plays the move, or a move that shares its number."""
    numbers: tuple[int, int] | None
    """The number in the memory of each learner, as shown; `None` if the learners are of different kinds."""
    value: int
    """The value of the move for the side that makes it: 1, 0 or −1."""

    @property
    def given_up(self) -> bool:
        """Whether the first learner plays the move sometimes, and the second never."""
        return self.chances[0] > 0 and self.chances[1] <= 0


def differences(one: Learner, other: Learner) -> list[Difference]:
    """Return the moves that differ, by ply, then by position; in a position, the largest change of probability first.

    Only sides that both learners play are compared. Raises `BadText` if there is no such side, or the games differ.
    """
    sides = _common_sides(one, other)
    space, own = one.space, np.arange(len(one.space.move), dtype=np.int32)
    shared = np.isin(space.side, sides)[space.source]
    alike = np.array_equal(one.cell[shared], other.cell[shared])
    comparable = alike and type(one) is type(other) and not one.spec.parameters
    cell = np.where(shared, one.cell, own) if alike else own
    before, after = (_cell_probabilities(learner.policy(), cell, learner) for learner in (one, other))
    numbers = [learner.view.shown_numbers(learner.memory) for learner in (one, other)]
    differs = np.abs(before - after) > SAME
    if comparable:
        differs |= numbers[0] != numbers[1]
    edges = np.flatnonzero(differs & shared & (cell == own))
    source = space.source[edges]
    order = np.lexsort((space.move[edges], -np.abs(before - after)[edges], source, space.ply[source]))
    value = edge_values(space)
    return [
        Difference(
            edge=edge,
            chances=(float(before[edge]), float(after[edge])),
            numbers=(int(numbers[0][edge]), int(numbers[1][edge])) if comparable else None,
            value=int(value[edge]),
        )
        for edge in edges[order].tolist()
    ]


def _cell_probabilities(policy: Policy, cell: NDArray[np.int32], learner: Learner) -> Policy:
    """Return the probability of each cell: the sum over the moves of its position that share its number, shape (m,)."""
    source = learner.space.source
    own = np.flatnonzero(source == source[cell])
    return np.bincount(cell[own], policy[own], len(cell)).astype(np.float64)


@dataclass(frozen=True)
class Shift:
    """The difference in how two learners play in a position, and in all positions that are symmetric to it."""

    row: int
    """The row of the first of the symmetric positions in the space."""
    before: Mapping[int, float]
    after: Mapping[int, float]
    """For each learner, the probability of each edge of that position: the mean over the symmetric positions."""
    reaches: tuple[float, float] = (0.0, 0.0)
    """How often a game of each learner against random play reaches one of the symmetric positions, from 0 to 1."""
    values: tuple[float, float] = (0.0, 0.0)
    """The mean value that each learner gets from the position, from −1 to 1, if play is perfect after its move."""
    lost: bool = False
    """Whether every move of the position loses."""

    @property
    def reach(self) -> float:
        """How often a game of either learner, each in half of the games, reaches one of the symmetric positions."""
        return sum(self.reaches) / 2

    @property
    def weight(self) -> float:
        """How much the difference matters: how often play reaches the position, times the change of its value."""
        return self.reach * abs(self.values[1] - self.values[0])

    @property
    def size(self) -> float:
        """The share of games in which they play differently here, from 0 to 1; a resignation counts as a move."""
        resigning = abs(sum(self.before.values()) - sum(self.after.values()))
        return (sum(abs(self.before[edge] - self.after[edge]) for edge in self.before) + resigning) / 2

    @property
    def gives_up(self) -> bool:
        """Whether the first learner sometimes plays a move that the second never plays."""
        return any(self.before[edge] > SAME >= self.after[edge] for edge in self.before)


def shifts(one: Learner, other: Learner) -> list[Shift]:
    """Return the positions in which two learners play differently, those that matter most first.

    They are ordered by `Shift.weight`. Positions without weight follow, by how often play reaches them and how large
    the difference is; positions that are lost already, or that nobody reaches, come last. Only sides that both learners
    play are compared. Raises `BadText` if there is no such side, or the games differ.
    """
    sides, space = _common_sides(one, other), one.space
    before, after = (
        (np.bincount(space.edge_class, learner.policy()) / np.bincount(space.edge_class))[space.edge_class]
        for learner in (one, other)
    )
    differs = np.isin(space.side, sides)[space.source] & (np.abs(before - after) > SAME)
    first_rows = np.unique(space.position_class, return_index=True)[1]
    reaches, value, uniform = np.zeros((2, len(space.position))), edge_values(space), uniform_policy(space)
    for side in sides:
        is_own = space.side == side
        for number, policy in enumerate((before, after)):
            both_sides = np.where(is_own[space.source], policy, uniform)
            reaches[number] += np.where(is_own, reach_probabilities(space, both_sides), 0.0)
    by_class = [np.bincount(space.position_class, reach) for reach in reaches]
    result = []
    for row in np.intersect1d(first_rows, space.source[differs]).tolist():
        edges = space.edges_from(row)
        one_plays, other_plays = ({edge: float(policy[edge]) for edge in edges} for policy in (before, after))
        values = _mean_value(one_plays, value), _mean_value(other_plays, value)
        lost = max(int(value[edge]) for edge in edges) < 0
        kind = int(space.position_class[row])
        shift_reaches = float(by_class[0][kind]), float(by_class[1][kind])
        result.append(Shift(row, one_plays, other_plays, shift_reaches, values, lost))

    def rank(shift: Shift) -> tuple[bool, float, float, int, int]:
        is_last = shift.lost or shift.reach <= SAME
        weight, size = round(shift.weight, 6), round(shift.reach * shift.size, 6)
        return is_last, -weight, -size, int(space.ply[shift.row]), shift.row

    return sorted(result, key=rank)


def _mean_value(chances: Mapping[int, float], value: NDArray[np.int8]) -> float:
    """Return the mean value of a position for the side to move, from the chance of each edge; a resignation loses."""
    resignation = 1 - sum(chances.values())
    return sum(chance * int(value[edge]) for edge, chance in chances.items()) - resignation


def _common_sides(one: Learner, other: Learner) -> list[Side]:
    if one.game is not other.game:
        raise BadText(f"one of them plays {one.game.title}, the other {other.game.title}: they have no move in common")
    sides = [side for side in one.sides if side in other.sides]
    if not sides:
        raise BadText("they play different sides: they have no move in common")
    return sides


@dataclass(frozen=True)
class Switch:
    """A moment at which a learner gave up a move, or returned to one."""

    rounds: int
    """The first known number of rounds after the switch."""
    since: int
    """The last known number of rounds before the switch."""
    edge: int
    given_up: bool
    """Whether the move was given up; else the learner returned to it."""


def switches(moments: Sequence[tuple[int, NDArray[np.bool_]]], edges: Iterable[int]) -> list[Switch]:
    """Return the moments at which each of these edges was given up, or returned to, in order of time.

    `moments` are ascending numbers of rounds, each with the edges that were open then: `MemoryView.open_edges`.
    """
    watched = list(edges)
    return [
        Switch(rounds, since, edge, given_up=bool(before[edge]))
        for (since, before), (rounds, after) in pairwise(moments)
        for edge in watched
        if before[edge] != after[edge]
    ]


def narrow_switch(snapshot: Snapshot, switch: Switch, stop: Stop = never) -> Switch:
    """Return a switch with its exact round, found by bisection, training again from the moment before.

    Of several switches in between, it is one. Once `stop()` is true, the switch is returned as far as it is narrowed
    down. Raises `BadText` for a learner that cannot be trained further from that moment.
    """
    span = locate_change(
        snapshot,
        switch.since,
        switch.rounds,
        lambda learner: bool(learner.view.open_edges()[switch.edge]) != switch.given_up,
        stop,
    )
    return replace(switch, rounds=span.rounds, since=span.since)
