"""Rectangular boards: squares, lines, symmetries, and the packed positions of games played on them.

square   0 … rows×columns−1 from the top left, row by row: on 3×3, 0 is a3, 4 is b2, 8 is c1
mask     one bit a square: 0b1_0000 is the centre of 3×3
position first side's mask | second side's mask << squares | side to move << 2×squares
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

from engine.game import BadText, Estimate, Game, Position, Side, Symmetry, quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EMPTY: Final = "."
EMPTY_WHEN_READ: Final = ".-_"


@dataclass(frozen=True)
class Grid:
    rows: int
    columns: int

    @property
    def size(self) -> int:
        return self.rows * self.columns

    def name(self, square: int) -> str:
        row, column = divmod(square, self.columns)
        return f"{chr(ord('a') + column)}{self.rows - row}"

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(self.name(square) for square in range(self.size))

    def lines(self, length: int) -> tuple[int, ...]:
        """The masks of all straight lines of `length` squares: across, down, and both diagonals."""
        steps = ((0, 1), (1, 0), (1, 1), (1, -1))
        return tuple(
            sum(1 << (row + down * i) * self.columns + column + right * i for i in range(length))
            for down, right in steps
            for row in range(self.rows)
            for column in range(self.columns)
            if row + down * (length - 1) < self.rows and 0 <= column + right * (length - 1) < self.columns
        )

    @cached_property
    def mirror(self) -> Symmetry:
        """Left and right exchanged."""
        return tuple(row * self.columns + self.columns - 1 - column for row, column in self._coordinates)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The identity first: eight of a square board, four of any other."""
        identity = tuple(range(self.size))
        half_turn = tuple(reversed(identity))
        group = [identity, half_turn]
        if self.rows == self.columns:
            quarter_turn = tuple(column * self.columns + self.rows - 1 - row for row, column in self._coordinates)
            group += [quarter_turn, tuple(half_turn[square] for square in quarter_turn)]
        return tuple(group + [tuple(self.mirror[square] for square in turn) for turn in group])

    @property
    def _coordinates(self) -> list[tuple[int, int]]:
        return [divmod(square, self.columns) for square in range(self.size)]


def squares_of(mask: int) -> list[int]:
    """The squares of a mask, ascending."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


class GridGame(Game):
    """A game whose whole position is which side's piece stands on which square, and whose turn it is."""

    grid: ClassVar[Grid]
    size: ClassVar[int]
    """How many squares there are."""
    full: ClassVar[int]
    """The mask of all squares."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if hasattr(cls, "grid"):
            cls.rows, cls.columns = cls.grid.rows, cls.grid.columns
            cls.size, cls.full = cls.grid.size, (1 << cls.grid.size) - 1

    def pack(self, first: int, second: int, side: Side) -> Position:
        return first | second << self.size | side << 2 * self.size

    def masks(self, position: Position) -> tuple[int, int]:
        """The first and the second side's masks."""
        return position & self.full, position >> self.size & self.full

    def side(self, position: Position) -> Side:
        return Side(position >> 2 * self.size)

    def passed(self, position: Position) -> Position | None:
        return position ^ 1 << 2 * self.size

    def cells(self, position: Position) -> tuple[Side | None, ...]:
        first, second = self.masks(position)
        return tuple(
            Side.FIRST if first >> square & 1 else Side.SECOND if second >> square & 1 else None
            for square in range(self.size)
        )

    def transform(self, position: Position, symmetry: Symmetry) -> Position:
        first, second = (sum(1 << symmetry[square] for square in squares_of(mask)) for mask in self.masks(position))
        return self.pack(first, second, self.side(position))

    def transform_all(self, positions: "NDArray[np.int64]", symmetry: Symmetry) -> "NDArray[np.int64]":
        images = positions >> 2 * self.size << 2 * self.size
        for square, goal in enumerate(symmetry):
            for shift in (0, self.size):
                images |= (positions >> (square + shift) & 1) << (goal + shift)
        return images

    def to_text(self, position: Position) -> str:
        letters = "".join(EMPTY if side is None else self.marks[side] for side in self.cells(position))
        rows = (letters[start : start + self.columns] for start in range(0, len(letters), self.columns))
        return f"{'/'.join(rows)} {self.marks[self.side(position)]}"

    def from_text(self, text: str) -> Position:
        *rows, last = [row.strip() for row in text.upper().split("/", self.rows)]
        last, _, mover = last.partition(" ")
        rows.append(last)
        if len(rows) != self.rows or any(len(row) != self.columns for row in rows):
            shape = f"{self.rows} rows of {self.columns} squares, as in {self.to_text(self.start)}"
            raise BadText(f"{quoted(text)}: {self.title} has {shape}")
        masks = [0, 0]
        for square, letter in enumerate("".join(rows)):
            if letter in self.marks:
                masks[self.marks.index(letter)] |= 1 << square
            elif letter not in EMPTY_WHEN_READ:
                allowed = f"{self.marks[0]}, {self.marks[1]} or {EMPTY}"
                raise BadText(f"{quoted(text)}: {quoted(letter)} on {self.grid.name(square)} is not {allowed}")
        implied = self.implied_side(*masks)
        if mover.strip() in self.marks:
            side = Side(self.marks.index(mover.strip()))
        elif implied is not None and not mover.strip():
            side = implied
        else:
            raise BadText(f"{quoted(text)}: end with a space and the side to move, {self.marks[0]} or {self.marks[1]}")
        if fault := self.fault(masks[0], masks[1], side):
            raise BadText(f"{quoted(text)}: {fault}")
        return self.pack(masks[0], masks[1], side)

    def implied_side(self, first: int, second: int) -> Side | None:
        """The side to move where the pieces alone tell it."""
        return None

    def side_of_turn(self, first: int, second: int) -> Side:
        """The side to move where the sides take turns to place a piece that stays."""
        return Side.FIRST if first.bit_count() <= second.bit_count() else Side.SECOND

    def fault_of_turn(self, first: int, second: int, side: Side) -> str | None:
        """Why so many pieces, placed in turn to stay, do not leave `side` to move."""
        x, o = self.marks
        lead = first.bit_count() - second.bit_count()
        if lead not in (0, 1):
            return f"{first.bit_count()} {x} and {second.bit_count()} {o}: {x} must have as many as {o} or one more"
        if side != lead:
            return f"{self.mark(side)} cannot be to move with {first.bit_count()} {x} and {second.bit_count()} {o}"
        return None

    def fault(self, first: int, second: int, side: Side) -> str | None:
        """Why such a board cannot arise in play, or `None` if nothing speaks against it at a glance."""
        return None


LONGER: Final = 4
"""How many times as much a line counts for one more piece."""


def open_lines(game: GridGame, sign: int = 1) -> Estimate:
    """The lines that only the first side stands on, with two pieces or more, minus those of the second side.

    On lines of three this is the heuristic of the lecture on minimax: two pieces and an empty square count 1. On longer
    lines two pieces count 1, and each further piece multiplies that by `LONGER`: a choice of this program.
    """
    lines, size, full = game.grid.lines(game.in_a_row), game.size, game.full
    worth = [0, 0, *(sign * LONGER**more for more in range(game.in_a_row - 2)), 0]

    def estimate(position: Position) -> int:
        first, second = position & full, position >> size & full
        total = 0
        for line in lines:
            own, others = first & line, second & line
            if own:
                if not others:
                    total += worth[own.bit_count()]
            elif others:
                total -= worth[others.bit_count()]
        return total

    return estimate
