"""The base of screens that list the library: back up, recover, and reload when another program writes to it."""

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.worker import Worker

from engine.stop import Stopped
from lab.words.recovery import recovery_lines
from lab.words.sanitise import plain
from lab.words.typed_path import some_path
from saves.errors import LibraryError
from saves.files import is_there
from saves.library.library_file import Traces
from saves.recovery.recovery import recover
from saves.sqlite.copies import names_beside
from tui.shell.file_access import refuses_visitor
from tui.shell.page import Lines
from tui.shell.prompt import Prompt
from tui.shell.screen import LabScreen


class KeepingScreen(LabScreen):
    """A screen that shows the content of the library."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "recover", "Recover what can be read of a damaged library", show=False),
        Binding("b", "back_up", "Back up the whole library", show=False),
    ]

    seen: Traces
    """The state of the library's files when it was read last."""
    recovering: Worker[None] | None = None

    def open_up(self) -> None:
        self.seen = self.lab.library.traces()
        super().open_up()

    def poll(self) -> None:
        super().poll()
        traces = self.lab.library.traces()
        if self.is_current and self.made and traces != self.seen:
            self.seen = traces
            self.read_again()

    def read_again(self) -> None:
        """Reload what is shown."""
        raise NotImplementedError

    @work(exit_on_error=False)
    async def action_back_up(self) -> None:
        if refuses_visitor(self.lab):
            return
        library = self.lab.library.path
        names = names_beside(library, f"{datetime.now().astimezone():%Y-%m-%d}")
        usual = next(path for path in names if not is_there(path))
        path = await self.ask(Prompt("Back up the whole library to", str(usual), some_path, verb="Back up"))
        if path is not None:
            self.back_up(Path(path))

    @work(thread=True, exclusive=True, group="keep", exit_on_error=False)
    def back_up(self, target: Path) -> None:
        lab = self.lab  # still needed if this screen is closed meanwhile
        try:
            lab.library.back_up(target)
        except LibraryError as error:
            lab.call_from_thread(lab.warn, str(error))
        else:
            lab.call_from_thread(lab.notify, plain(f"Copied the library to {target}", 300), markup=False)

    def action_recover(self) -> None:
        if self.recovering is None or self.recovering.is_finished:
            self.app.notify("Looking through the library …")
            self.recovering = self.recover()

    @work(thread=True, exclusive=True, group="keep", exit_on_error=False)
    def recover(self) -> None:
        lab = self.lab
        try:
            with suppress(Stopped):
                recovery = recover(lab.library.path, lambda: lab.ending)
                lab.call_from_thread(lab.push_screen, Lines("What was recovered", recovery_lines(recovery)))
                lab.call_from_thread(self.read_again)
        except LibraryError as error:
            lab.call_from_thread(lab.warn, str(error))
