"""The contract of a game: pure rules over positions that are plain values, and the board that shows them.

A `Game` holds no position. A position is one immutable int that includes whose turn it is. It can serve as a dictionary
key, as a table row, and as a message between threads.

A `Board` says what stands on each square of a position, and at which squares a person points to make a move. A `Piece`
need not belong to a side: only `Game.side` tells who moves.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import permutations
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from engine.grid import Grid, Symmetry

if TYPE_CHECKING:  # the rules alone need no numpy, and the command line starts faster without it
    import numpy as np
    from numpy.typing import NDArray

MAX_PLIES: Final = 10_000
"""The maximum number of moves of a game that has a space: `engine.solve.scores` relies on it."""

MAX_COUNTED: Final = 5_000
"""`Game.most_left` counts up to this many positions, which takes about 0.1 s."""

Position = int
Move = int
MoveSequence = tuple[Move, ...]
"""The moves that lead from the root of a tree to a node."""
Successor = tuple[Move, Position, "Outcome | None"]
"""A legal move, the position after it, and the outcome of that position; `None` while the game runs."""


class Side(IntEnum):
    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side(1 - self)


SIDES: Final[Mapping[str, tuple[Side, ...]]] = {"first": (Side.FIRST,), "second": (Side.SECOND,), "both": tuple(Side)}
"""The sides that each word stands for."""


class Outcome(IntEnum):
    """How a finished game ended. If a side won, the outcome has the value of that side."""

    FIRST_WINS = 0
    SECOND_WINS = 1
    DRAW = 2

    def __bool__(self) -> bool:
        """Return `True` for each outcome, so that `if game.outcome(position):` means that the game is over."""
        return True

    @classmethod
    def won_by(cls, side: Side) -> Self:
        """Return the outcome in which `side` wins."""
        return cls(side.value)

    @property
    def winner(self) -> Side | None:
        """The side that won, or `None` after a draw."""
        return None if self is Outcome.DRAW else Side(self.value)


class SuccessorsOfMany(NamedTuple):
    """The moves of many positions, one row for each pair of a position and a move, shape (m,) each."""

    source: "NDArray[np.int64]"
    """The index of the position."""
    move: "NDArray[np.int64]"
    after: "NDArray[np.int64]"
    outcome: "NDArray[np.int8]"
    """The `Outcome` of the position after the move; −1 if the game continues."""


class SpaceSize(NamedTuple):
    positions: int
    edges: int


class BadText(ValueError):
    """A text for a position, move, name or file that cannot be read. The message quotes the text."""


class PluginFailed(BadText):
    """A plug-in has failed in use. The message names it and says why, in one line; it is shown like any `BadText`."""

    def __rich__(self) -> str:
        """Return the message: Textual then ends the app without a traceback."""
        return str(self)


class IllegalMove(ValueError):
    """A move that the rules do not allow in its position. The message quotes the move and the position."""


QUOTED: Final = 60
"""A message quotes at most this many characters of a text, and twice as many if most of them must be escaped."""


def quoted(text: str) -> str:
    """Return `text` made safe to show in a message: in quotes, with printable characters only, cut at `QUOTED`."""
    if len(text) <= QUOTED and len(repr(text)) <= 2 * QUOTED:
        return repr(text)
    length = next(length for length in range(QUOTED - 1, 0, -1) if len(repr(text[:length])) <= 2 * QUOTED)
    return repr(text[:length] + "…")


Estimate = Callable[[Position], int]
"""Estimates the value of a running position for the first side."""


@dataclass(frozen=True)
class Heuristic:
    """An estimate of a position that is not over: one integer, positive where the first side is ahead."""

    words: str
    """What the estimate counts, with `{0}` and `{1}` for the marks of the sides."""
    estimate: Estimate

    def describe(self, game: "Game") -> str:
        return self.words.format(*game.marks)


BLIND: Final = Heuristic("nothing: every position that is not over looks even", lambda _: 0)


@dataclass(frozen=True)
class Piece:
    """A kind of piece that can stand on a square."""

    mark: str
    """The character that the piece is drawn and written with."""
    side: Side | None
    """The side that the piece belongs to, or `None` where both sides use it."""


class Board(ABC):
    """How positions are shown, and how a person points at moves: a rectangle of squares with pieces on them.

    Squares are numbered from 0 at the top left, row by row.
    """

    grid: Grid
    pieces: tuple[Piece, ...]
    """All pieces of the game. No two have the same mark."""
    discs: bool = False
    """Whether pieces are drawn as discs, not as their marks: where they fall, or are stones."""
    heaps: bool = False
    """Whether each row is a heap of stones at its left, and a stone is taken with all to its right."""
    any_order: bool = False
    """Whether a person may point at the squares of a move in any order, as at the two ends of a domino."""

    @property
    def rows(self) -> int:
        return self.grid.rows

    @property
    def columns(self) -> int:
        return self.grid.columns

    @abstractmethod
    def cells(self, position: Position) -> tuple[Piece | None, ...]:
        """Return what stands on each square, by the number of the square; `None` on an empty one."""

    @abstractmethod
    def squares(self, position: Position, move: Move) -> tuple[int, ...]:
        """Return the squares to point at to make `move`, in that order: one to place a piece, two to go from and to.

        Moves of a position with the same squares differ in `option`. If two moves have different squares, the squares
        of one are never the first squares of the other, so that a person never has to confirm the end of a move.
        """

    def ways(self, position: Position, move: Move) -> tuple[tuple[int, ...], ...]:
        """Return the squares of a move in each order in which a person may point at them."""
        squares = self.squares(position, move)
        return tuple(permutations(squares)) if self.any_order else (squares,)

    def option(self, position: Position, move: Move) -> str:
        """Return the choice that distinguishes moves with the same squares: one character, such as a piece's mark."""
        return ""

    def pointed(self, position: Position, square: int) -> int:
        """Return the square that a person means by pointing at `square`: itself, or where a dropped piece lands."""
        return square

    def completed(self, position: Position) -> tuple[tuple[int, ...], ...]:
        """Return the squares of each completed row, to be highlighted; empty in a game without rows."""
        return ()


class Game(ABC):
    """The rules of a game for two sides that take turns. Every game ends: no position can occur twice."""

    name: str
    """The word for the game on the command line and in files, such as `tictactoe`."""
    title: str
    summary: str
    """The aim of the game in one sentence."""
    how_to_move: str = ""
    """How the pieces move, in one sentence; empty where a move only fills a square."""
    marks: tuple[str, str]
    """The names of the sides, one character each. Pieces have marks of their own: see `Piece`."""
    longest: int
    """The number of moves of the longest game; in a few games, such as `mnk:3,3,2`, only an upper bound of it."""
    in_a_row: int = 0
    """How many pieces in a row end the game; 0 where rows do not count."""
    has_draws: bool = True
    """Whether a game can end without a winner."""
    numbered: bool = True
    """Whether the game is small enough for a `Space`, which exact values and most learners need."""
    grows: bool = False
    """Whether no position occurs at two different plies, for example since every move adds a piece that stays.

    The `Space` of such a game is built ply by ply, which is faster."""
    places_pieces: bool = False
    """Whether a move places a piece of the side to move on any empty square, until one side has a row or none is empty.

    On a falling board the piece falls. If such a game has at most 62 squares, its playouts are compiled, even if it
    is not `numbered`. To build its space, many positions are expanded together."""
    heuristic: Heuristic = BLIND
    """How a search estimates a position at its depth limit."""
    board: Board
    start: Position
    symmetries: tuple[Symmetry, ...]
    """The permutations of the squares that the rules cannot tell apart, the identity first."""

    @property
    def space_size(self) -> SpaceSize | None:
        """The size of the game's space, if it is known before building, so that a lack of memory is noticed at once."""
        return None

    @property
    def is_large(self) -> bool:
        """Whether the game's space takes so long to build that it is kept in the cache."""
        return False

    @property
    def learnable(self) -> bool:
        """Whether learners can remember the game, which takes some hundred bytes for each move in each position."""
        return self.numbered

    @abstractmethod
    def side(self, position: Position) -> Side:
        """Return the side to move; in a finished position, the side that would move next."""

    @abstractmethod
    def outcome(self, position: Position) -> Outcome | None:
        """Return how the game ended, or `None` while it runs."""

    def end_reason(self, position: Position) -> str:
        """Return why the game ended, if the board does not show that, such as `B cannot move`; otherwise empty."""
        return ""

    @abstractmethod
    def moves(self, position: Position) -> tuple[Move, ...]:
        """Return the legal moves in ascending order; none in a finished position."""

    @abstractmethod
    def play(self, position: Position, move: Move) -> Position:
        """Return the position after `move`. Raises `IllegalMove`."""

    def successors(self, position: Position) -> Sequence[Successor]:
        """Return the legal moves in ascending order, each with the next position and its outcome; none after the end.

        It must agree with `moves`, `play` and `outcome`. Everything that walks whole games calls only this method, so
        override it if one pass over the position is faster.
        """
        successors = []
        for move in self.moves(position):
            after = self.play(position, move)
            successors.append((move, after, self.outcome(after)))
        return successors

    def successors_all(self, positions: "NDArray[np.int64]") -> "SuccessorsOfMany":
        """Return the successors of many running positions, ordered by position and then by move.

        It must agree with `successors`. Override it in a game that `grows` if numpy can compute whole arrays at once.
        """
        import numpy as np

        rows = []
        for index, position in enumerate(positions.tolist()):
            for move, reached, outcome in self.successors(position):
                rows.append((index, move, reached, -1 if outcome is None else outcome))
        source, moves, after, outcomes = np.array(rows, np.int64).reshape(-1, 4).T
        return SuccessorsOfMany(source, moves, after, outcomes.astype(np.int8))

    def most_left(self, position: Position) -> int | None:
        """Return an upper bound on the number of positions reachable from `position`; `None` if over `MAX_COUNTED`.

        The bound decides whether a position of a game that is not `numbered` can be searched to the end. Override this
        method in a game for which a formula can tell more.
        """
        seen, stack = {position}, [position]
        while stack:
            new = {after for _, after, _ in self.successors(stack.pop())} - seen
            seen |= new
            stack += new
            if len(seen) > MAX_COUNTED:
                return None
        return len(seen)

    def null_move(self, position: Position) -> Position | None:
        """Return the position with the other side to move, or `None` if that has no meaning by the rules.

        The position serves to find the opponent's threats, and may be one that play cannot reach.
        """
        return None

    @abstractmethod
    def transform(self, position: Position, symmetry: Symmetry) -> Position:
        """Return the position as seen through `symmetry`."""

    def transform_all(self, positions: "NDArray[np.int64]", symmetry: Symmetry) -> "NDArray[np.int64]":
        """Return many positions as seen through `symmetry`, shape (n,). Override it if there is a faster way."""
        images = positions.copy()
        images[:] = [self.transform(position, symmetry) for position in positions.tolist()]
        return images

    @abstractmethod
    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        """Return the move as seen through `symmetry`."""

    @abstractmethod
    def to_text(self, position: Position) -> str:
        """Return the stable written form: rows from the top, then the side to move: `XO./.X./... O`."""

    @abstractmethod
    def from_text(self, text: str) -> Position:
        """Read a position. `-` and `_` are also empty squares. Raises `BadText` if play cannot reach the position."""

    @abstractmethod
    def move_name(self, move: Move) -> str:
        """Return the move's name, as in chess: column letter from the left, row digit from the bottom, such as `b2`."""

    def move_label(self, position: Position, move: Move) -> str:
        """Return what a person calls a move, in few letters: its name, its column if pieces fall, or `2 of 1`."""
        return self.move_name(move)

    def move_labels(self, position: Position, moves: Iterable[Move]) -> list[str]:
        """Return the labels of moves that follow each other."""
        labels = []
        for move in moves:
            labels.append(self.move_label(position, move))
            position = self.play(position, move)
        return labels

    def move_words(self, position: Position, move: Move) -> str:
        """Return what a sentence calls a move: its label, or `2 of heap 1` or `a1 to a2`."""
        return self.move_label(position, move)

    def parse_move(self, position: Position, text: str) -> Move:
        """Return the legal move of this name. Raises `BadText`; `IllegalMove` if the move is illegal here."""
        name = text.strip().lower()
        for move in self.moves(position):  # many are parsed
            if self.move_name(move) == name:
                return move
        legal = [*map(self.move_name, self.moves(position))]
        names = ", ".join(legal) or "none, the game is over"
        longer = [each for each in legal if name and each.startswith(name)]
        if longer:
            raise BadText(f"{name} can be {' or '.join(longer)}: write one of them")
        if self.is_move_name(name):
            raise IllegalMove(f"{name} cannot be played in {self.to_text(position)}; legal: {names}")
        raise BadText(f"{quoted(text)} is not a move of {self.title}; legal here: {names}")

    @abstractmethod
    def is_move_name(self, text: str) -> bool:
        """Return whether `text` names a move of this game in any position."""

    def mark(self, side: Side) -> str:
        """Return the name of a side, one character."""
        return self.marks[side]

    def __eq__(self, other: object) -> bool:
        """Return whether the other game has the same name and class, and so the same rules."""
        return isinstance(other, Game) and self.name == other.name and type(self) is type(other)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<game {self.name}>"


@dataclass(frozen=True)
class Family:
    """Games that differ in a few parameters, which follow a colon in the name, as in `mnk:4,3,3`."""

    name: str
    """The beginning of the names of all games of the family."""
    form: str
    """The part of a name after the colon, as help shows it."""
    examples: tuple[str, ...]
    """The names of some of its games, which menus and completion offer."""
    parse: Callable[[str], Game]
    """Returns a game, given the part of its name after the colon. Raises `BadText` with the reason if there is none."""
