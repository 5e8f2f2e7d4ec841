"""xoroshiro64** as one step on two 32-bit words held in wider ints. See `learners.generator` for source and seeding."""

from numba import njit

from learners.generator import WORD


@njit(cache=True, nogil=True)
def step(low: int, high: int) -> tuple[int, int, int]:
    """The next 32-bit draw, and the two words of the state after it."""
    mixed = low * 0x9E3779BB & WORD
    draw = ((mixed << 5 | mixed >> 27) & WORD) * 5 & WORD
    high ^= low
    low = ((low << 26 | low >> 6) & WORD) ^ high ^ (high << 9 & WORD)
    return draw, low, (high << 13 | high >> 19) & WORD
