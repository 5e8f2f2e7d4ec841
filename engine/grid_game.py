"""Games whose position consists of the pieces of both sides on the squares, and the side to move.

mask     one bit for each square, as in `engine.grid`
place    a square in the first mask, or the number of squares + a square in the second
position first side's mask | second side's mask << squares | side to move << 2×squares | plies made << 2×squares + 1;
         plies are counted only in a game that has a `ply_limit`
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Final

from engine.game import (
    BadText,
    Board,
    Game,
    IllegalMove,
    Move,
    Outcome,
    Piece,
    Position,
    Side,
    Successor,
    SuccessorsOfMany,
    quoted,
)
from engine.grid import EMPTY, EMPTY_WHEN_READ, Grid, Symmetry, squares_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONGEST_TEXT: Final = 10_000
"""A text of this many characters cannot be a position."""


class GridBoard(Board):
    """The board of a `GridGame`: each mask holds pieces of one kind, and a move places a piece on a square."""

    def __init__(self, game: "GridGame") -> None:
        """Draw each side's pieces with its mark.

        A game in which both sides place the same piece sets `pieces` to that piece, and keeps all pieces in the first
        mask. A game that `chooses_piece` sets `pieces` to two pieces that belong to no side.
        """
        self.game, self.grid = game, game.grid
        self.discs = game.falls and not game.chooses_piece
        self.pieces = tuple(Piece(mark, side) for mark, side in zip(game.marks, Side, strict=True))

    def cells(self, position: Position) -> tuple[Piece | None, ...]:
        size = self.grid.size
        cells: list[Piece | None] = [None] * size
        for square in range(size):
            if position >> square & 1:
                cells[square] = self.pieces[0]
            elif position >> size + square & 1:  # never in a game with one kind of piece
                cells[square] = self.pieces[-1]
        return tuple(cells)

    def squares(self, position: Position, move: Move) -> tuple[int, ...]:
        return (move % self.grid.size,)

    def option(self, position: Position, move: Move) -> str:
        return self.pieces[move // self.grid.size].mark if self.game.chooses_piece else ""

    def pointed(self, position: Position, square: int) -> int:
        """Return the square; if pieces fall, the one where a piece lands in its column, unless the column is full."""
        if not self.game.falls:
            return square
        column = range(square % self.columns, self.grid.size, self.columns)
        return max((each for each in column if self.game.empty(position) >> each & 1), default=square)

    def completed(self, position: Position) -> tuple[tuple[int, ...], ...]:
        masks = position, position >> self.grid.size
        return tuple(tuple(squares_of(line)) for line in self.game.lines if any(mask & line == line for mask in masks))


class GridGame(Game):
    """A game whose position consists of the pieces of both sides on the squares, and the side to move.

    By default a move is the empty square on which the side to move places a piece, which stays there. Such a game
    defines `name`, `title`, `summary`, `grid` and `outcome`. A game with other moves overrides `moves`, `after`,
    `transform_move`, `move_name` and `is_move_name`, and sets another `board`. A game in which pieces go from square to
    square derives from `StepGame`.

    If pieces could go back and forth for ever, set `ply_limit`, and let `outcome` end with `limit_outcome`.
    """

    board: GridBoard

    marks = ("X", "O")
    falls: bool = False
    """Whether a piece falls to the lowest empty square of its column. A person may point at any of its squares."""
    chooses_piece: bool = False
    """Whether a side places either piece. A move is then the place of the new piece."""
    lines: tuple[int, ...]
    """The masks of the rows of `in_a_row` squares; none where rows do not count."""
    ply_limit: int = 0
    """The number of plies after which a game is a draw; 0 for no such rule.

    With the rule, a position includes the number of plies made, so that none can come back, and the game `grows`. The
    text of a position ends with that number, as in `XO./.X./... O 3`."""
    ends: tuple[Outcome, Outcome] = (Outcome.FIRST_WINS, Outcome.SECOND_WINS)
    """The outcome once the first side completes a row, and once the second side does, in games where rows count."""
    grid: Grid
    size: int
    full: int
    """The mask of all squares."""

    def __init__(self) -> None:
        """Begin with an empty board, the first side to move, and no symmetry but the identity.

        A game with another start overwrites `start`, and a game with symmetries overwrites `symmetries`. Raises
        `BadText` for a grid whose positions do not fit in the 63 bits of a `numbered` game.
        """
        self.size, self.full = self.grid.size, (1 << self.grid.size) - 1
        max_size = (62 - self.ply_limit.bit_length()) // 2  # two masks, one bit for the side, and the plies
        if self.numbered and self.size > max_size:
            raise BadText(
                f"a grid of {self.size} squares is too large for a numbered game, which has at most {max_size}: "
                "choose a smaller one, or set `numbered` to False before `super().__init__()`"
            )
        if "longest" not in vars(self) and not hasattr(type(self), "longest"):  # it may be a property of a plug-in
            self.longest = self.ply_limit or self.size
        self.grows = self.grows or self.ply_limit > 0 or self.places_pieces
        if not hasattr(self, "lines"):
            self.lines = self.grid.lines(self.in_a_row) if self.in_a_row else ()
        self.board = GridBoard(self)
        self.start = self.pack(0, 0, Side.FIRST)
        self.symmetries = (tuple(range(self.size)),)

    def pack(self, first: int, second: int, side: Side, plies: int = 0) -> Position:
        """Return the position with these masks of pieces and `side` to move; `plies` only with a `ply_limit`."""
        return first | second << self.size | side << 2 * self.size | plies << 2 * self.size + 1

    def masks(self, position: Position) -> tuple[int, int]:
        return position & self.full, position >> self.size & self.full

    def side(self, position: Position) -> Side:
        return Side(position >> 2 * self.size & 1)

    def plies(self, position: Position) -> int:
        """Return the number of plies made; 0 in a game without a `ply_limit`."""
        return position >> 2 * self.size + 1

    def limit_outcome(self, position: Position) -> Outcome | None:
        """Return a draw once `ply_limit` plies are made, else `None`; for positions that nobody has won."""
        return Outcome.DRAW if self.ply_limit and self.plies(position) >= self.ply_limit else None

    def empty(self, position: Position) -> int:
        return self.full & ~(position | position >> self.size)

    def moves(self, position: Position) -> tuple[Move, ...]:
        """Return the `playable` squares while the game runs; both places of each in a game that `chooses_piece`."""
        if self.outcome(position) is not None:
            return ()
        return self.moves_to(self.playable(position))

    def playable(self, position: Position) -> int:
        """Return the mask of the squares that take a piece: the empty ones or, if pieces fall, the lowest of them."""
        empty = self.empty(position)
        return empty & ~(empty >> self.grid.columns) if self.falls else empty

    def moves_to(self, squares: int) -> tuple[Move, ...]:
        """Return the moves that place a piece on these squares, given as a mask, in ascending order."""
        return tuple(squares_of(squares | squares << self.size if self.chooses_piece else squares))

    def after(self, position: Position, move: Move) -> Position:
        """Return the position after a legal move, unchecked."""
        mask = 0 if self.chooses_piece else position >> 2 * self.size & 1
        return self.pass_turn(position | 1 << move + mask * self.size)

    def pass_turn(self, position: Position) -> Position:
        """Give the turn to the other side, and count a ply in a game with a `ply_limit`."""
        position ^= 1 << 2 * self.size
        if self.ply_limit:
            position += 2 << 2 * self.size
        return position

    def play(self, position: Position, move: Move) -> Position:
        if move not in self.moves(position):
            raise IllegalMove(f"move {move} cannot be played in {self.to_text(position)}")
        return self.after(position, move)

    def successors(self, position: Position) -> Sequence[Successor]:
        successors = []
        for move in self.moves(position):
            after = self.after(position, move)
            successors.append((move, after, self.outcome(after)))
        return successors

    def successors_all(self, positions: "NDArray[np.int64]") -> SuccessorsOfMany:
        if self.places_pieces:
            return self.placed_successors_all(positions)
        return super().successors_all(positions)

    def placed_successors_all(self, positions: "NDArray[np.int64]") -> SuccessorsOfMany:
        """Return the successors of many running positions, in a game in which a move only places a piece.

        It places a piece of the side to move or, if it `chooses_piece`, either piece. A side that completes a row ends
        the game with its outcome in `ends`.
        """
        import numpy as np

        chosen, taken = self.chooses_piece, (positions | positions >> self.size) & self.full
        empty = self.full & ~taken
        playable = empty & ~(empty >> self.grid.columns) if self.falls else empty
        legal = np.empty((len(positions), 2 * self.size if chosen else self.size), np.bool_)
        for move in range(legal.shape[1]):
            legal[:, move] = playable >> move % self.size & 1
        source, moves = (each.astype(np.int64, copy=False) for each in np.nonzero(legal))
        turn = positions >> 2 * self.size
        square, mask = (moves % self.size, moves // self.size) if chosen else (moves, turn[source])
        after = (positions ^ 1 << 2 * self.size)[source] | 1 << square + mask * self.size
        own = after >> mask * self.size & self.full
        row = np.zeros(len(own), np.bool_)
        for line in self.lines:
            row |= own & line == line
        outcome = np.where((taken[source] | 1 << square) == self.full, np.int8(Outcome.DRAW), np.int8(-1))
        outcome[row] = np.array(self.ends, np.int8)[turn[source[row]]]
        return SuccessorsOfMany(source, moves, after, outcome)

    def most_left(self, position: Position) -> int | None:
        """Return the number of ways to fill the board in turn, even past a complete row, if it `places_pieces`."""
        return self.most_placed(position) if self.places_pieces else super().most_left(position)

    def most_placed(self, position: Position) -> int:
        """Count the ways to put 0, 1, 2 … pieces in turn on the empty squares."""
        empty = self.empty(position)
        column = sum(1 << row * self.grid.columns for row in range(self.grid.rows))
        rooms = [1] * empty.bit_count()
        if self.falls:
            rooms = [(empty & column << i).bit_count() for i in range(self.grid.columns)]
        ways = [1]  # in how many ways each number of the empty squares can be the filled ones
        for room in rooms:
            ways_with_room = [0] * (len(ways) + room)
            for (pieces, count), dropped in product(enumerate(ways), range(room + 1)):
                ways_with_room[pieces + dropped] += count
            ways = ways_with_room
        if self.chooses_piece:
            return sum(count * 2**pieces for pieces, count in enumerate(ways))
        return sum(count * comb(pieces, pieces // 2) for pieces, count in enumerate(ways))

    def null_move(self, position: Position) -> Position | None:
        """Return the position with the other side to move; `None` without a ply left before the `ply_limit`."""
        if self.ply_limit and self.plies(position) >= self.ply_limit - 1:
            return None
        return position ^ 1 << 2 * self.size

    def transform(self, position: Position, symmetry: Symmetry) -> Position:
        width = len(symmetry)  # the squares of each mask, or all places
        image = position >> 2 * self.size << 2 * self.size
        for place in squares_of(position ^ image):
            image |= 1 << symmetry[place % width] + place - place % width
        return image

    def _places(self, symmetry: Symmetry) -> Symmetry:
        """Return the permutation of places: `symmetry` itself, or a permutation of squares applied to both masks."""
        return symmetry if len(symmetry) > self.size else (*symmetry, *(self.size + goal for goal in symmetry))

    def transform_all(self, positions: "NDArray[np.int64]", symmetry: Symmetry) -> "NDArray[np.int64]":
        import numpy as np

        images = positions >> 2 * self.size << 2 * self.size
        places = self._places(symmetry)
        for first in range(0, len(places), PLACES_AT_ONCE):
            table = np.zeros(1, np.int64)  # the image of each combination of pieces on the next places
            for goal in places[first : first + PLACES_AT_ONCE]:
                table = np.concatenate([table, table | 1 << goal])
            images |= table[positions >> first & len(table) - 1]
        return images

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        return self._places(symmetry)[move]

    def move_name(self, move: Move) -> str:
        """Return the name of the square that the piece is placed on, and of the piece if a person chooses it: `b2x`."""
        return self._names[move]

    def move_label(self, position: Position, move: Move) -> str:
        return self.move_name(move)[: 1 if self.board.discs else None]

    def is_move_name(self, text: str) -> bool:
        return text in map(self.move_name, range(len(self._names)))

    @cached_property
    def _names(self) -> list[str]:
        options = [self.board.option(self.start, move).lower() for move in range(0, 2 * self.size, self.size)]
        return [name + option for option in options[: 1 + self.chooses_piece] for name in self.grid.names]

    def to_text(self, position: Position) -> str:
        """Return the rows from the top joined by `/`, the side to move, and the plies if there is a `ply_limit`."""
        letters = "".join(EMPTY if piece is None else piece.mark for piece in self.board.cells(position))
        columns = self.grid.columns
        rows = (letters[start : start + columns] for start in range(0, len(letters), columns))
        count = f" {self.plies(position)}" if self.ply_limit else ""
        return f"{'/'.join(rows)} {self.marks[self.side(position)]}{count}"

    def from_text(self, text: str) -> Position:
        """Read a position. Raises `BadText` for a text that shows no board, and for a position with a `fault`."""
        shown = text.upper() if len(text) < LONGEST_TEXT else ""  # no copies of a text that is no position anyway
        *rows, last = [row.strip() for row in shown.split("/", self.grid.rows)]
        last, _, mover = last.partition(" ")
        rows.append(last)
        if len(rows) != self.grid.rows or {*map(len, rows)} != {self.grid.columns}:
            shape = f"{self.grid.rows} rows of {self.grid.columns} squares, as in {self.to_text(self.start)}"
            raise BadText(f"{quoted(text)}: {self.title} has {shape}")
        masks, marks = [0, 0], self._numbers
        for square, letter in enumerate("".join(rows)):
            if letter in marks:
                masks[marks[letter]] |= 1 << square
            elif letter not in EMPTY_WHEN_READ:
                allowed = f"{', '.join(marks)} or {EMPTY}"
                raise BadText(f"{quoted(text)}: {quoted(letter)} on {self.grid.name(square)} is not {allowed}")
        (first, second), mover, plies = masks, mover.strip(), 0
        if self.ply_limit:
            mover, _, count = mover.rpartition(" ")
            mover, plies = mover.strip(), self._read_plies(text, count)
        implied = None if mover else self.implied_side(first, second)
        side = Side(self.marks.index(mover)) if mover in self.marks else implied
        if side is None:
            raise BadText(f"{quoted(text)}: end with a space and the side to move, {self.marks[0]} or {self.marks[1]}")
        fault = self.fault(first, second, side, plies)
        if fault:
            raise BadText(f"{quoted(text)}: {fault}")
        return self.pack(first, second, side, plies)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {piece.mark: number for number, piece in enumerate(self.board.pieces)}

    def _read_plies(self, text: str, count: str) -> int:
        is_number = count.isascii() and count.isdecimal() and len(count) <= len(str(self.ply_limit))
        if not is_number or int(count) > self.ply_limit:
            advice = f"end with the number of moves made, from 0 to {self.ply_limit}, as in {self.to_text(self.start)}"
            raise BadText(f"{quoted(text)}: {advice}")
        return int(count)

    def implied_side(self, first: int, second: int) -> Side | None:
        """Return the side to move, where the pieces alone determine it; it may then be left out of a text."""
        return None

    def side_of_turn(self, first: int, second: int) -> Side:
        """Return the side to move in a game in which the sides take turns to place pieces that stay."""
        return Side.FIRST if first.bit_count() <= second.bit_count() else Side.SECOND

    def fault_of_turn(self, first: int, second: int, side: Side) -> str | None:
        """Return the reason why `side` cannot be to move after these pieces were placed in turn; `None` if it can."""
        x, o = self.marks
        lead = first.bit_count() - second.bit_count()
        if lead not in (0, 1):
            return f"{first.bit_count()} {x} and {second.bit_count()} {o}: {x} must have as many as {o} or one more"
        if side != lead:
            return f"{self.mark(side)} cannot be to move with {first.bit_count()} {x} and {second.bit_count()} {o}"
        return None

    def fault(self, first: int, second: int, side: Side, plies: int) -> str | None:
        """Return the reason why play cannot reach this board, after `plies` plies if there is a `ply_limit`; or `None`.

        By default the board is looked up among all positions that play can reach, which are listed once. Override this
        in a game with many positions, or one that is not `numbered`: such a game may accept a position that play cannot
        reach.
        """
        if self.numbered and self.pack(first, second, side, plies) not in self._reachable:
            return "no play from the start leads to it"
        return None

    def leads_to(self, goal: Position) -> bool:
        """Return whether pieces placed in turn can lead to `goal`; `True` after `MAX_VISITED` positions."""
        pieces = goal & (1 << 2 * self.size) - 1
        seen, stack = {self.start}, [self.start]
        while stack and len(seen) < MAX_VISITED:
            position = stack.pop()
            if position == goal:
                return True
            after = {self.after(position, move) for move in self.moves(position)}
            fitting = {each for each in after if not each & (1 << 2 * self.size) - 1 & ~pieces} - seen
            seen |= fitting
            stack += fitting
        return bool(stack)

    @cached_property
    def _reachable(self) -> frozenset[Position]:
        seen, stack = {self.start}, [self.start]
        while stack:
            new = {after for _, after, _ in self.successors(stack.pop())} - seen
            seen |= new
            stack += new
        return frozenset(seen)


PLACES_AT_ONCE: Final = 12
"""How many places `GridGame.transform_all` looks up at once."""
MAX_VISITED: Final = 20_000
"""The number of positions that `GridGame.leads_to` visits before it accepts a written position without proof."""
