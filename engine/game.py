"""What a game is: pure rules over positions that are plain values.

A game holds no position. A position is one immutable int that includes whose turn it is, so it can be a dictionary
key, a table row or a message between threads without a thought.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, Final, Self

if TYPE_CHECKING:  # the rules alone need no numpy, and the command line starts sooner without
    import numpy as np
    from numpy.typing import NDArray

Position = int
Move = int
Path = tuple[Move, ...]
"""The moves that lead from the root of a tree to a node."""
Successor = tuple[Move, Position, "Outcome | None"]
"""A legal move, the position after it, and how the game ends by it, if it does."""
Symmetry = tuple[int, ...]
"""A permutation of the squares: `symmetry[square]` is the square that `square` is carried to."""


class Side(IntEnum):
    """The first or the second player."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> "Side":
        return Side(1 - self)


class Outcome(IntEnum):
    """How a finished game ended. A decisive outcome has the value of the side that won."""

    FIRST_WINS = 0
    SECOND_WINS = 1
    DRAW = 2

    @classmethod
    def won_by(cls, side: Side) -> Self:
        return cls(side.value)

    @property
    def winner(self) -> Side | None:
        return None if self is Outcome.DRAW else Side(self.value)


class BadText(ValueError):
    """A written position, move, name or file that cannot be read; the message quotes what was given."""


class IllegalMove(ValueError):
    """A move that the rules do not allow in its position; the message quotes both."""


QUOTED: Final = 60


def quoted(text: str) -> str:
    """`text` as it is safe to show in a message: printable characters only, cut at 60."""
    return repr(text if len(text) <= QUOTED else text[: QUOTED - 1] + "…")


Estimate = Callable[[Position], int]
"""A guess of what a running position is worth to the first side."""


@dataclass(frozen=True)
class Heuristic:
    """A way to value a position before the game is over: one whole number, positive where the first side is ahead."""

    words: str
    """What it counts, with `{0}` and `{1}` for the marks of the sides."""
    estimate: Estimate

    def describe(self, game: "Game") -> str:
        """What it counts, with the marks of a game."""
        return self.words.format(*game.marks)


BLIND: Final = Heuristic("nothing: every position that is not over looks even", lambda _: 0)
"""The heuristic of a game that defines none."""


class Game(ABC):
    """The rules of a game for two sides that take turns on a rectangular board.

    Squares are numbered from 0 at the top left, row by row. Every game ends: no position can come back.
    """

    name: ClassVar[str]
    """The word for the game on the command line and in files, such as `tictactoe`."""
    title: ClassVar[str]
    summary: ClassVar[str]
    """The aim of the game in one sentence."""
    rows: ClassVar[int]
    columns: ClassVar[int]
    marks: ClassVar[tuple[str, str]]
    """One character for each side's pieces, and so for the side itself."""
    longest: ClassVar[int]
    """The most moves that a game can last."""
    in_a_row: ClassVar[int] = 0
    """How many pieces in a row the game is about; 0 for another kind of game."""
    has_draws: ClassVar[bool] = True
    """Whether a game can end with no winner."""
    numbered: ClassVar[bool] = True
    """Whether the game is small enough for a `Space`, and so for all that needs one: exact values, learners."""
    heuristic: Heuristic = BLIND
    """How a search values a position at its depth limit."""
    start: Position
    symmetries: tuple[Symmetry, ...]
    """The permutations of the squares that the rules cannot tell apart, the identity first."""

    @abstractmethod
    def side(self, position: Position) -> Side:
        """The side to move (in a finished position: the side that would move next)."""

    @abstractmethod
    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended, or `None` while it runs."""

    @abstractmethod
    def moves(self, position: Position) -> tuple[Move, ...]:
        """The legal moves in ascending order; none in a finished position."""

    @abstractmethod
    def play(self, position: Position, move: Move) -> Position:
        """The position after `move`. Raises `IllegalMove`."""

    def successors(self, position: Position) -> Sequence[Successor]:
        """All that `moves`, `play` and `outcome` say of a position's moves, in ascending order, at once.

        Whatever walks the whole game asks for nothing else: a game that has a quicker way to tell it tells it here.
        """
        after = [(move, self.play(position, move)) for move in self.moves(position)]
        return [(move, reached, self.outcome(reached)) for move, reached in after]

    def passed(self, position: Position) -> Position | None:
        """The position with the other side to move, though it may never come about; `None` where that says nothing."""
        return None

    @abstractmethod
    def cells(self, position: Position) -> tuple[Side | None, ...]:
        """What stands on each square: a side's piece, or nothing."""

    @abstractmethod
    def squares(self, position: Position, move: Move) -> tuple[int, ...]:
        """The squares that a person points at to make `move`, in that order: one to place, two to go from and to."""

    def pointed(self, position: Position, square: int) -> int:
        """The square that a person means who points at `square`: itself, or where a piece falls to from there."""
        return square

    @abstractmethod
    def transform(self, position: Position, symmetry: Symmetry) -> Position:
        """The position as seen through `symmetry`."""

    @abstractmethod
    def transform_all(self, positions: "NDArray[np.int64]", symmetry: Symmetry) -> "NDArray[np.int64]":
        """Many positions at once as seen through `symmetry`, shape (n,)."""

    @abstractmethod
    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        """The move as seen through `symmetry`."""

    @abstractmethod
    def to_text(self, position: Position) -> str:
        """The stable written form: rows from the top joined by `/`, then the side to move, as in `XO./.X./... O`."""

    @abstractmethod
    def from_text(self, text: str) -> Position:
        """Read a position. Takes `-` and `_` for an empty square too. Raises `BadText` on what play cannot reach."""

    @abstractmethod
    def move_name(self, move: Move) -> str:
        """The move's name, as in chess: column letter from the left, row digit from the bottom, such as `b2`."""

    def parse_move(self, position: Position, text: str) -> Move:
        """The legal move of that name. Raises `BadText` for no name, `IllegalMove` for one that cannot be played."""
        wanted = text.strip().lower()
        legal = self.moves(position)
        for move in legal:
            if self.move_name(move) == wanted:
                return move
        where = self.to_text(position)
        names = ", ".join(self.move_name(move) for move in legal)
        if self.is_move_name(wanted):
            raise IllegalMove(f"{wanted} cannot be played in {where}; legal: {names or 'none, the game is over'}")
        raise BadText(f"{quoted(text)} is no move of {self.title}; legal here: {names or 'none, the game is over'}")

    @abstractmethod
    def is_move_name(self, text: str) -> bool:
        """Whether `text` names a move of this game in any position."""

    def mark(self, side: Side) -> str:
        return self.marks[side]
