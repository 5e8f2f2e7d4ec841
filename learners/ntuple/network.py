"""The tuples of a network, and the patterns that can stand on their squares.

A square of a pattern has a piece of either side, or is empty and can be filled by the next move, or is empty and
cannot. Only patterns that can occur are counted: pieces do not hang in the air, and where pieces do not fall, every
empty square can be filled. So a tuple of n squares has fewer than 4^n patterns.
"""

from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cache, cached_property, lru_cache
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.game import BadText
from engine.grid_game import GridGame
from engine.space import Int32
from learners.core.generator import draw_below
from learners.ntuple.kernel_tables import CURVE_SHIFT, LARGEST_SUM, ONE, WEIGHT

MAX_WEIGHTS: Final = 2**22
"""The maximum number of weights of a network: they take 16 MiB."""
CLOSED: Final = 0
FIRST: Final = 1
SECOND: Final = 2
OPEN: Final = 3
"""The state of a square of a pattern: empty, and out of reach of the next move; with a piece of the first or the second
side; or empty, and in reach of the next move."""
States = tuple[int, ...]


@dataclass(frozen=True)
class Digit:
    """The part of a tuple in one unit, and how it counts in the index of a pattern."""

    unit: int
    squares: tuple[int, ...]
    states: tuple[States, ...]
    """All combinations of states of these squares; the first is that of the empty board."""
    of_code: tuple[int, ...]
    """For each code of the unit, the number of its combination in `states`."""
    factor: int
    """The product of the numbers of states of all earlier digits."""


@dataclass(frozen=True, eq=False)
class Network:
    """The tuples of a network on a board, with v views."""

    game: GridGame
    tuples: tuple[tuple[int, ...], ...]
    """The squares of each tuple, in the order of the walk."""
    digits: tuple[tuple[Digit, ...], ...]
    offsets: tuple[int, ...]
    """The index of the first pattern of each tuple; last, the number of all patterns."""
    square: Int32
    """The squares of each unit in the order in which they are filled, shape (u, h)."""
    unit: Int32

    @property
    def patterns(self) -> int:
        return self.offsets[-1]

    def tuple_of(self, index: int) -> int:
        return int(np.searchsorted(self.offsets, index, "right")) - 1

    def pattern(self, index: int) -> dict[int, int]:
        """Return what stands on each square of a tuple in the pattern of this index."""
        number = self.tuple_of(index)
        index_in_tuple, pattern = index - self.offsets[number], dict[int, int]()
        for digit in self.digits[number]:
            states = digit.states[index_in_tuple // digit.factor % len(digit.states)]
            pattern.update(zip(digit.squares, states, strict=True))
        return pattern

    @cached_property
    def start(self) -> Int32:
        """The index of each view on the empty board, shape (v,)."""
        return np.repeat(np.array(self.offsets[:-1], np.int32), len(self.game.symmetries))

    @cached_property
    def part(self) -> Int32:
        """The part of each unit and code in the index of each view, shape (u, codes, v)."""
        units, height = self.square.shape
        part = np.zeros((units, 2 << height, len(self.start)), np.int32)
        symmetries = self.game.symmetries
        for number, digits in enumerate(self.digits):
            for turn, symmetry in enumerate(symmetries):
                view = number * len(symmetries) + turn
                for digit in digits:
                    image = int(self.unit[symmetry[digit.squares[0]]])
                    part[image, :, view] = np.array(digit.of_code) * digit.factor
        return part


def draw_network(game: GridGame, count: int, length: int, generator: NDArray[np.int64]) -> Network:
    """Return a network whose tuples are random walks over neighbouring squares. Draws from `generator`.

    On a board with fewer squares than `length`, a tuple has all squares. Raises `BadText` for too many weights.
    """
    length = min(length, game.size)
    return _network(game, tuple(_walk(game, length, generator) for _ in range(count)))


def _walk(game: GridGame, length: int, generator: NDArray[np.int64]) -> tuple[int, ...]:
    """Walk from a random square to random neighbours, until `length` squares are visited."""
    rows, columns = game.grid.rows, game.grid.columns
    square = draw_below(generator, game.size)
    visited = [square]
    while len(visited) < length:
        row, column = divmod(square, columns)
        neighbours = [
            near_row * columns + near_column
            for near_row in range(max(0, row - 1), min(rows, row + 2))
            for near_column in range(max(0, column - 1), min(columns, column + 2))
            if (near_row, near_column) != (row, column)
        ]
        square = neighbours[draw_below(generator, len(neighbours))]
        if square not in visited:
            visited.append(square)
    return tuple(visited)


@lru_cache(maxsize=8)
def _network(game: GridGame, tuples: tuple[tuple[int, ...], ...]) -> Network:
    square = _units(game)
    unit = np.zeros(game.size, np.int32)
    for number, squares in enumerate(square.tolist()):
        unit[squares] = number
    digits = tuple(_digits(each, square, unit) for each in tuples)
    offsets = np.cumsum([0, *(prod(len(digit.states) for digit in each) for each in digits)]).tolist()
    if 2 * offsets[-1] > MAX_WEIGHTS:
        raise BadText(
            f"{len(tuples)} tuples of {len(tuples[0])} squares have {2 * offsets[-1]:,} weights on {game.title}, more "
            f"than {MAX_WEIGHTS:,}: make tuples or length smaller"
        )
    return Network(game, tuples, digits, tuple(offsets), square, unit)


def _units(game: GridGame) -> Int32:
    """Return the squares of each unit, shape (u, h)."""
    squares = np.arange(game.size, dtype=np.int32)
    if not game.falls:
        return squares.reshape(-1, 1)
    return np.ascontiguousarray(squares.reshape(game.grid.rows, game.grid.columns)[::-1].T)


def _digits(squares: tuple[int, ...], square: Int32, unit: Int32) -> tuple[Digit, ...]:
    digits, factor = list[Digit](), 1
    for number in dict.fromkeys(int(unit[each]) for each in squares):
        column = square[number].tolist()
        heights = tuple(height for height, each in enumerate(column) if each in squares)
        seen = dict[States, int]()
        of_code = [0] * (2 << len(column))
        for code in range(1, len(of_code)):
            states = tuple(_state_at(height, code) for height in heights)
            of_code[code] = seen.setdefault(states, len(seen))
        digits.append(Digit(number, tuple(column[height] for height in heights), tuple(seen), tuple(of_code), factor))
        factor *= len(seen)
    return tuple(digits)


def _state_at(height: int, code: int) -> int:
    """Return the state of the square at this height in a unit with this code."""
    filled = code.bit_length() - 1
    if height < filled:
        return FIRST + (code >> filled - 1 - height & 1)
    return OPEN if height == filled else CLOSED


@cache
def curve() -> NDArray[np.int64]:
    """Return tanh from 0 to `LARGEST_SUM` in parts of `ONE`, from decimal numbers: the same on every machine."""
    steps = LARGEST_SUM * WEIGHT >> CURVE_SHIFT
    with localcontext(prec=40):
        growth, power, values = (Decimal(2 << CURVE_SHIFT) / WEIGHT).exp(), Decimal(1), list[int]()
        for _ in range(steps + 1):
            values.append(int(((power - 1) / (power + 1) * ONE).to_integral_value()))
            power *= growth
    return np.array(values, np.int64)
