"""Three men's morris: place three pieces each, then move them, until three stand in a row.

The variant is the one that H. J. R. Murray calls by this name and the smaller merels (A History of Chess, Oxford
1913, page 614, as quoted by Wikipedia). A piece moves to the next empty point across or down: from a corner to the
middle of an edge, from there to a corner or the centre, from the centre to the middle of an edge. Rows count across,
down and on both diagonals. In other variants a piece also moves along the diagonals, or to any empty point (nine
holes).

No rule is needed for a side that cannot move. To block three pieces that are not in a row, the opponent needs its three
pieces on all neighbouring points. That is possible only if the blocked pieces are on a corner and the middles of its
two edges. The neighbouring points are then a diagonal, so the opponent has already won.

The source sets no limit to the length of a game; here it is a draw after 30 plies. The first side wins in nine if
both play best.
"""

from math import dist
from typing import Final

from engine.game import Heuristic, Move, Outcome, Position, Side
from engine.grid import Grid, squares_of
from engine.row_game import open_lines
from engine.step_game import StepGame

PIECES: Final = 3


class Morris(StepGame):
    name = "morris"
    title = "Three men's morris"
    ply_limit = 30
    summary = f"Three in a row wins; after {ply_limit} moves without one the game is a draw."
    how_to_move = "Each side places three pieces, then moves one of them to an empty square next to it, across or down."
    in_a_row = 3
    grid = Grid(3, 3)
    lines = grid.lines(3)
    complete = frozenset(mask for line in Grid(3, 3).lines(3) for mask in range(1 << 9) if mask & line == line)
    """Every set of pieces that holds a row."""

    def __init__(self) -> None:
        super().__init__()
        self.symmetries = self.grid.symmetries
        self.heuristic = Heuristic("lines with two {0} and an empty square, less those of {1}", open_lines(self))
        places = [divmod(square, self.grid.columns) for square in range(self.size)]
        self._next_to = [
            sum(1 << square for square, there in enumerate(places) if dist(here, there) == 1) for here in places
        ]

    def has_row(self, pieces: int) -> bool:
        return pieces in self.complete

    def outcome(self, position: Position) -> Outcome | None:
        for side, pieces in zip(Side, self.masks(position), strict=True):
            if self.has_row(pieces):
                return Outcome.won_by(side)
        return self.limit_outcome(position)

    def moves(self, position: Position) -> tuple[Move, ...]:
        """Return the empty squares to place a piece on, or the steps of three placed pieces, while the game runs."""
        if self.outcome(position) is not None:
            return ()
        own, empty = self.masks(position)[self.side(position)], self.empty(position)
        if own.bit_count() < PIECES:
            return tuple(square * self.size + square for square in squares_of(empty))
        steps = ((source, self._next_to[source] & empty) for source in squares_of(own))
        return tuple(source * self.size + target for source, targets in steps for target in squares_of(targets))

    def is_move_name(self, text: str) -> bool:
        return text in self.grid.names or super().is_move_name(text)

    def fault(self, first: int, second: int, side: Side, plies: int) -> str | None:
        placed = min(plies, 2 * PIECES)
        wanted, (x, o) = ((placed + 1) // 2, placed // 2), self.marks
        if (first.bit_count(), second.bit_count()) != wanted:
            return f"after {plies} moves there are {wanted[0]} {x} and {wanted[1]} {o}"
        if plies % 2 != side:
            return f"{self.mark(side)} cannot be to move after {plies} moves"
        return "the game went on after three in a row" if self.has_row((first, second)[side]) else None
