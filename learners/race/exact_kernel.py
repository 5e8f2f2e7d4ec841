"""Exact results of a policy, compiled: what `engine.evaluate` computes, for both sides, in one pass each way.

Positions are numbered by ply, and every edge leads to a later one. So a pass from the last position to the first visits
each position after all positions that its edges lead to. A pass from the first to the last visits each position after
all positions whose edges lead to it.

chance   per position and side judged: the probabilities that this side loses and wins from there, by opponent, and the
         least expected worth, a win being worth 1 and a loss −1; shape (n, 2, `COLUMNS`)
judged   per side: win, draw and loss against each opponent in turn, then the columns from `DECISIONS` on, shape (2, 16)
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiling.compiler import compiled
from learners.core.kernel_tables import Bytes, SpaceTables

Floats = NDArray[np.float64]

RANDOM, PERFECT, ITSELF, WORTH, BEST, COLUMNS = 0, 2, 4, 5, 6, 8
"""The first column of each opponent, in the order of `engine.evaluate.OPPONENTS`, that of the worth, and the number of
columns.

Of each pair the first is the probability of a loss, the second that of a win. Against itself, a side wins when the
other loses: so that pair has room for the worth."""
DECISIONS, PERFECT_MOVES, LOSING_PAIRS, EXPLOITABILITY = 12, 13, 14, 15
"""The columns of `judged` after those of the opponents."""
SAME = 1e-12
"""The same as `engine.evaluate.SAME`. Kernels take constants from kernel files only: see `engine.compiling`."""


class Values(NamedTuple):
    """Best play on the m edges of a space."""

    perfect: Floats
    """The policy of perfect play, shape (m,)."""
    kept: NDArray[np.bool_]
    """Whether an edge keeps the value of its position, shape (m,)."""
    worth: Bytes
    """1, 0 or −1 for an edge that wins, draws or loses for the side that moves, shape (m,)."""


@compiled
def without_rounding_error(chance: float) -> float:
    """Return a probability; exactly 0 or 1 if it differs from that only by a rounding error."""
    return round(chance) if abs(chance - round(chance)) < SAME else chance


@compiled
def set_ended(ended: int, here: Floats) -> None:
    """Set the chances of a position that is over with the `Outcome` of this number, shape (2, `COLUMNS`)."""
    for side in range(2):
        for column in range(0, COLUMNS, 2):
            here[side, column] = ended == 1 - side
            here[side, column + 1] = ended == side
        here[side, WORTH] -= ended == 1 - side


@compiled
def look_back(policy: Floats, perfect: Floats, space: SpaceTables, chance: Floats) -> None:
    """Fill `chance`, from the last position to the first.

    The best responder makes the judged side lose as often as possible, and then win as rarely as possible.
    """
    first_edge, target, mover, outcome = space.first_edge, space.target, space.side, space.outcome
    for position in range(len(outcome) - 1, -1, -1):
        here = chance[position]
        if outcome[position] >= 0:
            set_ended(outcome[position], here)
            continue
        here[:] = 0.0
        mine = np.uint64(mover[position])  # unsigned, as are edges and targets: that is faster
        theirs = np.uint64(1) - mine
        first, end = np.uint64(first_edge[position]), np.uint64(first_edge[position + 1])
        evenly, left, worst, kindest, least = 1.0 / (end - first), 1.0, 0.0, np.inf, 1.0
        for edge in range(first, end):
            there, share, best = np.uint64(target[edge]), policy[edge], perfect[edge]
            left -= share
            for column in range(COLUMNS):
                here[mine, column] += share * chance[there, mine, column]
            for which in range(2):
                here[theirs, RANDOM + which] += evenly * chance[there, theirs, RANDOM + which]
                here[theirs, PERFECT + which] += best * chance[there, theirs, PERFECT + which]
            here[theirs, ITSELF] += share * chance[there, theirs, ITSELF]
            least = min(least, chance[there, theirs, WORTH])
            worst = max(worst, chance[there, theirs, BEST])
        for edge in range(first, end):
            there = np.uint64(target[edge])
            if chance[there, theirs, BEST] >= worst - SAME:
                kindest = min(kindest, chance[there, theirs, BEST + 1])
        here[theirs, BEST], here[theirs, BEST + 1], here[theirs, WORTH] = worst, kindest, least
        if left > SAME:
            for column in range(0, COLUMNS, 2):
                here[mine, column] += left
            here[mine, WORTH] -= left


@compiled
def look_ahead(policy: Floats, values: Values, space: SpaceTables, judged: Floats) -> None:
    """Judge the moves of the decisions that each side faces, from the first position to the last."""
    kept, worth = values.kept, values.worth
    first_edge, target, mover = space.first_edge, space.target, space.side
    reached = np.zeros(len(mover), np.uint8)  # for each position one bit a side: whether play by the policy leads there
    reached[0] = 0b11
    for position in range(len(mover)):
        here, side = reached[position], mover[position]
        first, end = first_edge[position], first_edge[position + 1]
        if here == 0 or first == end:
            continue
        faces = here >> side & 1
        judged[side, DECISIONS] += faces
        for edge in range(first, end):
            played = policy[edge] > 0
            reached[target[edge]] |= here if played else here & ~(1 << side)
            if faces and played:
                judged[side, PERFECT_MOVES] += policy[edge] if kept[edge] else 0.0
                judged[side, LOSING_PAIRS] += worth[edge] < 0


@compiled
def judge(policy: Floats, values: Values, space: SpaceTables) -> Floats:
    """Return `judged` for a policy of shape (m,).

    If the edges of a position sum to less than 1, the rest is the probability of a resignation there.
    """
    chance, judged = np.empty((len(space.outcome), 2, COLUMNS)), np.zeros((2, 16))
    look_back(policy, values.perfect, space, chance)
    look_ahead(policy, values, space, judged)
    value = values.worth[space.first_edge[0] : space.first_edge[1]].max()
    for side in range(2):
        judged[side, EXPLOITABILITY] = without_rounding_error((value if side == 0 else -value) - chance[0, side, WORTH])
    chance[0, :, ITSELF + 1] = chance[0, ::-1, ITSELF]
    for side in range(2):
        for opponent in range(4):
            loss, win = chance[0, side, 2 * opponent], chance[0, side, 2 * opponent + 1]
            for column, share in enumerate((win, 1.0 - win - loss, loss)):
                judged[side, 3 * opponent + column] = without_rounding_error(share)
        decisions = judged[side, DECISIONS]
        judged[side, PERFECT_MOVES] = (
            without_rounding_error(judged[side, PERFECT_MOVES] / decisions) if decisions else 1.0
        )
    return judged
