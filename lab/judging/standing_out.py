"""When one reading of an agent's answers stands out against another: an agent that is misread plays badly."""

from collections.abc import Sequence
from typing import Final

ABLE: Final = 0.9
"""A reading stands out if, where two differ, at least so many of its moves are perfect, …"""
CLEAR: Final = 0.25
"""… and at least so many more than those of the other."""
SURE: Final = 1 - 1e-9
"""The least chance that is 1 but for rounding: a reading by which each side has the pieces of the other must play so
everywhere. An agent that blocks before it wins plays better if it is misread so, but not perfectly."""


def stands_out(mine: Sequence[float], yours: Sequence[float], least: int) -> bool:
    """Return whether one reading stands out against another.

    Given are the chances of a perfect move by each, where they differ; fewer than `least` of them decide nothing.
    """
    if len(mine) < max(least, 1):
        return False
    share, rival = (sum(each) / max(len(each), 1) for each in (mine, yours))
    return share >= ABLE and share - rival >= CLEAR
