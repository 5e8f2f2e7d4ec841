"""Tic-tac-toe as the post on data.tree plays it, with the slip in its test for a win.

The post tests the two diagonals as `sum(diag(m))` and `sum(diag(t(m)))`; but a transposed matrix has the same diagonal,
so the other diagonal never wins. With the names of squares used here, that is a3 b2 c1. Source: "Solving Tic-Tac-Toe
with R data.tree", ipub, 24 September 2015.
"""

from typing import Final

from engine.games.tictactoe import TicTacToe

DEAD_DIAGONAL: Final = 0b100_010_001
"""a3, b2 and c1."""
LIVE_DIAGONAL: Final = 0b001_010_100
WHY: Final = "the data.tree post tests one diagonal twice and the other never, so that three on a3 b2 c1 do not win"


class Published(TicTacToe):
    """Tic-tac-toe in which three on a3 b2 c1 do not win."""

    summary = "Three in a row wins, except on the diagonal a3 b2 c1."
    lines = tuple(line for line in TicTacToe.grid.lines(3) if line != DEAD_DIAGONAL)

    def __init__(self) -> None:
        """Start as in tic-tac-toe, with the symmetries that keep the winning diagonal in place."""
        super().__init__()
        corners = {square for square in range(9) if LIVE_DIAGONAL >> square & 1}
        self.symmetries = tuple(
            symmetry for symmetry in self.grid.symmetries if {symmetry[square] for square in corners} == corners
        )


PUBLISHED: Final = Published()
