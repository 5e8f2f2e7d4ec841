"""Backup, recovery, and detection of changes of the library, for the screens that list its content."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from textual.binding import Binding
from textual.widgets import Static
from textual.worker import Worker

from engine.stop import Stopped
from lab.recovery import recovery_lines
from lab.text.sanitise import plain
from saves.files import is_there, paths_beside
from saves.library.recovery import recover
from saves.paths import parse_path
from tui.shell.dialog import Prompt, text_page
from tui.shell.files import warn_if_served
from tui.shell.parts import entitle
from tui.shell.screen import LabScreen

LIBRARY_BINDINGS: Final = (
    Binding("V", "recover", "Recover", tooltip="copies what can be read", show=False),
    Binding("K", "back_up", "Back up", tooltip="copies all into one file", show=False),
)
"""A screen with these bindings needs `action_recover` and `action_back_up`, which call `LibraryTools`."""


class Trouble(Static):
    """Says why the library cannot be read; hidden while it can."""

    DEFAULT_CSS = "Trouble { display: none; color: $role-bad; height: auto; }"

    def __init__(self) -> None:
        super().__init__("", markup=False, classes="panel")
        entitle(self, "The library cannot be read", "`V` recovers what can be read")

    def show(self, trouble: str) -> None:
        self.display = bool(trouble)
        self.update(plain(trouble, 400))


class LibraryTools:
    """Backs up and recovers the library for a screen that lists its content, and detects changes."""

    def __init__(self, screen: LabScreen) -> None:
        self._screen = screen
        self._lab = screen.lab
        self._file_state = self._lab.library.file_state()
        self._recovering: Worker[None] | None = None

    def has_changed(self) -> bool:
        """Return whether the files of the library have changed since the last call of this method or of `mark_read`."""
        before = self._file_state
        self.mark_read()
        return self._file_state != before

    def mark_read(self) -> None:
        """Remember the present state of the files for `has_changed`; call this before the library is read."""
        self._file_state = self._lab.library.file_state()

    def back_up(self) -> None:
        """Ask for a path, and copy the library there."""
        if not warn_if_served(self._lab):
            self._screen.run_worker(self._ask_and_back_up(), exit_on_error=False)

    async def _ask_and_back_up(self) -> None:
        paths = paths_beside(self._lab.library.path, f"{datetime.now().astimezone():%Y-%m-%d}")
        free_path = next(path for path in paths if not is_there(path))
        prompt = Prompt("Back up the whole library to", str(free_path), parse_path, verb="Back up")
        path = await self._screen.ask(prompt)
        if path is not None:
            self._start(partial(self._back_up, Path(path)))

    def _back_up(self, target: Path) -> None:
        lab = self._lab
        with lab.warning():
            lab.library.back_up(target)
            lab.call_from_thread(lab.notify, plain(f"Copied the library to {target}", 300), markup=False)

    def recover(self) -> None:
        """Recover what can be read into a new library, and report it. Ignored while a recovery is in progress."""
        if self._recovering is None or self._recovering.is_finished:
            self._lab.notify("Reading the library …")
            self._recovering = self._start(self._recover)

    def _recover(self) -> None:
        lab = self._lab
        with lab.warning(), suppress(Stopped):
            recovery = recover(lab.library.path, lambda: lab.is_ending)
            lab.call_from_thread(lab.push_screen, text_page("What was recovered", recovery_lines(recovery)))

    def _start(self, work: Callable[[], None]) -> Worker[None]:
        """Let a thread work for the app: work for a screen that is left before a thread is free never begins."""
        return self._lab.run_worker(work, thread=True, exclusive=True, group="library", exit_on_error=False)
