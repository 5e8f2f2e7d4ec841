"""One step of the generator xoroshiro64** in plain Python. Source and seeding: `learners.core.generator`.

Works on ints below 2^63, or keeps only the low bits of a product, so that compiled and plain Python agree to the bit.
The file is named like a kernel because its source is compiled: see `learners.core.compiling`.
"""

from typing import Final

WORD: Final = 0xFFFF_FFFF
"""The largest 32-bit word."""


def next_state(low: int, high: int) -> tuple[int, int, int]:
    """Return the next 32-bit draw, and the two words of the state after it."""
    mixed = low * 0x9E3779BB & WORD
    draw = ((mixed << 5 | mixed >> 27) & WORD) * 5 & WORD
    high ^= low
    low = ((low << 26 | low >> 6) & WORD) ^ high ^ (high << 9 & WORD)
    return draw, low, (high << 13 | high >> 19) & WORD
