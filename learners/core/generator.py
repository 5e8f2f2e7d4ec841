"""Seeds for the kernels' own generator, so that a seed means the same on every machine and in every year.

The generator is xoroshiro64** 1.0 (Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", 2018), whose
state is two 32-bit words; the words come from SplitMix64 (Steele, Lea and Flood, 2014), as its authors advise.
"""

from typing import Final

WORD: Final = 0xFFFF_FFFF
LARGEST_SEED: Final = 2**63 - 1


def seed_words(seed: int) -> tuple[int, int]:
    """Two 32-bit words, not both zero, from a seed of 0 … 2^63−1."""
    mixed = (seed + 0x9E37_79B9_7F4A_7C15) & (1 << 64) - 1
    mixed = (mixed ^ mixed >> 30) * 0xBF58_476D_1CE4_E5B9 & (1 << 64) - 1
    mixed = (mixed ^ mixed >> 27) * 0x94D0_49BB_1331_11EB & (1 << 64) - 1
    mixed ^= mixed >> 31
    return (mixed & WORD or 1, mixed >> 32)
