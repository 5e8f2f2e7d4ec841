"""Exact values: how every position ends under best play of both sides."""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.game import Outcome, Side
from engine.space import Int8, Space

OUTCOME_VALUE: Final = {Outcome.FIRST_WINS: 1, Outcome.SECOND_WINS: -1, Outcome.DRAW: 0}
"""The value of each outcome to the first side."""


FAR: Final = 100
"""More plies than any game with a `Space` has."""


@cache
def scores(space: Space) -> Int8:
    """How every position ends under best play, to the first side, shape (n,), read-only.

    0 is a draw. Otherwise the sign tells who wins, and the absolute value is `FAR` minus the plies left: a winner takes
    the quickest way, a loser the slowest. Computed by retrograde analysis, one ply at a time from the last one back.
    """
    score = np.zeros(len(space.position), np.int8)
    for outcome, worth in OUTCOME_VALUE.items():
        score[space.outcome == outcome] = worth * FAR
    sign = np.where(space.side == Side.FIRST, 1, -1).astype(np.int8)
    for positions, edges in space.plies():
        if edges.start == edges.stop:
            continue
        starts = space.first_edge[positions]
        inner = np.flatnonzero(np.diff(np.append(starts, edges.stop))) + positions.start
        gain = score[space.target[edges]] * sign[space.source[edges]]
        best = np.maximum.reduceat(gain, space.first_edge[inner] - edges.start)
        score[inner] = (best - np.sign(best)) * sign[inner]
    score.setflags(write=False)
    return score


@cache
def values(space: Space) -> Int8:
    """The value of every position to the first side, 1, 0 or −1, shape (n,), read-only."""
    value: Int8 = np.sign(scores(space))
    value.setflags(write=False)
    return value


@cache
def edge_values(space: Space) -> Int8:
    """The value of every edge to the side that moves, 1, 0 or −1, shape (m,), read-only."""
    sign = np.where(space.side[space.source] == Side.FIRST, 1, -1).astype(np.int8)
    value: Int8 = values(space)[space.target] * sign
    value.setflags(write=False)
    return value


@cache
def perfect_edges(space: Space) -> NDArray[np.bool_]:
    """Whether each edge keeps the value of its position, shape (m,), read-only."""
    sign = np.where(space.side == Side.FIRST, 1, -1).astype(np.int8)
    kept: NDArray[np.bool_] = edge_values(space) == (values(space) * sign)[space.source]
    kept.setflags(write=False)
    return kept
