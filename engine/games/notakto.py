"""Notakto: both sides place an X, and whoever completes three in a row loses.

After T. E. Plambeck and G. Whitehead, "The Secrets of Notakto: Winning at X-only Tic-Tac-Toe" (arXiv 1301.1672).
On one board the first side wins from the centre, and from no other square.
"""

from engine.game import Move, Outcome, Piece, Position, Side
from engine.grid import Grid
from engine.grid_game import GridGame


class Notakto(GridGame):
    """The first mask of a position has all pieces: they belong to nobody."""

    name = "notakto"
    title = "Notakto"
    summary = "Both sides place an X; whoever completes three in a row loses."
    marks = ("A", "B")
    in_a_row = 3
    longest = 7
    has_draws = False
    grid = Grid(3, 3)
    lines = grid.lines(3)

    def __init__(self) -> None:
        """Start on an empty board, with all eight symmetries of the square."""
        super().__init__()
        self.board.pieces = (Piece("X", None),)
        self.symmetries = self.grid.symmetries

    def outcome(self, position: Position) -> Outcome | None:
        """The side to move has won once there is a row; no board is full without one."""
        made = any(position & line == line for line in self.lines)
        return Outcome.won_by(self.side(position)) if made else None

    def after(self, position: Position, move: Move) -> Position:
        """The position after a legal move, unchecked."""
        return (position | 1 << move) ^ 1 << 2 * self.size

    def implied_side(self, first: int, second: int) -> Side | None:
        """The side to move: the number of pieces determines it."""
        return Side(first.bit_count() % 2)
