"""Why a number of a memory is what it is: a strip that tells which games changed it, computed in the background."""

from contextlib import suppress

from textual import work
from textual.worker import get_current_worker

from engine.game import BadText, Move, Position
from engine.space import TooLarge
from engine.stop import Stopped
from lab.exact.number_history import NumberHistory, history_strip, number_history
from lab.text.sanitise import plain
from saves.errors import LibraryError
from saves.library.library import Library
from tui.shell.guards import TellsFailures
from tui.shell.parts import LiveText


class WhyStrip(TellsFailures, LiveText):
    """Shows the history of one number; hidden until `ask`."""

    DEFAULT_CSS = "WhyStrip { display: none; height: auto; width: 100%; margin-top: 1; }"
    COMPUTING = "Playing the games of its training again …"

    _wanted: object = None

    def ask(self, library: Library, save: str, position: Position, move: Move) -> None:
        """Show why the number of a move is what it is in a save; a note while the games are played again."""
        self._wanted, self.display = (save, position, move), True
        self.set_text(self.COMPUTING)
        self._find(self._wanted, library, save, position, move)

    def close(self) -> None:
        self._wanted, self.display = None, False
        self.workers.cancel_node(self)

    @work(thread=True, exclusive=True, group="why", exit_on_error=False)
    def _find(self, wanted: object, library: Library, save: str, position: Position, move: Move) -> None:
        worker = get_current_worker()
        with suppress(Stopped):
            try:
                snapshot = library.load(save)
                found: NumberHistory | str = number_history(
                    snapshot, position, move, library.opponent, stop=lambda: worker.is_cancelled
                )
            except (BadText, LibraryError, TooLarge) as error:
                found = plain(str(error), 300)
            self.app.call_from_thread(self._found, wanted, found)

    def _found(self, wanted: object, found: NumberHistory | str) -> None:
        if wanted == self._wanted:
            self.set_text(found if isinstance(found, str) else "\n".join(history_strip(found, self.size.width)))
