"""What moves on a board: the piece of the last move arrives, and a completed row lights up."""

from collections.abc import Sequence
from typing import Final

from rich.style import Style
from textual.widget import Widget

from engine.game import Game, Piece, Position
from tui.widgets.motion import Motion

LIGHTING: Final = 0.18
"""Seconds between two squares of a completed row, which light up in turn."""
FALLING: Final = 0.05
"""Seconds in which a piece falls by one square."""
RISING: Final = 0.16
"""Seconds of a step in which a bead becomes a mark: first it is still in the box, last it lies on the square."""
HELD: Final = 2
"""The steps in which the bead is still in the box."""


class BoardMotion:
    """The motions of one board, which is refreshed at each of their steps."""

    def __init__(self, board: Widget, *, animates: bool) -> None:
        """Unless it `animates`, all squares of a row are lit at once."""
        self._lighting, self.arriving = Motion(board), Motion(board)
        self._animates = animates
        self.bead: Style | None = None
        """The style of the bead that becomes the mark of the last move, if one does."""

    def light(self, squares: int) -> None:
        """Light up a row of so many squares."""
        self._lighting.play(squares * self._animates, LIGHTING)

    @property
    def dark(self) -> int:
        """How many squares at the end of the row are not lit yet."""
        return self._lighting.left

    def arrive(self, game: Game, position: Position, last: Sequence[int], bead: Style | None) -> None:
        """Let the piece of the last move fall into its square, or a bead of this style become it."""
        self.bead = bead
        if game.board.cells(position)[last[-1]] is None:  # a stone was taken
            return
        if game.board.discs:
            self.arriving.play(last[-1] // game.board.columns, FALLING)
        elif bead is not None:
            self.arriving.play(HELD + 1, RISING)

    def content(
        self, game: Game, cells: Sequence[Piece | None], last: Sequence[int], square: int
    ) -> tuple[Piece | None, bool]:
        """Return the piece that a square shows at this moment, and whether a bead is there in its place."""
        left = self.arriving.left
        if not left or not last:
            return cells[square], False
        if not game.board.discs:
            return (None, left == 1) if square == last[-1] else (cells[square], False)
        if square == last[-1]:
            return None, False
        return cells[last[-1] if square == last[-1] - left * game.board.columns else square], False

    def settle(self) -> None:
        """End all motion at once, and show its final state."""
        self._lighting.end()
        self.arriving.end()
