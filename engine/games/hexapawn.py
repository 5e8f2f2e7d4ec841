"""Hexapawn, after Martin Gardner (Scientific American, March 1962), on three by three and on larger boards.

hexapawn         three columns and three rows, as in the source
hexapawn:3,4     three columns and four rows

Each side has a pawn on every square of its own edge; the first side's stand at the bottom and move up. A pawn steps
straight ahead onto an empty square or takes diagonally ahead. A side wins by reaching the far edge, by taking all pawns
of the opponent, or by leaving the opponent without a move.
"""

import re
from functools import cache
from typing import Final

from engine.game import BadText, Family, Heuristic, Move, Outcome, Position, Side
from engine.grid import Grid, squares_of
from engine.step_game import StepGame

USUAL_SIZE: Final = 3
"""The columns and rows of the board of the source."""
MAX_SIZE: Final = 9
NUMBERED_ROWS: Final = (9, 9, 9, 4, 3, 3, 0, 0, 0)
"""The maximum number of rows for which the game has a `Space`, built in about a second, by number of columns from 1."""
PARAMETERS: Final = re.compile(r"(\d{1,3}),(\d{1,3})")


class Hexapawn(StepGame):
    summary = "Reach the far edge, take all pawns, or block the opponent."
    how_to_move = "A pawn steps one square straight ahead, or takes one square diagonally ahead."
    marks = ("W", "B")
    has_draws = False

    def __init__(self, columns: int, rows: int) -> None:
        self.grid = Grid(rows, columns)
        self.longest = 2 * columns * (rows - 2) + 1  # every pawn steps to the row before its far edge, and one onto it
        self.numbered = rows <= NUMBERED_ROWS[columns - 1]
        self.name, self.title = f"hexapawn:{columns},{rows}", f"{columns}×{rows} hexapawn"
        if columns == rows == USUAL_SIZE:
            self.name, self.title = "hexapawn", "Hexapawn"
        super().__init__()
        top = (1 << columns) - 1
        self.far_edge = top, top << self.size - columns
        """The mask of the row that each side has to reach."""
        self.start = self.pack(self.far_edge[Side.SECOND], self.far_edge[Side.FIRST], Side.FIRST)
        self.symmetries = tuple(dict.fromkeys((*self.symmetries, self.grid.mirror)))
        self.heuristic = Heuristic("moves that the pawns of {0} could make, less those of {1}", self._more_steps)
        self._ways = tuple(tuple(self._ways_from(square, side) for square in range(self.size)) for side in Side)

    def _ways_from(self, square: int, side: Side) -> list[tuple[Move, int, bool]]:
        """Return the moves of a pawn on `square`, ascending, each with the mask of its goal and whether it takes."""
        columns = self.grid.columns
        row = square // columns + (1 if side is Side.SECOND else -1)
        if not 0 <= row < self.grid.rows:
            return []
        ways = []
        for aside in (-1, 0, 1):
            column = square % columns + aside
            if 0 <= column < columns:
                goal = row * columns + column
                ways.append((square * self.size + goal, 1 << goal, aside != 0))
        return ways

    def outcome(self, position: Position) -> Outcome | None:
        """Return who won, or `None`. A side without a move has lost."""
        enemy = self.side(position).other
        if self.masks(position)[enemy] & self.far_edge[enemy] or not self.steps(position):
            return Outcome.won_by(enemy)
        return None

    def end_reason(self, position: Position) -> str:
        return "" if self.steps(position) else f"{self.mark(self.side(position))} cannot move"

    def moves(self, position: Position) -> tuple[Move, ...]:
        return () if self.outcome(position) is not None else tuple(self.steps(position))

    def steps(self, position: Position) -> list[Move]:
        """Return the pawn moves of the side to move in ascending order, whether or not the game is over."""
        side = self.side(position)
        own, enemy = self.masks(position)[side], self.masks(position)[side.other]
        ways, goals = self._ways[side], (self.empty(position), enemy)
        return [move for square in squares_of(own) for move, goal, takes in ways[square] if goals[takes] & goal]

    def _more_steps(self, position: Position) -> int:
        """Return the number of pawn moves of the first side minus that of the second, as if each were to move."""
        first, second = self.masks(position)
        steps = [len(self.steps(self.pack(first, second, side))) for side in Side]
        return steps[Side.FIRST] - steps[Side.SECOND]

    def fault(self, first: int, second: int, side: Side, plies: int) -> str | None:
        if max(first.bit_count(), second.bit_count()) > self.grid.columns:
            return f"a side has more than {self.grid.columns} pawns"
        if (first, second)[side] & self.far_edge[side]:
            return f"{self.mark(side)} cannot be to move: it has reached the far edge"
        return super().fault(first, second, side, plies)


_hexapawn = cache(Hexapawn)  # one instance of each size, so that its space is computed once


def _parse(text: str) -> Hexapawn:
    match = PARAMETERS.fullmatch(text)
    if not match:
        raise BadText("it takes columns and rows")
    columns, rows = map(int, match.groups())
    if not 1 <= columns <= MAX_SIZE or not USUAL_SIZE <= rows <= MAX_SIZE:
        raise BadText(f"a board has 1 to {MAX_SIZE} columns and {USUAL_SIZE} to {MAX_SIZE} rows")
    return _hexapawn(columns, rows)


THREE_BY_THREE: Final = _hexapawn(USUAL_SIZE, USUAL_SIZE)
HEXAPAWN: Final = Family("hexapawn", "COLUMNS,ROWS", ("hexapawn:4,4",), _parse)
