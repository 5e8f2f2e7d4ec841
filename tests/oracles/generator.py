"""xoroshiro64** 1.0 seeded by SplitMix64, written from the authors' description on plain ints cut to their width."""


def rotated(word: int, count: int) -> int:
    bits = f"{word:032b}"
    return int(bits[count:] + bits[:count], 2)


def splitmix64(seed: int) -> int:
    """The first output of SplitMix64."""
    z = (seed + 0x9E3779B97F4A7C15) % 2**64
    z = ((z ^ (z // 2**30)) * 0xBF58476D1CE4E5B9) % 2**64
    z = ((z ^ (z // 2**27)) * 0x94D049BB133111EB) % 2**64
    return z ^ (z // 2**31)


def finalised(word: int) -> int:
    """The finaliser of MurmurHash3 for 32 bits."""
    word = (word ^ (word // 2**16)) * 0x85EBCA6B % 2**32
    word = (word ^ (word // 2**13)) * 0xC2B2AE35 % 2**32
    return word ^ (word // 2**16)


def draws_from(seed: int, count: int) -> list[int]:
    """The first draws from one seed: the finaliser of a counter with steps of 2^32 divided by the golden ratio."""
    return [finalised((seed + nth * 0x9E3779B9) % 2**32) for nth in range(count)]


class Generator:
    def __init__(self, first: int, second: int) -> None:
        self.first, self.second = first, second

    @classmethod
    def seeded(cls, seed: int) -> "Generator":
        """The lower half of SplitMix64's output first; a lower half of zero becomes one."""
        second, first = divmod(splitmix64(seed), 2**32)
        return cls(first or 1, second)

    def draw(self) -> int:
        """The next draw of 0 … 2^32−1."""
        scrambled = rotated(self.first * 0x9E3779BB % 2**32, 5) * 5 % 2**32
        difference = self.first ^ self.second
        self.first = rotated(self.first, 26) ^ difference ^ (difference * 2**9 % 2**32)
        self.second = rotated(difference, 13)
        return scrambled
