"""What a policy is worth, compiled: all that `engine.evaluate` tells of it, for both sides, in one pass each way.

Positions are numbered by ply and every edge leads to a later one, so that going from the last position to the first
meets whatever a position leads to before that position, and going from the first to the last whatever leads to it.

policy   per edge: how likely it is played; what a position's edges leave of 1 is the chance to resign there, shape (m,)
perfect  per edge: the same of perfect play
worth    per edge: 1, 0 or −1 as it wins, draws or loses against best play for the side that moves
chance   per position and side judged: how likely that side loses and wins from there, by opponent, shape (n, 2, 8)
judged   per side: the win, draw and loss against each opponent in turn, then `DECISIONS` and on, shape (2, 15)
"""

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import SAME
from learners.core.compiling import compiled

Table = NDArray[np.int32]
Bytes = NDArray[np.int8]
Floats = NDArray[np.float64]

RANDOM, PERFECT, ITSELF, BEST, COLUMNS = 0, 2, 4, 6, 8
"""Where the chances against each opponent begin, in the order of `engine.evaluate.OPPONENTS`, and how many there are.

Of each pair the first is the chance to lose, the second the chance to win."""
DECISIONS, PERFECT_MOVES, LOSING_PAIRS = 12, 13, 14
"""The columns of `judged` after those of the opponents."""


@compiled
def certain(chance: float) -> float:
    """A chance; where it is 0 or 1 but for rounding, that."""
    return round(chance) if abs(chance - round(chance)) < SAME else chance


@compiled
def settle(ended: int, here: Floats) -> None:
    """Set the chances of a position that is over with the `Outcome` of that number."""
    for side in range(2):
        for column in range(0, COLUMNS, 2):
            here[side, column] = ended == 1 - side
            here[side, column + 1] = ended == side


@compiled
def look_back(
    policy: Floats, perfect: Floats, first_edge: Table, target: Table, mover: Bytes, outcome: Bytes, chance: Floats
) -> None:
    """Fill `chance`, from the last position to the first.

    The best responder makes the side that is judged lose as often as it can, and then win as seldom.
    """
    for position in range(len(outcome) - 1, -1, -1):
        here = chance[position]
        if outcome[position] >= 0:
            settle(outcome[position], here)
            continue
        here[:] = 0.0
        mine = np.uint64(mover[position])  # unsigned, as are edges and targets: what cannot be negative is found sooner
        theirs = np.uint64(1) - mine
        first, end = np.uint64(first_edge[position]), np.uint64(first_edge[position + 1])
        evenly, left, worst, kindest = 1.0 / (end - first), 1.0, 0.0, np.inf
        for edge in range(first, end):
            there, share, best = np.uint64(target[edge]), policy[edge], perfect[edge]
            left -= share
            for column in range(COLUMNS):
                here[mine, column] += share * chance[there, mine, column]
            for which in range(2):
                here[theirs, RANDOM + which] += evenly * chance[there, theirs, RANDOM + which]
                here[theirs, PERFECT + which] += best * chance[there, theirs, PERFECT + which]
                here[theirs, ITSELF + which] += share * chance[there, theirs, ITSELF + which]
            worst = max(worst, chance[there, theirs, BEST])
        for edge in range(first, end):
            there = np.uint64(target[edge])
            if chance[there, theirs, BEST] >= worst - SAME:
                kindest = min(kindest, chance[there, theirs, BEST + 1])
        here[theirs, BEST], here[theirs, BEST + 1] = worst, kindest
        if left > SAME:
            for column in range(0, COLUMNS, 2):
                here[mine, column] += left
            here[theirs, ITSELF + 1] += left


@compiled
def look_ahead(
    policy: Floats, perfect: Floats, worth: Bytes, first_edge: Table, target: Table, mover: Bytes, judged: Floats
) -> None:
    """Judge the moves of the decisions that each side faces, from the first position to the last."""
    reached = np.zeros(len(mover), np.uint8)
    reached[0] = 3
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
                judged[side, PERFECT_MOVES] += policy[edge] if perfect[edge] > 0 else 0.0
                judged[side, LOSING_PAIRS] += worth[edge] < 0


@compiled
def judge(
    policy: Floats,
    perfect: Floats,
    worth: Bytes,
    first_edge: Table,
    target: Table,
    mover: Bytes,
    outcome: Bytes,
) -> Floats:
    """What the policy is worth as each side: `judged`."""
    chance, judged = np.empty((len(outcome), 2, COLUMNS)), np.zeros((2, 15))
    look_back(policy, perfect, first_edge, target, mover, outcome, chance)
    look_ahead(policy, perfect, worth, first_edge, target, mover, judged)
    for side in range(2):
        for opponent in range(4):
            loss, win = chance[0, side, 2 * opponent], chance[0, side, 2 * opponent + 1]
            for column, share in enumerate((win, 1.0 - win - loss, loss)):
                judged[side, 3 * opponent + column] = certain(share)
        decisions = judged[side, DECISIONS]
        judged[side, PERFECT_MOVES] = certain(judged[side, PERFECT_MOVES] / decisions) if decisions else 1.0
    return judged
