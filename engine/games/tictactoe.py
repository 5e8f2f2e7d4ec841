"""Tic-tac-toe: three in a row on three by three."""

from collections.abc import Sequence
from typing import Final

from engine.game import Heuristic, IllegalMove, Move, Outcome, Position, Side, Successor
from engine.grid import Grid, squares_of
from engine.row_game import RowGame, open_lines

FULL: Final = (1 << 9) - 1
SQUARES: Final = tuple(tuple((square, 1 << square) for square in squares_of(mask)) for mask in range(FULL + 1))
"""The squares of every mask in ascending order, each with its bit."""


class TicTacToe(RowGame):
    name = "tictactoe"
    title = "Tic-tac-toe"
    summary = "Three in a row wins."
    in_a_row = 3
    places_pieces = True
    grid = Grid(3, 3)

    def __init__(self) -> None:
        super().__init__()
        self.complete = frozenset(mask for line in self.lines for mask in range(1 << 9) if mask & line == line)
        """All masks that contain three in a row: a table, for speed."""
        self.symmetries = self.grid.symmetries
        self.heuristic = Heuristic("lines with two {0} and an empty square, less those of {1}", open_lines(self))

    def outcome(self, position: Position) -> Outcome | None:
        first, second = self.masks(position)
        if first in self.complete:
            return self.ends[Side.FIRST]
        if second in self.complete:
            return self.ends[Side.SECOND]
        return Outcome.DRAW if first | second == FULL else None

    def play(self, position: Position, move: Move) -> Position:
        first, second = self.masks(position)
        if not 0 <= move < 9 or (first | second) >> move & 1 or self.outcome(position) is not None:
            raise IllegalMove(f"move {move} cannot be played in {self.to_text(position)}")
        if self.side(position) is Side.FIRST:
            return self.pack(first | 1 << move, second, Side.SECOND)
        return self.pack(first, second | 1 << move, Side.FIRST)

    def successors(self, position: Position) -> Sequence[Successor]:
        complete, first, second = self.complete, position & FULL, position >> 9 & FULL
        turn = position >> 18
        own, enemy, shift = (second, first, 9) if turn else (first, second, 0)
        if enemy in complete:
            return ()
        won, empty, passed = self.ends[turn], FULL & ~(first | second), position ^ 1 << 18
        without_row = None if empty & empty - 1 else Outcome.DRAW
        successors = []
        for square, bit in SQUARES[empty]:
            successors.append((square, passed | bit << shift, won if own | bit in complete else without_row))
        return successors


TICTACTOE: Final = TicTacToe()
