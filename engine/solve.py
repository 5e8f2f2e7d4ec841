"""Exact values: what every position is worth when both sides play as well as they can."""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.game import Outcome, Side
from engine.space import Int8, Space

WORTH: Final = {Outcome.FIRST_WINS: 1, Outcome.SECOND_WINS: -1, Outcome.DRAW: 0}
"""What each outcome is worth to the first side."""


FAR: Final = 100
"""More plies than a numbered game can last."""


@cache
def scores(space: Space) -> Int8:
    """How every position ends under best play, to the first side, shape (n,): 0 a draw, else FAR less the plies left.

    The sign tells who wins; a winner takes the quickest way, a loser the slowest. One pass from the last ply back.
    """
    score = np.zeros(len(space.position), np.int8)
    for outcome, worth in WORTH.items():
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
    """The value of every position to the first side, 1, 0 or −1, shape (n,)."""
    value: Int8 = np.sign(scores(space))
    value.setflags(write=False)
    return value


@cache
def edge_values(space: Space) -> Int8:
    """The value of every edge to the side that moves, 1, 0 or −1, shape (m,)."""
    sign = np.where(space.side[space.source] == Side.FIRST, 1, -1).astype(np.int8)
    value: Int8 = values(space)[space.target] * sign
    value.setflags(write=False)
    return value


@cache
def perfect_edges(space: Space) -> NDArray[np.bool_]:
    """The edges that keep their position's value, shape (m,)."""
    sign = np.where(space.side == Side.FIRST, 1, -1).astype(np.int8)
    kept: NDArray[np.bool_] = edge_values(space) == (values(space) * sign)[space.source]
    kept.setflags(write=False)
    return kept
