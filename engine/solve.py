"""Exact values: how every position ends under best play of both sides."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.game import Outcome, Side
from engine.result_caches import cached_with_spaces
from engine.space import Int8, Space

OUTCOME_VALUE: Final = {Outcome.FIRST_WINS: 1, Outcome.SECOND_WINS: -1, Outcome.DRAW: 0}
"""The value of each outcome for the first side."""

WIN_SCORE: Final = 100
"""The score of a position that is won: more than the plies of any game with a `Space`."""


@cached_with_spaces()
def scores(space: Space) -> Int8:
    """How every position ends under best play, seen from the first side, shape (n,), read-only.

    0 is a draw. Otherwise the sign tells who wins, and the absolute value is `WIN_SCORE` minus the plies until the win:
    the winner wins as soon, and the loser loses as late, as possible. Retrograde analysis computes the scores from the
    last ply back.
    """
    score = np.zeros(len(space.position), np.int8)
    for outcome, worth in OUTCOME_VALUE.items():
        score[space.outcome == outcome] = worth * WIN_SCORE
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


@cached_with_spaces()
def values(space: Space) -> Int8:
    """The value of every position for the first side, 1, 0 or −1, shape (n,), read-only."""
    value: Int8 = np.sign(scores(space))
    value.setflags(write=False)
    return value


@cached_with_spaces()
def edge_values(space: Space) -> Int8:
    """The value of every edge for the side that moves, 1, 0 or −1, shape (m,), read-only."""
    sign = np.where(space.side[space.source] == Side.FIRST, 1, -1).astype(np.int8)
    value: Int8 = values(space)[space.target] * sign
    value.setflags(write=False)
    return value


@cached_with_spaces()
def perfect_edges(space: Space) -> NDArray[np.bool_]:
    """Whether each edge keeps the value of its position, shape (m,), read-only."""
    sign = np.where(space.side == Side.FIRST, 1, -1).astype(np.int8)
    kept: NDArray[np.bool_] = edge_values(space) == (values(space) * sign)[space.source]
    kept.setflags(write=False)
    return kept
