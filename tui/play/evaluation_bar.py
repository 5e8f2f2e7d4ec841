"""The evaluation bar: who is ahead in the position on the board."""

from contextlib import suppress

from textual import work
from textual.worker import Worker, get_current_worker

from engine.game import Game, Position
from engine.rating import RatedMove, best_of, rate_moves
from engine.stop import Stopped
from lab.advice.evaluation_bar import bar_text
from tui.shell.live_text import LiveText
from tui.shell.messages import warn_of_failure

USUAL_ROOM = 30
"""The width of the bar, in columns, before the screen has a size."""


class EvaluationBar(LiveText):
    """Shows who is ahead. Computes it in the background, since in a large game this takes a search."""

    wanted: tuple[Game, Position] | None = None
    """The position whose evaluation is shown or being computed."""
    best: RatedMove | None = None
    """The best move in that position, or `None` once the game is over."""
    known = False
    """Whether the evaluation has been computed."""
    room = USUAL_ROOM
    """The width available for the bar, in columns. The screen sets it, since a new widget has no size yet."""

    def show(self, game: Game, position: Position, room: int) -> None:
        """Show who is ahead in a position, in at most `room` columns."""
        self.display, self.room = True, room or USUAL_ROOM
        if self.wanted != (game, position):
            self.wanted, self.known = (game, position), False
            self.set_text("" if game.numbered else "…")
            self.find(game, position)
        else:
            self._draw()

    def hide(self) -> None:
        """Show nothing."""
        self.display, self.wanted = False, None

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        warn_of_failure(self.app, event)

    @work(thread=True, exclusive=True, group="bar", exit_on_error=False)
    def find(self, game: Game, position: Position) -> None:
        """Find the best move of a position."""
        worker = get_current_worker()
        with suppress(Stopped):
            rated = rate_moves(game, position, lambda: worker.is_cancelled)
            self.app.call_from_thread(self.found, game, position, best_of(rated)[0] if rated else None)

    def found(self, game: Game, position: Position, best: RatedMove | None) -> None:
        """Show an evaluation, unless another position is on the board by now."""
        if self.wanted == (game, position):
            self.best, self.known = best, True
            self._draw()

    def _draw(self) -> None:
        if self.known and self.wanted is not None:
            self.set_text(bar_text(*self.wanted, self.best, self.room))
