"""The app: its modes, its keys, and how it begins and ends."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from random import Random
from shutil import get_terminal_size
from typing import Any, ClassVar, Final

from textual import work
from textual.actions import SkipAction
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.events import Resize
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Input

from engine.game import Game
from engine.games import GAMES
from engine.spaces import keep_spaces_in
from engine.stop import end_all_work
from lab.board.session import GameReview, PlayOn
from lab.plugins import left_out_message
from lab.text.ascii import can_show_all
from lab.text.sanitise import plain
from saves.library.library import Library
from saves.paths import settings_path
from saves.space_cache import SpaceCache
from tui.shell import requests
from tui.shell.background import EXPECTED_ERRORS
from tui.shell.bars import ModeTab
from tui.shell.commands import Action, LabCommands, bound_actions, is_useful, panel_focusers
from tui.shell.files import Export, suggested_path
from tui.shell.lab_app import LabApp
from tui.shell.modes import ABOUT, KEYS, TITLES
from tui.shell.process import Signals, outlive_terminal, prioritise_screen, skip_final_collection


def screen_of(mode: str) -> Screen[Any]:
    """Create the screen of a mode. It is imported when it is first opened, so that the app starts quickly."""
    match mode:
        case "train":
            from tui.train.screen import TrainScreen

            return TrainScreen()
        case "library":
            from tui.library.screen import LibraryScreen

            return LibraryScreen()
        case "tree":
            from tui.tree.screen import TreeScreen

            return TreeScreen()
        case "race":
            from tui.race.screen import RaceScreen

            return RaceScreen()
        case "papers":
            from tui.papers.screen import PapersScreen

            return PapersScreen()
        case _:
            from tui.play.screen import PlayScreen

            return PlayScreen()


MODE_OF: Final = {requests.PlayAgainst: "play", requests.PrepareRace: "race", requests.TrainOn: "train"}
"""The mode to which each request leads."""
ROOMS: Final = {
    "Games": ("play", "games", "lists all your games"),
    "You": ("play", "yourself", "shows your play over time"),
    "Search": ("tree", "search", "searches step by step"),
    "Sweep": ("race", "sweep", "tries many settings"),
}
"""The screens that a mode opens over its own: for each, the mode, its action, and a clause about it."""
CHECKS_DELAY: Final = 0.5
"""Seconds until the app looks for plug-ins and reads the library, so that its first screen need not wait for it."""
FUNCTION_KEYS: Final = frozenset(f"f{number}" for number in range(1, 13))
QUIT_KEY: Final = "q"
INPUT_THREAD: Final = "textual-input"
"""The name of the thread in which Textual reads keys."""


class NoughtsApp(LabApp):
    """Noughts in the terminal."""

    TITLE = "Noughts"
    CSS_PATH = "app.tcss"
    MODES: ClassVar[dict[str, str | Callable[[], Screen[Any]]]] = {mode: partial(screen_of, mode) for mode in TITLES}
    DEFAULT_MODE = "play"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(KEYS[mode], f"switch_mode('{mode}')", title, tooltip=ABOUT[mode], show=False)
            for mode, title in TITLES.items()
        ),
        Binding("question_mark,f1", "help", "Help", tooltip="lists all keys, explains the screen", key_display="?"),
        Binding("X", "export", "Export", tooltip="writes a picture, or its numbers"),
        Binding(
            "colon,ctrl+p", "command_palette", "Commands", tooltip="finds commands by name", key_display=":", show=False
        ),
        Binding(
            "ctrl+z", "suspend_process", "To the shell", tooltip="stops the program, until you type fg", show=False
        ),
        # before a field or a dialog takes it; see `action_tell_how_to_quit`
        Binding("ctrl+c", "tell_how_to_quit", "How to quit", tooltip="says which key quits", show=False, priority=True),
        Binding(QUIT_KEY, "quit", "Quit", tooltip="ends the program; all is kept"),
    ]
    COMMAND_PALETTE_BINDING = "ctrl+p"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {LabCommands}

    def on_mount(self) -> None:
        if self.preferences.error:
            self.warn(self.preferences.error)
        self.looks.restore()
        self.set_timer(CHECKS_DELAY, self.load_plugins)
        self.set_timer(CHECKS_DELAY, self.check_library)
        self.signals.attach(self)
        if not self.is_headless:
            self.set_interval(0.5, partial(self.check_terminal, os.getppid()))
            self.set_interval(1.0, self.check_size)

    @work(thread=True, exit_on_error=False)
    def load_plugins(self) -> None:
        """Load the plug-ins that were not needed so far, and name those that are left out."""
        if message := left_out_message():
            self.call_from_thread(self.warn, message)

    @work(thread=True, exit_on_error=False)
    def check_library(self) -> None:
        """Warn at the start if the library cannot be read, before a game is played that cannot be stored."""
        with self.warning():
            self.library.names()

    def check_size(self) -> None:
        """Adopt the current size of the terminal.

        Symptom without this guard: the app keeps the wrong size after two changes in quick succession, since Textual
        may handle the first one last.
        """
        size = self.size if self.is_web else Size(*get_terminal_size())
        if size != self.size:
            self.post_message(Resize(size, size))

    def check_terminal(self, parent: int) -> None:
        """End the app if the terminal, or the web server, is gone.

        This needs a check: when a terminal closes, only the leader of its session is sure to get a signal.
        """
        is_gone = os.getppid() != parent if self.is_web else not sys.stdin.isatty()
        if is_gone:
            self.leave()

    def on_mode_tab_chosen(self, message: ModeTab.Chosen) -> None:
        self.switch_mode(message.mode)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Yield what the palette lists, in this order: the actions of the screen, the modes, and those of the app."""
        from tui.shell.screen import LabScreen

        impossible = screen.impossible_actions() if isinstance(screen, LabScreen) and screen.is_ready else ()
        actions = list(bound_actions(screen))
        titles = {each.description for each in actions}
        listed = [
            each
            for each in actions
            if each.in_palette
            and each.action not in impossible
            and not each.action.startswith(("switch_mode", "command_palette"))
        ]
        app_actions = [each for each in listed if each.node is self]
        yield from (self._command(each) for each in listed if each.node is not self)
        for name, focus in panel_focusers(screen).items():
            if name not in titles and name not in ROOMS:
                yield SystemCommand(name, "moves the cursor there", focus)
        for mode, title in TITLES.items():
            yield SystemCommand(f"Go to {title}", f"Key {KEYS[mode]}", partial(self.switch_mode, mode))
        for title, (mode, action, about) in ROOMS.items():
            if title not in titles:
                yield SystemCommand(title, about, partial(self._go_to_room, mode, action))
        yield from (self._command(each) for each in app_actions if each.action != "suspend_process")
        yield from (each for each in super().get_system_commands(screen) if is_useful(each.title, screen))
        yield from self.looks.commands()
        yield from (self._command(each) for each in app_actions if each.action == "suspend_process")

    async def _go_to_room(self, mode: str, action: str) -> None:
        await self.switch_mode(mode)
        self.close_above()
        await self.run_action(action, self.screen)

    def _command(self, action: Action) -> SystemCommand:
        keys = " ".join(action.keys)
        return SystemCommand(action.description, f"Key {keys}", partial(self.run_action, action.action, action.node))

    def screen_for(self, request: requests.ScreenRequest) -> Screen[PlayOn | None]:
        match request:
            case requests.DebriefGame(review):
                from tui.games.debrief_screen import DebriefScreen

                return DebriefScreen(review)
            case requests.ListGames():
                from tui.games.screen import GamesScreen

                return GamesScreen()
            case requests.ShowYourself(game):
                from tui.games.yourself_screen import YourselfScreen

                return YourselfScreen(game)
            case requests.OpenMemory(save, position, rounds):
                from tui.library.memory_screen import MemoryScreen

                return MemoryScreen(save, position, rounds)
            case requests.OpenSweep():
                from tui.sweep.screen import SweepScreen

                return SweepScreen()

    async def carry_out(self, request: requests.ModeRequest) -> None:
        from tui.play.screen import PlayScreen
        from tui.race.screen import RaceScreen
        from tui.train.screen import TrainScreen

        with self.batch_update():  # the form of another training would be seen while the one that is meant is read
            await self.switch_mode(MODE_OF[type(request)])
            self.close_above()
            match self.screen, request:
                case PlayScreen(is_ready=True) as play, requests.PlayAgainst(seating):
                    play.seat(seating)
                case TrainScreen(is_ready=True) as train, requests.TrainOn(name, snapshot, rounds):
                    if train.continue_save(name, snapshot, rounds) and rounds is not None:
                        train.action_start()
                case RaceScreen(is_ready=True) as race, requests.PrepareRace(entrants, seeds, games):
                    race.prepare(entrants, seeds, games)

    @work(exit_on_error=False)
    async def action_help(self) -> None:
        """Show the keys and the help of the screen, and run the action that the user chooses."""
        from tui.shell.dialog import HelpPage

        page = HelpPage(self.screen.HELP or "", tuple(bound_actions(self.screen)))
        chosen = await self.push_screen_wait(page)
        if chosen is not None:
            await self.run_action(chosen.action, chosen.node)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable Export where a screen has nothing to export."""
        return super().check_action(action, parameters) and (action != "export" or self._export() is not None)

    def _export(self) -> Export | None:
        from tui.shell.screen import LabScreen

        screen = self.screen
        return screen.current_export() if isinstance(screen, LabScreen) and screen.is_ready else None

    @work(exit_on_error=False)
    async def action_export(self) -> None:
        """Ask for a file, and write the content of the screen: as a picture, its numbers as CSV, or a text."""
        from tui.shell.dialog import Prompt

        export = self._export()
        if export is None:
            return
        suggested = suggested_path(f"{export.name}{export.suffixes[0]}")
        prompt = Prompt(f"Export {export.name}", suggested, export.parse_path, verb="Export", note=export.suffixes_text)
        path = await self.push_screen_wait(prompt)
        if path is None:
            return
        theme = "dark" if self.current_theme.dark else "light"
        try:
            message = await asyncio.to_thread(export.write, self, path, theme)
        except EXPECTED_ERRORS as error:
            self.warn(str(error))
        else:
            self.notify(plain(message, 300), markup=False)

    def get_key_display(self, binding: Binding) -> str:
        if binding.key in FUNCTION_KEYS:
            return binding.key.upper()  # as keyboards and all other texts of the program write it
        name = binding.key if binding.key == "enter" else super().get_key_display(binding)
        is_word = len(name) > 1 and name.isalpha()
        return name.capitalize() if is_word else name  # `Esc`, but the letter `g`

    async def action_quit(self) -> None:
        self.leave(asked=True)

    def action_tell_how_to_quit(self) -> None:
        """Say which keys quit, since Ctrl+C does not; in a field it copies the selected text instead."""
        focused, quit_key = self.focused, self.screen.active_bindings.get(QUIT_KEY)
        if isinstance(focused, Input) and focused.selected_text:
            raise SkipAction  # the field copies it
        is_typed = focused is not None and focused.check_consume_key(QUIT_KEY, QUIT_KEY)
        quits = quit_key is not None and quit_key.binding.action == "quit" and not is_typed
        keys = QUIT_KEY if quits else f"Escape, then {QUIT_KEY},"
        self.notify(
            f"Press {keys} to quit; Ctrl+C does not. A training is stopped and saved first; if that fails, Noughts "
            "says so and stays open.",
            markup=False,
        )


async def _run(app: NoughtsApp) -> None:
    """Run the app, and save what it learned, even after an error.

    This saves before the event loop closes, since the loop then waits for every thread. A thread that compiles or races
    may take seconds, and the app may be killed meanwhile.
    """
    try:
        await app.run_async()
    finally:
        app.stop_and_save()
        end_all_work()


def keep_daily_backups(app: NoughtsApp) -> None:
    """Keep a backup of the library after the first change of each day, in a thread of its own."""

    def start(back_up: Callable[[], None]) -> None:
        app.run_worker(back_up, thread=True, group="backup", exit_on_error=False)

    def report(problem: str) -> None:
        app.call_from_thread(app.warn, problem[0].upper() + problem[1:])

    app.library.keep_daily_backups(report, partial(app.call_later, start))


def run_app(  # noqa: PLR0913  one parameter an option of the command line
    library: Path,
    game: Game | None = None,
    first: str | None = None,
    second: str | None = None,
    seed: int | None = None,
    *,
    learning: bool = False,
    review: GameReview | None = None,
) -> int:
    """Open the app, with the debrief of a game if `review` is given, and return the exit code."""
    keep_spaces_in(SpaceCache(library))
    random = Random(seed)  # noqa: S311  a game
    code, signals = 1, Signals()
    outlive_terminal()
    try:
        # before the app exists: the usual handler of Ctrl+C raises an exception, which Python may lose
        with signals.record():
            app = NoughtsApp(
                Library(library),
                settings_path(),
                (first, second),
                game or GAMES[0],
                random,
                learning=learning,
                greet=True,
            )
            app.signals = signals
            keep_daily_backups(app)
            app.recalls_seats = game is None and first is None and second is None
            app.review = review
            app.looks.only_ascii = not can_show_all(sys.stderr)  # where Textual draws
            prioritise_screen()
            asyncio.run(_run(app))
        code = app.report_exit()
    finally:
        skip_final_collection()
        if any(thread.name == INPUT_THREAD for thread in threading.enumerate()):
            os._exit(code)  # Python would wait for it, and it never ends once the terminal is gone
    return code
