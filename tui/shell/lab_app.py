"""The state that all screens share: the library, the running training, race and papers, and the user's choices."""

import sys
from pathlib import Path
from random import Random
from threading import Lock
from typing import TYPE_CHECKING, Final

from textual import work
from textual.notifications import Notify
from textual.screen import Screen

from engine.game import Game
from lab.board.game_review import PlayOn
from lab.tour.tour import Tour
from lab.training.training_job import TrainingJob
from lab.words.numbers import RateMeter
from lab.words.sanitise import plain
from saves.errors import LibraryError
from saves.library.library import Library
from saves.settings import change_settings, load_settings
from tui.shell.guards import GuardedApp
from tui.shell.messages import LastingNotification
from tui.shell.requests import ModeRequest, ScreenRequest
from tui.shell.signals import Signals

if TYPE_CHECKING:  # their screens import them
    from lab.board.opponents import Levels
    from lab.training.papers_job import PapersJob
    from lab.training.race_job import RaceJob


WARNED: Final = 8
"""Seconds for which a warning is shown."""
MESSAGES: Final = 3
"""How many messages are shown at once."""


class Lab(GuardedApp):
    """The app without its screens: shared state, messages, and how the app ends."""

    def __init__(  # noqa: PLR0913  one parameter an option of the command line
        self,
        library: Library,
        settings: Path,
        seats: tuple[str | None, str | None],
        game: Game,
        random: Random | None = None,
        *,
        learning: bool = False,
        greet: bool = False,
    ) -> None:
        """`seats` are the players asked for, as they are written; `None` leaves a side open.

        `learning` lets the saves among them learn from their games at once; `greet` offers the tour to a newcomer.
        """
        super().__init__()
        self.signals = Signals()
        self.library = library
        self.settings_path = settings
        self._choices: dict[str, str] = {}
        self._unwritten: list[tuple[str, str]] = []
        """Choices that are not written to the settings file yet, in order."""
        self._writing = Lock()
        self._shown: list[LastingNotification] = []
        """The messages shown last; a person may have closed some of them."""
        self.misread = ""
        """Why the settings file could not be read."""
        self.seats = seats
        self.recalls_seats = False
        """Whether Play opens with the players of the last time."""
        self.learning = learning
        self.game = game
        self.random = random or Random()  # noqa: S311  a game, not a secret
        """The random generator of the machines at the board."""
        self.job: TrainingJob | None = None
        self.rate = RateMeter()
        self.trouble = ""
        """What could not be saved; printed after the app has ended."""
        self._warned_of: TrainingJob | None = None
        self._leaving = False
        self.race: RaceJob | None = None
        """The running race, or the last one."""
        self.levels: Levels = {}
        """The levels of players computed so far."""
        self.papers: PapersJob | None = None
        """The papers being re-run, once their screen has been opened."""
        self.recall_choices()
        self.tour = Tour(offered=greet and not self.choice("tour", ""))

    def warn(self, message: str) -> None:
        """Show a warning."""
        self.notify(plain(message, 400), severity="warning", timeout=WARNED, markup=False)

    def on_notify(self, event: Notify) -> None:
        """Limit the messages on screen: skip one that is shown already; clear all others before one too many."""
        self._shown = [each for each in self._shown if not each.has_expired]
        if any(each.message == event.notification.message for each in self._shown):
            event.prevent_default()
            return
        if len(self._shown) >= MESSAGES:
            self.clear_notifications()
        event.notification = LastingNotification(**vars(event.notification))
        self._shown.append(event.notification)

    def clear_notifications(self) -> None:
        super().clear_notifications()
        self._shown.clear()

    def recall_choices(self) -> None:
        """Read the settings file; an error is shown once there is a screen."""
        try:
            self._choices = load_settings(self.settings_path)
        except LibraryError as error:
            self.misread = str(error)

    def choice(self, key: str, default: str) -> str:
        """The value that the user chose, in this session or an earlier one."""
        return self._choices.get(key, default)

    def choose(self, key: str, value: str) -> None:
        """Set a choice: it takes effect at once, and is written to the settings file in the background."""
        self._choices[key] = value
        self._unwritten.append((key, value))
        self._remember()

    @work(thread=True, exit_on_error=False)
    def _remember(self) -> None:
        try:
            self._write_choices()
        except LibraryError as error:
            self.call_from_thread(self.warn, str(error))

    def _write_choices(self) -> None:
        """Merge the unwritten choices into the settings file. Raises `LibraryError`."""
        with self._writing:
            news = self._unwritten[:]
            if news:
                change_settings(self.settings_path, dict(news))
            del self._unwritten[: len(news)]

    def may_replace_training(self) -> bool:
        """Whether another training may take the place of the last one.

        Not while it runs. If it could not be saved, saving is tried again; it is discarded only on a second request.
        """
        job = self.job
        if job is None:
            return True
        if self._trains(job):
            return False
        if job is not self._warned_of:
            job.save_now()
        return self._may_give_up(job)

    def _trains(self, job: TrainingJob) -> bool:
        """Whether a training runs; if so, a warning says that it must be stopped first."""
        if running := job.running:
            self.warn(f"{job.name} is still training: stop it first.")
        return running

    def _may_give_up(self, job: TrainingJob) -> bool:
        """Whether a training is saved, or the user was warned before that it is not; if neither, warn now."""
        if not job.unsaved or job is self._warned_of:
            return True
        self._warned_of = job
        self.warn(f"{job.name} is not saved: {job.save_error}. Repeat to discard it.")
        return False

    def train(self, job: TrainingJob) -> None:
        """Start a training in place of the last one, unless another one runs already."""
        if self.job is not None and self._trains(self.job):
            return
        self.job = job
        self.rate = RateMeter()
        job.start()

    def leave(self, *, asked: bool = False) -> None:
        """Save what was learned, and end the app. Runs in a thread: another program may hold the library for a while.

        With `asked`, the app stays open and warns if something could not be saved, and ends on the second request or on
        a signal. Calls while this is in progress are ignored.
        """
        if not self._leaving:
            self._leaving = True
            self._leave(asked=asked)

    @work(thread=True, group="leave", exit_on_error=False)
    def _leave(self, *, asked: bool) -> None:
        try:
            self.keep_training()
        except BaseException:
            self._leaving = False
            raise
        self.call_from_thread(self._go, asked=asked)

    def _go(self, *, asked: bool) -> None:
        """End the app, or stay and warn; in one turn of the event loop, so that no signal arrives in between."""
        stays = asked and not self.signals.came and self.job is not None and not self._may_give_up(self.job)
        self._leaving = not stays
        if not stays:
            self.exit()

    def keep_training(self) -> None:
        """Stop all work, save the training and the choices; `trouble` says what could not be saved."""
        for other in (self.race, self.papers):
            if other is not None:
                other.stop()
        self.trouble = ""
        if self.job is not None:
            self.job.stop()
            self.job.save_now()
            self.trouble = f"{self.job.name} was not saved: {self.job.save_error}" if self.job.unsaved else ""
        try:
            self._write_choices()
        except LibraryError as error:
            self.trouble = f"{self.trouble} {error}".strip()

    def farewell(self) -> int:
        """Report on standard error what went wrong, once the screen is gone; returns the exit code."""
        if self.return_code:
            fault = "an error ended the app, which is a fault of Noughts"
            self.trouble = f"{fault}: {self.trouble}" if self.trouble else f"{fault}. What was learned is saved."
        if self.trouble:
            print(f"noughts: {plain(self.trouble, 400)}", file=sys.stderr, flush=True)  # noqa: T201
            return 1
        return self.signals.code

    def screen_for(self, request: ScreenRequest) -> Screen[PlayOn | None]:
        """The screen that a request asks for."""
        raise NotImplementedError

    async def carry_out(self, request: ModeRequest) -> None:
        """Switch to the mode that a request asks for, unless something else is open by then, or the app ends."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return not (action == "suspend_process" and self.is_web) and super().check_action(action, parameters)

    def action_command_palette(self) -> None:
        from tui.shell.palette import Commands

        if not isinstance(self.screen, Commands):
            self.push_screen(Commands())

    def search_themes(self) -> None:
        from textual.theme import ThemeProvider

        from tui.shell.palette import Commands

        self.push_screen(Commands(providers=[ThemeProvider], placeholder="Search for themes…"))
