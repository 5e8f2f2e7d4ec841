"""The app: its modes, and the few things that all of its screens share."""

import asyncio
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import ClassVar

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import HelpPanel

from engine import GAMES
from engine.game import Game
from saves.errors import LibraryError
from saves.library import Library
from saves.settings import load_settings, save_settings
from tui.figures import RateMeter
from tui.jobs import TrainingJob
from tui.safe import plain
from tui.widgets.mode_bar import TITLES, ModeTab


def _play() -> Screen[None]:
    from tui.screens.play import PlayScreen

    return PlayScreen()


def _train() -> Screen[None]:
    from tui.screens.train import TrainScreen

    return TrainScreen()


def _library() -> Screen[None]:
    from tui.screens.library import LibraryScreen

    return LibraryScreen()


class NoughtsApp(App[None]):
    """Noughts in the terminal."""

    TITLE = "Noughts"
    CSS_PATH = "app.tcss"
    MODES: ClassVar[dict[str, str | Callable[[], Screen[None]]]] = {
        "play": _play,
        "train": _train,
        "library": _library,
    }
    DEFAULT_MODE = "play"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(title[0].lower(), f"switch_mode('{mode}')", title, show=False) for mode, title in TITLES.items()),
        Binding("question_mark,f1", "help", "Help", key_display="?"),
        Binding("colon,ctrl+p", "command_palette", "Commands", key_display=":", show=False),
        Binding("q", "quit", "Quit"),
    ]
    COMMAND_PALETTE_BINDING = "ctrl+p"

    def __init__(self, library: Library, settings: Path, seats: tuple[str | None, str | None], game: Game) -> None:
        super().__init__()
        self.library = library
        self.settings_path = settings
        self.seats = seats
        """The players that were asked for on the command line."""
        self.game = game
        self.random = Random()  # noqa: S311  play is no secret
        self.job: TrainingJob | None = None
        self.rate = RateMeter()
        self.trouble = ""
        """What could not be kept, to be told after the screen is gone."""

    def on_mount(self) -> None:
        try:
            theme = load_settings(self.settings_path).get("theme", self.theme)
        except LibraryError as error:
            self.warn(str(error))
        else:
            self.theme = theme if theme in self.available_themes else self.theme
        self.theme_changed_signal.subscribe(self, lambda _theme: self.remember_theme())
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.leave)

    @work(thread=True, exit_on_error=False)
    def remember_theme(self) -> None:
        try:
            save_settings(self.settings_path, {**load_settings(self.settings_path), "theme": self.theme})
        except LibraryError as error:
            self.call_from_thread(self.warn, str(error))

    def warn(self, message: str) -> None:
        """Show trouble that does not stop the work."""
        self.notify(plain(message, 400), severity="warning", timeout=8, markup=False)

    def on_mode_tab_chosen(self, message: ModeTab.Chosen) -> None:
        self.switch_mode(message.mode)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        for mode, title in TITLES.items():
            yield SystemCommand(f"Go to {title}", f"Key {title[0].lower()}", lambda mode=mode: self.switch_mode(mode))
        yield from super().get_system_commands(screen)

    def action_help(self) -> None:
        if self.screen.query(HelpPanel):
            self.action_hide_help_panel()
        else:
            self.action_show_help_panel()

    def train(self, job: TrainingJob) -> None:
        """Start a training; one that is still under way is stopped and kept first."""
        if self.job is not None:
            self.job.stop()
        self.job = job
        self.rate = RateMeter()
        job.start()

    async def action_quit(self) -> None:
        self.leave()

    def leave(self) -> None:
        """Keep what was learned and go."""
        self.keep_training()
        self.exit()

    def keep_training(self) -> None:
        if self.job is not None:
            self.job.stop()
            if self.job.unkept:
                self.trouble = f"noughts: {plain(self.job.name)} was not kept. {plain(self.job.trouble, 400)}"


def run_app(library: Path, game: str | None = None, first: str | None = None, second: str | None = None) -> int:
    """Open the app; returns the exit code."""
    from engine import parse_game
    from saves.paths import settings_path

    chosen = parse_game(game) if game else GAMES[0]
    app = NoughtsApp(Library(library), settings_path(), (first, second), chosen)
    app.run()
    app.keep_training()  # also after the app broke
    if app.trouble:
        print(app.trouble, file=sys.stderr)  # noqa: T201  the screen is gone
        return 1
    return app.return_code or 0
