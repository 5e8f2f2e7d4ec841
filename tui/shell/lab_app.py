"""The base of the app: what all screens share, its messages, its guards, and how it ends."""

import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from time import time
from typing import TYPE_CHECKING, Final, cast

from rich.console import RenderableType
from textual import events, work
from textual.actions import ActionParseResult
from textual.app import App
from textual.binding import ActiveBinding
from textual.dom import DOMNode
from textual.driver import Driver
from textual.filter import LineFilter
from textual.notifications import Notify
from textual.screen import Screen
from textual.timer import Timer, TimerCallback
from textual.widget import AwaitMount

from engine.game import Game, PluginFailed
from engine.spaces import stop_building
from lab.board.session import GameReview, PlayOn
from lab.text.numbers import RateMeter
from lab.text.sanitise import plain
from lab.training.training_job import TrainingJob
from saves.errors import LibraryError
from saves.library.library import Library
from tui.shell import guards
from tui.shell.background import EXPECTED_ERRORS, Background
from tui.shell.files import Preferences
from tui.shell.looks import Looks, SteadyStylesheet, role_colours
from tui.shell.process import Signals
from tui.shell.requests import ModeRequest, ScreenRequest
from tui.shell.tour import Tour

if TYPE_CHECKING:  # at run time, only the screens that need these modules import them
    from lab.board.opponents import LevelKey, Levels
    from lab.papers.papers_job import PapersJob
    from lab.race.race_job import RaceJob
    from lab.results.portraits import Portrait
    from lab.sweep.sweep_job import SweepJob


READING_SECONDS: Final = 1.5
"""The seconds in which a message cannot have been read yet."""
FIELD_ACTIONS: Final = {"command_palette", "change"}
"""The actions that open a field: keys typed right after them are its text."""
MAX_MESSAGES: Final = 3
"""The maximum number of messages shown at once."""
REPAINT_DELAY: Final = 0.1
"""Seconds from the last change of the terminal's size until the whole screen is drawn again."""


class LabApp(App[None], Background):
    """The app without its screens."""

    ALLOW_SELECT = False
    """Text cannot be selected: Textual fails if a selection begins in a widget that is being removed
    (https://github.com/Textualize/textual/issues/5629)."""

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
        """Seat the players of the command line by their labels; `None` leaves a side open.

        `learning` lets saves at the board learn from their games; `greet` offers the tour to new users.
        """
        super().__init__()
        self.stylesheet = SteadyStylesheet(self.theme_variables)
        self.signals = Signals()
        self._repaint_soon = guards.Debounce(self, REPAINT_DELAY, self.refresh)
        self.library = library
        self.preferences = Preferences(settings)
        self.looks = Looks(self, self.preference, self.set_preference)
        self._messages: list[guards.LastingNotification] = []
        """The most recent messages; the user may have closed some of them."""
        self.seats = seats
        self.recalls_seats = False
        """Whether Play opens with the players of the previous session."""
        self.learning = learning
        self.review: GameReview | None = None
        """The game whose debrief Play opens first."""
        self.game = game
        self.random = random or Random()  # noqa: S311  a game, not a secret
        """The random generator of the machines at the board."""
        self.job: TrainingJob | None = None
        self.reported_job: TrainingJob | None = None
        """The training whose end the Train screen has shown, so that the mode bar no longer reports it."""
        self.rate = RateMeter()
        self.trouble = ""
        """What could not be saved, as a sentence; printed after the app has ended."""
        self._discard_warned: TrainingJob | None = None
        """The unsaved training that the next request discards, since the user has been warned."""
        self._is_leaving = False
        self._has_panicked = False
        """Whether Textual has ended the app because its input failed: it sets no return code then."""
        self._fault_text = "an error in Noughts ended the app"
        """What ended the app, if an error did."""
        self.is_ending = False
        """Whether the app has been asked to end, or an error ends it."""
        self.race: RaceJob | None = None
        """The running race, or the last one."""
        self.sweep: SweepJob | None = None
        """The running sweep, or the last one."""
        self.levels: Levels = {}
        """The levels of players computed so far."""
        self.portraits: dict[LevelKey, Portrait | str] = {}
        """The portraits of saves computed so far, or why there is none."""
        self.papers: PapersJob | None = None
        """The job that recomputes papers; `None` until their screen has been opened."""
        was_left = self.preference("tour", "") in ("taken", "left")
        self.tour = Tour(offered=greet and not was_left, left=was_left, chapter=self.preference("tour chapter", ""))

    # Messages

    @contextmanager
    def warning(self) -> Iterator[None]:
        """Warn of an expected error in the block, which runs in a thread."""
        try:
            yield
        except EXPECTED_ERRORS as error:
            self.call_from_thread(self.warn, str(error))

    def on_notify(self, event: Notify) -> None:
        """Ignore a message that is already shown; if `MAX_MESSAGES` are shown, clear them first."""
        self._messages = [each for each in self._messages if not each.has_expired]
        if any(each.message == event.notification.message for each in self._messages):
            event.prevent_default()
            return
        if len(self._messages) >= MAX_MESSAGES:
            self.clear_notifications()
        event.notification = guards.make_lasting(event.notification)
        self._messages.append(event.notification)

    def switch_mode(self, mode: str) -> AwaitMount:
        """Go to a mode; from a screen above its own, back to its own.

        If there was time to read all messages, remove them: they are about the screen before.
        """
        if self._messages and all(time() - each.raised_at > READING_SECONDS for each in self._messages):
            self.clear_notifications()
        if mode == self.current_mode:
            self.close_above()
        return super().switch_mode(mode)

    def close_above(self) -> None:
        """Close the screens above the mode's own."""
        for screen in reversed(self.screen_stack[1:]):
            screen.dismiss(None)

    def clear_notifications(self) -> None:
        super().clear_notifications()
        self._messages.clear()

    # The choices of the user

    def preference(self, key: str, default: str) -> str:
        """Return the value that the user chose, in this session or an earlier one."""
        return self.preferences.get(key, default)

    def set_preference(self, key: str, value: str) -> None:
        """Set a choice: it takes effect at once, and is written to the settings file in the background."""
        self.preferences.set(key, value)
        self._write_preferences()

    @work(thread=True, exit_on_error=False)
    def _write_preferences(self) -> None:
        with self.warning():
            self.preferences.write()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.looks.set_cursor(event.widget)

    def get_css_variables(self) -> dict[str, str]:
        """Return the variables of the theme and of the roles of colours."""
        variables = super().get_css_variables()
        self.theme_variables = variables | role_colours(variables, dark=self.current_theme.dark, grey=self.no_color)
        return self.theme_variables

    def get_line_filters(self) -> Sequence[LineFilter]:
        return self.looks.filters(super().get_line_filters())

    # Training

    def may_replace_training(self) -> bool:
        """Return whether another training may replace the last one; if not, warn.

        It may not while the last one runs. If the last one could not be saved, this tries again to save it; if that
        fails, only a second request discards it.
        """
        job = self.job
        if job is None:
            return True
        if self._warn_if_running(job):
            return False
        if job is not self._discard_warned:
            job.save_now()
        return self._may_discard(job)

    def _warn_if_running(self, job: TrainingJob) -> bool:
        """Return whether a training is running; if so, warn that it must be stopped first."""
        if not job.running:
            return False
        self.warn(f"{job.name} is still training: stop it first.")
        return True

    def _may_discard(self, job: TrainingJob) -> bool:
        """Return whether a training is saved, or the user has been warned that it is not; if neither, warn now."""
        if not job.unsaved or job is self._discard_warned:
            return True
        self._discard_warned = job
        self.warn(f"{job.name} is not saved: {job.save_error}. Repeat to discard it.")
        return False

    def train(self, job: TrainingJob) -> None:
        """Start a training in place of the last one, unless another one is running or the app is about to end."""
        if self._is_leaving or (self.job is not None and self._warn_if_running(self.job)):
            return
        self.job = job
        self.rate = RateMeter()
        job.start()

    # The end of the app

    def leave(self, *, asked: bool = False) -> None:
        """Save what was learned, and end the app. A thread saves, since another program may have locked the library.

        `asked` means that the user has quit: if the training could not be saved, the app then warns and stays open, and
        ends on a second request or a signal. Further calls while this is in progress are ignored.
        """
        if not self._is_leaving:
            self._is_leaving = True
            self._leave(asked=asked)

    @work(thread=True, group="leave", exit_on_error=False)
    def _leave(self, *, asked: bool) -> None:
        try:
            self.stop_and_save()
        except BaseException:
            self._is_leaving = False
            raise
        self.call_from_thread(self._exit_unless_unsaved, asked=asked)

    def _exit_unless_unsaved(self, *, asked: bool) -> None:
        """End the app, or warn and stay. This is one step of the event loop: no signal is handled meanwhile."""
        may_stay = asked and not self.signals.received
        if may_stay and self.job is not None and not self._may_discard(self.job):
            self._is_leaving = False
        else:
            self.exit()

    def stop_and_save(self) -> None:
        """Stop all work, save the training and the preferences, and set `trouble` to what could not be saved."""
        stop_building()
        for job in (self.race, self.sweep, self.papers):
            if job is not None:
                job.stop()
        self.trouble = ""
        training = self.job
        if training is not None:
            training.stop()
            training.save_now()
            if training.unsaved:
                self.trouble = f"{training.name} was not saved: {training.save_error}"
        try:
            self.preferences.write()
        except LibraryError as error:
            self.trouble = f"{self.trouble} {error}".strip()

    def report_exit(self) -> int:
        """Report on standard error what went wrong, once the screen is closed; return the exit code."""
        if self.return_code or self._has_panicked:
            if self.trouble:
                self.trouble = f"{self._fault_text}: {self.trouble}"
            else:
                self.trouble = f"{self._fault_text}. What was learned is saved."
        if self.trouble:
            print(f"noughts: {plain(self.trouble, 400)}", file=sys.stderr, flush=True)  # noqa: T201
            return 1
        return self.signals.exit_code

    def panic(self, *renderables: RenderableType) -> None:
        """End the app after an error, with exit code 1; if a plug-in has failed, say only that, in one line."""
        self._has_panicked = self.is_ending = True
        failures = [each for each in renderables if isinstance(each, PluginFailed)]
        if failures:
            self._fault_text = f"{failures[0]}; that ended the app"
            renderables = ()
        super().panic(*renderables)

    def exit(self, result: None = None, return_code: int = 0, message: RenderableType | None = None) -> None:
        """End the app; if a screen is opening, wait until it is complete; see `is_opening`."""
        self.is_ending = True
        if guards.is_opening(self):
            guards.call_after(self, guards.OPENING_INTERVAL, partial(self.exit, result, return_code, message))
        else:
            super().exit(result, return_code, message)

    def action_press(self, key: str) -> None:
        """Press a key that was clicked in a frame; a field that has the focus does not take it for text."""
        if self.focused is not None and self.focused.check_consume_key(key, key):
            self.screen.set_focus(None)
        self.call_next(self.simulate_key, key)  # sent by the clicked frame, it would not pass that on its way up

    # Other screens

    def screen_for(self, request: ScreenRequest) -> Screen[PlayOn | None]:
        """Return the screen that a request asks for."""
        raise NotImplementedError

    async def carry_out(self, request: ModeRequest) -> None:
        """Switch to the mode that a request asks for, and pass the request to its screen if that is open by then."""
        raise NotImplementedError

    async def action_command_palette(self) -> None:  # type: ignore[override]  # Textual awaits it
        from tui.shell.commands import LabPalette

        if not isinstance(self.screen, LabPalette):
            await self.push_screen(LabPalette())

    # Guards against faults of Textual; `guards` describes their symptoms

    def set_timer(
        self, delay: float, callback: TimerCallback | None = None, *, name: str | None = None, pause: bool = False
    ) -> Timer:
        """Call a function after `delay` seconds, even if the process gets no processor time meanwhile.

        Symptom without this guard: the app is never drawn again after a switch of modes, or keeps an old size. After a
        switch or a change of size, Textual waits for a timer of the app before it draws, or sends the size; and that
        timer can be lost; see `call_after`.
        """
        if callback is None or pause:
            return super().set_timer(delay, callback, name=name, pause=pause)
        return guards.call_after(self, delay, callback)

    def on_resize(self) -> None:
        """Draw the whole screen again soon.

        Symptom without this guard: parts of the screen stay empty after a change of size that is undone at once, since
        the terminal has cut them off, and Textual draws nothing if the size is the same as before. Programs such as
        dtach send the signal of a change to ask for a full redraw when a terminal returns.
        """
        self._repaint_soon()

    def get_driver_class(self) -> type[Driver]:
        return guards.resilient_driver(super().get_driver_class())

    async def on_event(self, event: events.Event) -> None:
        guards.release_mouse(self, event)
        if guards.hits_removed_widget(self, event) or guards.comes_without_screen(self, event):
            return
        opening = self._field_opening(event) if isinstance(event, events.Key) and not event.is_forwarded else None
        if opening is not None:  # at once, since the next key is meant for the field
            await self.run_action(opening.binding.action, opening.node)
        else:
            await super().on_event(event)

    def _field_opening(self, key: events.Key) -> ActiveBinding | None:
        """Return the binding of a key that opens a field now: no dialog is open, and no field takes it for text."""
        focused = self.focused
        if self.screen.is_modal or (focused and focused.check_consume_key(key.key, key.character)):
            return None
        active = self.screen.active_bindings.get(key.key)
        if active is None or not active.enabled or active.binding.action not in FIELD_ACTIONS:
            return None
        return active

    def call_from_thread(
        self, callback: Callable[..., guards.Result | Awaitable[guards.Result]], *args: object, **kwargs: object
    ) -> guards.Result:
        """Call a function in the thread of the screen and wait for its result.

        A method of a widget is not called, and the result is `None`, if its screen is closing, or if the worker that
        calls this was cancelled.
        """
        return cast("guards.Result", super().call_from_thread(guards.skip_if_unwanted(callback), *args, **kwargs))

    async def run_action(
        self,
        action: "str | ActionParseResult",
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        if guards.turns_empty_page(self, action, default_namespace):
            return False
        return await super().run_action(action, default_namespace, namespaces)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide the way back to the shell in a browser."""
        if action == "suspend_process" and self.is_web:
            return False
        return super().check_action(action, parameters)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy text, with `?` for lone surrogates: a folder name may contain them, and UTF-8 cannot encode them."""
        super().copy_to_clipboard(text.encode("utf-8", "replace").decode("utf-8"))
