"""Seeds and draws for learners: the same seed gives the same draws on every machine, in every release.

The generator is xoroshiro64** 1.0 (Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", 2018). Its
state is two 32-bit words. SplitMix64 (Steele, Lea and Flood, 2014) derives them from the seed, as its authors advise.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from learners.core.kernel_step import WORD, next_state

__all__ = ["LARGEST_SEED", "WORD", "draw_below", "seed_words"]

LARGEST_SEED: Final = 2**63 - 1


def seed_words(seed: int) -> tuple[int, int]:
    """Return the state for a seed of 0 … `LARGEST_SEED`: two 32-bit words, not both zero."""
    mixed = (seed + 0x9E37_79B9_7F4A_7C15) & (1 << 64) - 1
    mixed = (mixed ^ mixed >> 30) * 0xBF58_476D_1CE4_E5B9 & (1 << 64) - 1
    mixed = (mixed ^ mixed >> 27) * 0x94D0_49BB_1331_11EB & (1 << 64) - 1
    mixed ^= mixed >> 31
    return (mixed & WORD or 1, mixed >> 32)


def draw_below(generator: NDArray[np.int64], count: int) -> int:
    """Draw a whole number below `count`, which is at most 2^31, and advance the state `generator`, shape (2,)."""
    draw, low, high = next_state(int(generator[0]), int(generator[1]))
    generator[:] = low, high
    return draw * count >> 32
