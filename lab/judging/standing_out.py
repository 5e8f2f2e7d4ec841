"""When one reading of an agent's answers stands out against another: an agent that is misread plays badly."""

from collections.abc import Sequence
from typing import Final

ABLE: Final = 0.9
"""A reading stands out if, where two differ, at least so many of its moves are perfect, …"""
CLEAR: Final = 0.25
"""… and at least so many more than those of the other."""


def stands_out(mine: Sequence[float], yours: Sequence[float], least: int) -> bool:
    """Return whether one reading stands out against another.

    Given are the chances of a perfect move by each, where they differ; fewer than `least` of them decide nothing.
    """
    if len(mine) < max(least, 1):
        return False
    share, rival = (sum(each) / max(len(each), 1) for each in (mine, yours))
    return share >= ABLE and share - rival >= CLEAR
