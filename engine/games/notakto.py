"""Notakto: both sides place an X, and whoever completes a row on the last open board loses.

notakto       one board of three by three squares
notakto:2     two boards: a board with a row is closed, and the game goes on at the other one
notakto:3     three boards

Boards stand side by side, with a wall between them. After T. E. Plambeck and G. Whitehead, "The Secrets of Notakto:
Winning at X-only Tic-Tac-Toe" (arXiv 1301.1672). On one board the first side wins from the centre, and from no other
square.
"""

import re
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING, Final

from engine.game import BadText, Family, Move, Outcome, Piece, Position, Side, SuccessorsOfMany
from engine.grid import Grid, Symmetry, squares_of
from engine.grid_game import GridGame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_BOARDS: Final = 3
SINGLE_BOARD: Final = Grid(3, 3)


class Notakto(GridGame):
    """One game of the family. A position's first mask has all pieces, its second one the walls between the boards."""

    marks = ("A", "B")
    in_a_row = 3
    has_draws = False
    grows = True

    def __init__(self, boards: int = 1) -> None:
        self.name, self.title = "notakto", "Notakto"
        self.summary = "Both sides place an X; whoever completes three in a row loses."
        if boards > 1:
            self.name, self.title = f"notakto:{boards}", f"Notakto, {boards} boards"
            self.summary = "Both sides place an X; three in a row close a board, and who closes the last one loses."
        self.grid = Grid(3, 4 * boards - 1)
        self.longest = 7 * boards
        self.numbered = boards < MAX_BOARDS
        super().__init__()
        self._boards = [self._squares(board) for board in range(boards)]
        self._masks = [sum(1 << square for square in squares) for squares in self._boards]
        self._rows = [
            [sum(1 << squares[each] for each in squares_of(line)) for line in SINGLE_BOARD.lines(3)]
            for squares in self._boards
        ]
        self.board.pieces = (Piece("X", None), Piece("|", None))[: min(boards, 2)]
        self.lines = tuple(row for rows in self._rows for row in rows)
        self.start = self.pack(0, self.full & ~sum(self._masks), Side.FIRST)
        orders = permutations(range(boards))
        self.symmetries = tuple(self._symmetry(order, turn) for order in orders for turn in SINGLE_BOARD.symmetries)

    def _squares(self, board: int) -> list[int]:
        return [row * self.grid.columns + 4 * board + column for row in range(3) for column in range(3)]

    def _symmetry(self, order: tuple[int, ...], turn: Symmetry) -> Symmetry:
        """Put the boards into this order, and apply `turn` to all of them.

        Turning each board by itself is a symmetry, too, but with so many symmetries the classes would be slow to find.
        """
        goals = list(range(self.size))
        for board, goal in enumerate(order):
            for square in range(SINGLE_BOARD.size):
                goals[self._boards[board][square]] = self._boards[goal][turn[square]]
        return tuple(goals)

    def _open(self, position: Position) -> int:
        """Return the mask of the squares of all boards without a row."""
        boards = zip(self._masks, self._rows, strict=True)
        return sum(mask for mask, rows in boards if all(position & row != row for row in rows))

    def outcome(self, position: Position) -> Outcome | None:
        """Return that the side to move has won, once every board has a row; a full board of X always has one."""
        return None if self._open(position) else Outcome.won_by(self.side(position))

    def moves(self, position: Position) -> tuple[Move, ...]:
        return tuple(squares_of(self._open(position) & ~position))

    def after(self, position: Position, move: Move) -> Position:
        return (position | 1 << move) ^ 1 << 2 * self.size

    def successors_all(self, positions: "NDArray[np.int64]") -> SuccessorsOfMany:
        import numpy as np

        legal = np.zeros((len(positions), self.size), np.bool_)
        for squares, rows in zip(self._boards, self._rows, strict=True):
            closed = np.any([positions & row == row for row in rows], axis=0)
            for square in squares:
                legal[:, square] = ~closed & (positions >> square & 1 == 0)
        source, moves = (each.astype(np.int64, copy=False) for each in np.nonzero(legal))
        after = (positions[source] | 1 << moves) ^ 1 << 2 * self.size
        over = np.all([np.any([after & row == row for row in rows], axis=0) for rows in self._rows], axis=0)
        winner = (after >> 2 * self.size).astype(np.int8)
        return SuccessorsOfMany(source, moves, after, np.where(over, winner, np.int8(-1)))

    def implied_side(self, first: int, second: int) -> Side | None:
        return Side(first.bit_count() % 2)

    def fault(self, first: int, second: int, side: Side, plies: int) -> str | None:
        if second != self.masks(self.start)[1] or first & second:
            return f"the walls stand as in {self.to_text(self.start)}"
        if side is not self.implied_side(first, second):
            return f"{self.mark(side)} cannot be to move after {first.bit_count()} moves"
        for rows in self._rows:
            common = self.full
            for row in rows:
                if first & row == row:
                    common &= row
            if not common:
                return "no single move completes all the rows of a board"
        return None


_notakto = cache(Notakto)  # one instance of each game, so that its space is computed once


def _parse(text: str) -> Notakto:
    if not re.fullmatch(rf"[1-{MAX_BOARDS}]", text):
        raise BadText(f"it takes the number of boards, 1 to {MAX_BOARDS}")
    return _notakto(int(text))


ONE_BOARD: Final = _notakto(1)
NOTAKTO: Final = Family("notakto", "BOARDS", ("notakto:2",), _parse)
