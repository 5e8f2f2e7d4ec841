"""A board with an X-ray: what a machine, or exact play, makes of each square."""

from contextlib import suppress

from textual import work
from textual.worker import get_current_worker

from engine.game import Game, Position
from engine.stop import Stopped
from lab.board.xray import OFF, Lens
from lab.words.xray_notes import Notes, notes_of
from tui.shell.worker_errors import WarnsOfWorkerErrors
from tui.widgets.board import Board


class XrayBoard(WarnsOfWorkerErrors, Board):
    """Computes the X-ray texts of a board in the background, since some players think for long."""

    sought: object = None
    """The lens and position of the X-ray that is shown or being computed."""

    def look(self, lens: Lens) -> None:
        """Show the X-ray of the position through `lens`."""
        wanted = lens, self.game.name, self.position, self.chosen
        if lens.kind == OFF:
            self.sought, self.notes = None, {}
        elif wanted != self.sought:
            self.sought, self.notes = wanted, {}
            self.find_notes(wanted, lens, self.game, self.position, self.chosen)

    @work(thread=True, exclusive=True, group="xray", exit_on_error=False)
    def find_notes(self, wanted: object, lens: Lens, game: Game, position: Position, chosen: tuple[int, ...]) -> None:
        worker = get_current_worker()
        with suppress(Stopped):
            notes = notes_of(lens, game, position, chosen, lambda: worker.is_cancelled)
            self.app.call_from_thread(self.noted, wanted, notes)

    def noted(self, wanted: object, notes: Notes) -> None:
        if wanted == self.sought:
            self.notes = notes
