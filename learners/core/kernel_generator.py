"""One step of xoroshiro64**, on two 32-bit words held in wider ints. Source and seeding: `learners.core.generator`.

Works on ints below 2^63, or keeps only the low bits of a product, so that compiled and plain Python agree to the bit.
"""

from learners.core.compiling import compiled
from learners.core.generator import WORD


@compiled
def step(low: int, high: int) -> tuple[int, int, int]:
    """The next 32-bit draw, and the two words of the state after it."""
    mixed = low * 0x9E3779BB & WORD
    draw = ((mixed << 5 | mixed >> 27) & WORD) * 5 & WORD
    high ^= low
    low = ((low << 26 | low >> 6) & WORD) ^ high ^ (high << 9 & WORD)
    return draw, low, (high << 13 | high >> 19) & WORD
