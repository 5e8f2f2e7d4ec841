"""The base of all screens: the mode bar, the key line, and a message if the terminal is too small."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from functools import cached_property
from time import monotonic
from typing import Any, ClassVar, Final, cast

from textual import events, on, work
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.reactive import reactive
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget
from textual.widgets import Static

from lab.board.session import PlayOn
from lab.jobs import Job, JobState
from lab.text.numbers import duration_text, percent_text
from lab.training.training_job import TrainingJob
from tui.shell.background import Background
from tui.shell.bars import KeyLine, ModeBar
from tui.shell.files import Export
from tui.shell.guards import Debounce, has_earlier_size, is_closing
from tui.shell.lab_app import LabApp
from tui.shell.parts import Field
from tui.shell.requests import ModeRequest, ScreenRequest
from tui.shell.tour import TourBar
from tui.shell.tour_stages import ScreenView

MIN_SIZE: Final = (60, 20)
"""The minimum size of the terminal: columns, lines."""
POLL_INTERVAL: Final = 0.15
"""Seconds between two updates that show the progress of background work."""
VAST_FROM: Final = 150
"""From this many columns on, a screen also has the class `-vast`."""
REDRAW_DELAY: Final = 0.1
"""Seconds from the last change of size until a screen is redrawn."""


class BaseScreen(Screen[ScreenResultType], Background):
    """A screen or a dialog. It has classes for its size, and is drawn again once that has changed."""

    HORIZONTAL_BREAKPOINTS = [(0, "-cramped"), (MIN_SIZE[0], "-narrow"), (80, "-middle"), (110, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (MIN_SIZE[1], "-low"), (24, "-even"), (34, "-tall")]  # noqa: RUF012

    @property
    def lab(self) -> LabApp:
        return cast("LabApp", self.app)

    @cached_property
    def redraw_soon(self) -> Debounce:
        """Draws the screen `REDRAW_DELAY` after its last call."""
        return Debounce(self, REDRAW_DELAY, self.redraw)

    def on_resize(self, event: events.Resize) -> None:
        if has_earlier_size(self, event):
            event.prevent_default()
            return
        self.set_class(self.size.width >= VAST_FROM, "-vast")
        self.redraw_soon()

    def redraw(self) -> None:
        """Draw for the current size and theme, unless the screen is closing or the app ends."""
        if not (self.lab.is_ending or is_closing(self)):
            self.adapt_to_size()

    def adapt_to_size(self) -> None:
        """Draw for the new size, and restore the focus, which is lost while the terminal is too small."""
        raise NotImplementedError

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close the screen; a second call does nothing.

        Symptom without this guard: a second call, for example by a second quick key press, also closes the screen below
        (https://github.com/Textualize/textual/issues/2575).
        """
        if self.app.screen is not self:
            return AwaitComplete()
        return super().dismiss(result)

    def action_back(self) -> None:
        self.dismiss(None)


class LabScreen(BaseScreen[PlayOn | None]):
    """A screen of a mode. Subclasses define `mode` and `body()`."""

    mode: ClassVar[str]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "tour(1)", "Take the tour", tooltip="the story in five minutes", show=False),
        Binding("f3", "tour(-1)", "Back in the tour", tooltip="goes back by a chapter", show=False),
        Binding("f4", "leave_tour", "Leave the tour", tooltip="ends the tour; F2 goes on with it", show=False),
    ]

    key_state: reactive[object] = reactive(None, repaint=False, bindings=True)
    """What the keys that have an effect depend on: when it changes, the key line is drawn again."""

    def __init__(self) -> None:
        super().__init__()
        self._is_complete = self._was_left = False
        columns, lines = self.app.size
        for length, breakpoints in ((columns, self.HORIZONTAL_BREAKPOINTS), (lines, self.VERTICAL_BREAKPOINTS)):
            reached = [name for least, name in breakpoints if least <= length]
            self.add_class(reached[-1], update=False)  # or all widgets would be styled twice
        self.set_class(columns >= VAST_FROM, "-vast", update=False)

    def body(self) -> Iterable[Widget]:
        """Return the widgets between the mode bar and the key line."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        yield ModeBar(self.mode)
        with Container(id="body"):
            yield from self.body()
        yield Static(f"Noughts needs {MIN_SIZE[0]} columns and {MIN_SIZE[1]} lines.", id="too-small")
        yield TourBar()
        yield KeyLine(self.undo_target, self.offered_keys, self.key_words)

    @property
    def is_ready(self) -> bool:
        """Whether all widgets are mounted, and none is being removed."""
        return self._is_complete and not is_closing(self)

    def on_mount(self) -> None:
        if is_closing(self):  # a screen that closes while it opens never gets all its widgets
            return
        self.set_interval(POLL_INTERVAL, self.poll)
        self.lab.looks.changed.subscribe(self, self.restyle)
        self.set_up()
        self._is_complete = True
        self.show_tour()

    def on_unmount(self) -> None:
        """Unsubscribe from the app.

        Symptom without this guard: every screen that was ever open stays in memory, with all that it shows, until the
        looks change, since a signal of Textual keeps references to its subscribers (`textual.signal`).
        """
        self.lab.looks.changed.unsubscribe(self)

    def restyle(self, _: None) -> None:
        """Draw all again in another theme or skin, charts too, which follow neither by themselves."""
        self.query("*").refresh()
        self.call_after_refresh(self.redraw)

    @on(events.ScreenResume)
    def keep_styles(self, event: events.ScreenResume) -> None:
        """Style no widget of a new screen again: each was styled as it was mounted."""
        event.refresh_styles = event.refresh_styles and self._was_left

    def on_screen_resume(self) -> None:
        self.show_tour()  # also called once before the widgets are mounted

    def on_screen_suspend(self) -> None:
        self._was_left = True

    def set_up(self) -> None:
        """Set the screen up; called once, when all widgets are mounted."""
        if self.AUTO_FOCUS:
            self.go_home()

    @on(Field.Escaped)
    def go_home(self) -> None:
        """Focus the widget of `AUTO_FOCUS`, if it can be focused."""
        self.set_focus(None)
        self.query_one(self.AUTO_FOCUS or "*").focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Ignore keys while the screen opens or closes, and the keys of the tour that have no effect now."""
        if not self.is_ready:
            return False
        tour = self.lab.tour
        if action == "leave_tour":
            return tour.is_under_way or tour.is_offered
        if (action, parameters) == ("tour", (-1,)):
            return tour.is_under_way
        if action in self.ineffective_actions():
            return None
        return super().check_action(action, parameters)

    def ineffective_actions(self) -> AbstractSet[str]:
        """Return the actions that have no effect now: their keys are dim, and give way to the others."""
        return frozenset()

    def impossible_actions(self) -> AbstractSet[str]:
        """Return the actions that would only say why they are impossible now: the palette does not list them."""
        if self.undo_target() is None:
            return frozenset(("take_back", "undelete"))
        return frozenset()

    def adapt_to_size(self) -> None:
        if self.AUTO_FOCUS and self.focused is None:
            self.go_home()
        self.refresh_bindings()  # some keys depend on the size
        self.show_tour()
        self.draw()

    def draw(self) -> None:
        """Draw all parts that depend on the size and the theme."""

    async def ask(self, screen: Screen[ScreenResultType | None]) -> ScreenResultType | None:
        """Open a screen over this one and wait for its result; `None` if another screen was opened meanwhile."""
        if self.app.screen is not self:
            return None
        return await self.app.push_screen_wait(screen)

    async def request(self, request: ScreenRequest) -> PlayOn | None:
        """Open the requested screen over this one and wait for its result, as `ask` does."""
        return await self.ask(self.lab.screen_for(request))

    @work(exit_on_error=False)
    async def go(self, request: ModeRequest) -> None:
        """Switch to the mode that a request asks for."""
        await self.lab.carry_out(request)

    def stop_job(self, job: Job[Any] | None) -> None:
        """Stop a job, if there is one, in a thread, since this waits for its end."""
        if job is not None:
            self.run_worker(job.stop, thread=True, exit_on_error=False)

    def current_export(self) -> Export | None:
        """Return what Export would write now; `None` if there is nothing."""
        return None

    def offered_keys(self) -> dict[str, str]:
        """Return actions that the key line usually hides, but shows first now, with their descriptions."""
        return {}

    def key_words(self) -> dict[str, str]:
        """Return what keys do now, by their actions, if that is not what they usually do, for the key line."""
        return {}

    def undo_target(self) -> str | None:
        """Return what Undo would undo now, for the key line: empty if that needs no words, `None` if nothing."""
        return None

    def screen_view(self) -> ScreenView:
        """Return the state of the screen as the tour sees it."""
        return ScreenView(self.mode, is_above=self.app.screen_stack[0] is not self, job=self.lab.job)

    def show_tour(self) -> None:
        """Let the tour check the state of the screen, and update the tour bar."""
        # `is_current` is also true for the screen below the current one, and false while the app has no screen
        if not self.is_ready or not self.is_current or self.app.screen is not self:
            return
        tour = self.lab.tour
        if not tour.is_under_way:
            self.query_one(TourBar).hide()
            return
        view = self.screen_view()
        tour.update(view)
        self._store_chapter()
        self.query_one(TourBar).show_stage(tour, view)

    def _store_chapter(self) -> None:
        """Store for the next start where the tour is."""
        if self.lab.preference("tour chapter", "") != self.lab.tour.chapter:
            self.lab.set_preference("tour chapter", self.lab.tour.chapter)

    def action_tour(self, stages: int) -> None:
        """Go forward or back in the tour, or begin it."""
        tour = self.lab.tour
        if tour.is_under_way:
            tour.turn(stages, self.screen_view())
        else:
            tour.begin(self.screen_view())
            if tour.stage.place == "play" and self.mode != "play":
                self.app.switch_mode("play")
        self.lab.set_preference("tour", "begun" if tour.is_under_way else "taken")
        self._store_chapter()
        self.refresh_bindings()
        self.show_tour()

    def action_leave_tour(self) -> None:
        self.lab.tour.leave()
        self.lab.set_preference("tour", "left")
        self.refresh_bindings()
        self.show_tour()

    def poll(self) -> None:
        """Show the progress of background work if the screen is current; called several times a second."""
        if self.is_current:
            self.show_tour()
            self._show_work()
            self.show_changes()

    def show_changes(self) -> None:
        """Look for changes since the last call, and show them."""

    def _show_work(self) -> None:
        """Show in the mode bar what runs: a training first; a training that has ended, until Train has shown that."""
        lab, bar = self.lab, self.query_one(ModeBar)
        training = lab.job
        if training is not None and training.running:
            verb = "training " if self.has_class("-wide") else ""
            bar.show_work(f"{verb}{training.name}", self._training_state(training))
            return
        if self.mode == "train":
            lab.reported_job = training
        others = [each.headline for each in (lab.race, lab.sweep, lab.papers) if each is not None and each.running]
        if others:
            bar.show_work(*others[0])
        elif training is None or training is lab.reported_job:
            bar.show_work("", "")
        else:
            bar.show_work(training.name, self._training_state(training))

    def _training_state(self, training: TrainingJob) -> str:
        """Return what remains of a training, or its state while it does not run."""
        view = training.view
        if view.state is not JobState.RUNNING:
            return str(view.state.value)
        self.lab.rate.add(monotonic(), view.done)
        if view.seconds_left is None:
            return percent_text(view.share)
        # the pace fixes the time, of which another share is done than of the rounds
        return f"{duration_text(view.seconds_left)} left"
