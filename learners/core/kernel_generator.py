"""One step of xoroshiro64**, on two 32-bit words held in wider ints. Source and seeding: `learners.core.generator`.

The modules named `kernel` hold the compiled training loops. Importing one imports numba, so that happens only when
training starts. The loops are ordinary Python: with `NUMBA_DISABLE_JIT=1` in the environment the same code runs
uncompiled and plays the same games. They are iterative (numba fails to reload a cached function that calls itself) and
work on ints below 2^63, or keep only the low bits of a product, so that both ways agree to the bit.
"""

from numba import njit

from learners.core.generator import WORD


@njit(cache=True, nogil=True)
def step(low: int, high: int) -> tuple[int, int, int]:
    """The next 32-bit draw, and the two words of the state after it."""
    mixed = low * 0x9E3779BB & WORD
    draw = ((mixed << 5 | mixed >> 27) & WORD) * 5 & WORD
    high ^= low
    low = ((low << 26 | low >> 6) & WORD) ^ high ^ (high << 9 & WORD)
    return draw, low, (high << 13 | high >> 19) & WORD
