"""The app: its modes, its keys, and how it begins and ends."""

import asyncio
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import ClassVar

from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import HelpPanel

from engine import GAMES, parse_game
from saves.library import Library
from saves.paths import settings_path
from tui.lab import Lab
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


class NoughtsApp(Lab):
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

    def on_mount(self) -> None:
        self.recall_theme()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.leave)

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

    async def action_quit(self) -> None:
        self.leave()


def run_app(
    library: Path, game: str | None = None, first: str | None = None, second: str | None = None, seed: int | None = None
) -> int:
    """Open the app; returns the exit code."""
    chosen = parse_game(game) if game else GAMES[0]
    app = NoughtsApp(Library(library), settings_path(), (first, second), chosen, Random(seed))  # noqa: S311  a game
    app.run()
    app.keep_training()  # also after the app broke
    if app.trouble:
        print(f"noughts: {plain(app.trouble, 400)}", file=sys.stderr)  # noqa: T201  the screen is gone
        return 1
    return app.return_code or 0
