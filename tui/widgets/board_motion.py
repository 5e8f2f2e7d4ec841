"""What moves on a board: the piece of the last move arrives, and a completed row lights up."""

from collections.abc import Sequence
from typing import Final

from rich.style import Style
from textual.widget import Widget

from engine.game import Game, Piece, Position
from tui.widgets.motion import Motion

LIGHT_SECONDS: Final = 0.18
"""Seconds between two squares of a completed row, which light up in turn."""
FALL_SECONDS: Final = 0.05
"""Seconds in which a piece falls by one square."""
BEAD_SECONDS: Final = 0.16
"""Seconds of a step in which a bead becomes a mark: first it is still in the box, last it lies on the square."""
STEPS_IN_BOX: Final = 2
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
        self._lighting.play(squares if self._animates else 0, LIGHT_SECONDS)

    @property
    def unlit_count(self) -> int:
        """How many squares at the end of the row are not lit yet."""
        return self._lighting.steps_left

    def arrive(self, game: Game, position: Position, last: Sequence[int], bead: Style | None) -> None:
        """Let the piece of the last move fall into its square, or a bead of this style become it."""
        self.bead = bead
        if game.board.cells(position)[last[-1]] is None:  # a stone was taken
            return
        if game.board.discs:
            self.arriving.play(last[-1] // game.board.columns, FALL_SECONDS)
        elif bead is not None:
            self.arriving.play(STEPS_IN_BOX + 1, BEAD_SECONDS)

    def content(
        self, game: Game, cells: Sequence[Piece | None], last: Sequence[int], square: int
    ) -> tuple[Piece | None, bool]:
        """Return the piece that a square shows at this moment, and whether a bead is there in its place."""
        steps_left = self.arriving.steps_left
        if not steps_left or not last:
            return cells[square], False
        target = last[-1]
        if square == target:
            return None, not game.board.discs and steps_left == 1
        if game.board.discs and square == target - steps_left * game.board.columns:
            return cells[target], False
        return cells[square], False

    def settle(self) -> None:
        """End all motion at once, and show its final state."""
        self._lighting.end()
        self.arriving.end()
