"""Exact values: how every position ends under best play of both sides."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.game import Outcome
from engine.result_caches import cached_with_spaces
from engine.space import Int8, Int16, Space

OUTCOME_VALUE: Final = {Outcome.FIRST_WINS: 1, Outcome.SECOND_WINS: -1, Outcome.DRAW: 0}
"""The value of each outcome for the first side."""

WIN_SCORE: Final = 30_000
"""The score of a position that is won: more than the plies of any game with a `Space`."""

SAME_CHANCE: Final = 1e-9
"""Chances that differ by less than this share count as equal: the difference is a rounding error."""

Mask = NDArray[np.bool_]
Array = TypeVar("Array", bound=NDArray[Any])


def _read_only(array: Array) -> Array:
    array.setflags(write=False)
    return array


@cached_with_spaces()
def scores(space: Space) -> Int16:
    """Return how every position ends under best play, seen from the first side, shape (n,), read-only.

    0 is a draw. Otherwise the sign tells who wins, and the absolute value is `WIN_SCORE` minus the plies until the win:
    the winner wins as soon, and the loser loses as late, as possible. Retrograde analysis computes the scores from the
    last ply back.
    """
    score = np.zeros(len(space.position), np.int16)
    for outcome, worth in OUTCOME_VALUE.items():
        score[space.outcome == outcome] = worth * WIN_SCORE
    for rows, edges, starts in space.backwards():
        gain = score[space.target[edges]] * space.sign[space.source[edges]]
        best = np.maximum.reduceat(gain, starts)
        score[rows] = (best - np.sign(best)) * space.sign[rows]
    return _read_only(score)


@cached_with_spaces()
def values(space: Space) -> Int8:
    """Return the value of every position for the first side, 1, 0 or −1, shape (n,), read-only."""
    return _read_only(np.sign(scores(space)).astype(np.int8))


@cached_with_spaces()
def edge_values(space: Space) -> Int8:
    """Return the value of every edge for the side that moves, 1, 0 or −1, shape (m,), read-only."""
    return _read_only(values(space)[space.target] * space.sign[space.source])


@cached_with_spaces()
def perfect_edges(space: Space) -> Mask:
    """Return whether each edge keeps the value of its position, shape (m,), read-only."""
    return _read_only(edge_values(space) == (values(space) * space.sign)[space.source])


@cached_with_spaces()
def soonest_edges(space: Space) -> Mask:
    """Return whether each edge keeps the value and wins as soon or loses as late as possible, shape (m,), read-only."""
    score = scores(space)
    after = score - np.sign(score)  # what a position is worth to the one before it
    return _read_only(after[space.target] == score[space.source])


@cached_with_spaces()
def stubborn_edges(space: Space) -> Mask:
    """As `soonest_edges`, but in a lost position the edges after which a random opponent errs most, shape (m,).

    These are the edges after which an opponent that moves uniformly at random keeps the win to the end of the game with
    the smallest probability. Among equals they lose as late as possible. Read-only.
    """
    lost = (values(space) * space.sign)[space.source] < 0
    after, stubborn = _chance_to_keep_the_win(space)[space.target], soonest_edges(space).copy()
    stubborn[lost] = False
    edges = np.flatnonzero(lost)
    starts = np.flatnonzero(np.diff(space.source[edges], prepend=-1))
    if len(starts):
        counts = np.diff(np.append(starts, len(edges)))
        least = np.repeat(np.minimum.reduceat(after[edges], starts), counts)
        equal = after[edges] <= least * (1 + SAME_CHANCE)
        lasts = np.where(equal, WIN_SCORE - np.abs(scores(space)[space.target[edges]]), -1)
        stubborn[edges] = lasts == np.repeat(np.maximum.reduceat(lasts, starts), counts)
    return _read_only(stubborn)


def _chance_to_keep_the_win(space: Space) -> NDArray[np.float64]:
    """Return the probability that the winner of each position, moving at random, never gives its win away, shape (n,).

    The loser moves so that it is smallest. It is 0 for a draw.
    """
    chance: NDArray[np.float64] = (values(space) != 0).astype(np.float64)
    kept, winner = perfect_edges(space), values(space) * space.sign
    for rows, edges, starts in space.backwards():
        after = chance[space.target[edges]]
        moves = np.diff(np.append(starts, len(after)))
        mean = np.add.reduceat(np.where(kept[edges], after, 0.0), starts) / moves
        chance[rows] = np.where(winner[rows] > 0, mean, np.minimum.reduceat(after, starts)) * (winner[rows] != 0)
    return chance


PERFECT_EDGES: Final[Mapping[str, Callable[[Space], Mask]]] = {
    "soonest": soonest_edges,
    "any": perfect_edges,
    "stubborn": stubborn_edges,
}
"""The ways to play perfectly, the usual one first: each returns which edges are played, with equal probability."""
