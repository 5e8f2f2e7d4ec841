"""Decide whether one reading of an agent's answers stands out against another: a misread agent plays badly."""

from collections.abc import Sequence
from typing import Final

ABLE: Final = 0.9
"""The share of perfect moves that a reading must have where two readings differ, to stand out."""
CLEAR: Final = 0.25
"""How much larger its share of perfect moves must be than that of the other reading, for a reading to stand out."""
SURE: Final = 1 - 1e-9
"""The least chance that is 1 but for rounding: a reading by which each side has the pieces of the other must play so
everywhere. An agent that blocks before it wins plays better if it is misread so, but not perfectly."""
ENOUGH: Final = 30
"""The least number of moves that win at once from which it can be seen whether an agent knows its wins."""
KNOWN: Final = 0.99
"""The least share of wins with numbers above the usual, not counting those at it, if an agent has learned its wins."""
IN_VAIN: Final = 0.1
"""The least share of blocks with numbers below the usual, not counting those at it."""


def stands_out(mine: Sequence[float], yours: Sequence[float], least: int, able: float = ABLE) -> bool:
    """Return whether one reading stands out against another: where the two differ, its moves are perfect more often.

    `mine` and `yours` are the probabilities of a perfect move by each reading; fewer than `least` of them decide
    nothing. `able` is the share of its moves that must be perfect.
    """
    if min(len(mine), len(yours)) < max(least, 1):
        return False
    share, rival_share = sum(mine) / len(mine), sum(yours) / len(yours)
    return share >= able and share - rival_share >= CLEAR


def knows_its_wins(mine: Sequence[float], yours: Sequence[float], others: Sequence[float]) -> bool:
    """Return whether one reading of numbers stands out because hardly any move that wins at once has a low number.

    `mine` and `yours` are the numbers of the moves that win at once by each reading, where the readings differ;
    `others` are those of all moves, whose median separates low from high. A reading by which each side has the other's
    pieces takes blocks for wins. A learner soon knows its wins, whereas some blocks are in vain, and so have low
    numbers. An agent that blocks before it wins has low numbers for neither.
    """
    from statistics import median  # slow to import

    usual = median(others) if others else 0.0
    low, rival_low = ([number < usual for number in numbers if number != usual] for numbers in (mine, yours))
    if min(len(low), len(rival_low)) < ENOUGH:
        return False
    return sum(low) / len(low) <= 1 - KNOWN and sum(rival_low) / len(rival_low) >= IN_VAIN
