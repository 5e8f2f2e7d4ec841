"""One step of the generator xoroshiro64** in plain Python. Source and seeding: `learners.core.generator`.

Compiled integers have 64 bits, those of plain Python have no limit. Both give the same result: of a product that may
exceed 2^63, only the low 32 bits are used, and all other values are smaller.
The file is named like a kernel because its source is compiled: see `engine.compiling.compiler`.
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
