"""Rectangular boards: squares, lines and symmetries.

square   0 … rows×columns−1 from the top left, row by row: on 3×3, 0 is a3, 4 is b2, 8 is c1
mask     one bit for each square: 0b1_0000 is the centre of 3×3
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

Symmetry = tuple[int, ...]
"""A permutation of the squares: `symmetry[square]` is the image of `square`.

Where a symmetry also exchanges pieces, it is a permutation of twice as many places: see `engine.grid_game`."""

EMPTY: Final = "."
EMPTY_WHEN_READ: Final = ".-_"
"""The characters that are read as an empty square."""


@dataclass(frozen=True)
class Grid:
    rows: int
    columns: int

    @property
    def size(self) -> int:
        return self.rows * self.columns

    def name(self, square: int) -> str:
        """Return the name of a square as in chess: column letter from the left, row digit from the bottom."""
        row, column = divmod(square, self.columns)
        return f"{chr(ord('a') + column)}{self.rows - row}"

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(self.name(square) for square in range(self.size))

    def lines(self, length: int) -> tuple[int, ...]:
        """Return the masks of all straight lines of `length` squares: across, down, and both diagonals."""
        lines = []
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            for first in range(self.size):
                row, column = divmod(first, self.columns)
                last_row, last_column = row + down * (length - 1), column + right * (length - 1)
                if last_row < self.rows and 0 <= last_column < self.columns:
                    step = down * self.columns + right
                    lines.append(sum(1 << first + step * number for number in range(length)))
        return tuple(lines)

    def line_starts(self, length: int) -> dict[int, int]:
        """Return for each step between the squares of a line the squares where `lines` begin, as a mask."""
        starts: dict[int, int] = {}
        for first, second, *_ in map(squares_of, self.lines(length)):
            starts[second - first] = starts.get(second - first, 0) | 1 << first
        return starts

    @cached_property
    def mirror(self) -> Symmetry:
        return tuple(row * self.columns + self.columns - 1 - column for row, column in self._coordinates)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All symmetries, the identity first: eight of a square, four of another rectangle, two of a single row."""
        identity = tuple(range(self.size))
        half_turn = tuple(reversed(identity))
        group = [identity, half_turn]
        if self.rows == self.columns:
            quarter_turn = tuple(column * self.columns + self.rows - 1 - row for row, column in self._coordinates)
            group += [quarter_turn, tuple(half_turn[square] for square in quarter_turn)]
        group += [tuple(self.mirror[square] for square in turn) for turn in group]
        return tuple(dict.fromkeys(group))

    @property
    def _coordinates(self) -> list[tuple[int, int]]:
        return [divmod(square, self.columns) for square in range(self.size)]


def squares_of(mask: int) -> list[int]:
    """Return the squares of a mask, ascending."""
    squares = []
    while mask:
        lowest = mask & -mask
        squares.append(lowest.bit_length() - 1)
        mask ^= lowest
    return squares
