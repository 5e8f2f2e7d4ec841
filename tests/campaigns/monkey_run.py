"""Runs of the monkey test: open the app, feed it random input, then check that every screen can be left."""

import asyncio
import gc
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic

from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.screen import Screen

from engine.games import GAMES
from lab.jobs import JobState
from saves.library.library import Library
from tests.campaigns.app_queries import first_suggestion, has_something_open, is_ending, tab_position
from tests.campaigns.leak_watch import SLOW, LeakWatch, StackRecorder, leaked_objects, watching
from tests.campaigns.monkey import Monkey, Step, do, rest
from tests.campaigns.monkey_library import train_in_background
from tests.campaigns.shrinking import shrink
from tui.app import NoughtsApp
from tui.shell.dialog import Prompt
from tui.shell.modes import TITLES

START_SIZE = 80, 24
ESCAPES = 25
"""The most presses of Escape that may be needed to leave any screen."""
QUITS = 200
"""How often q may open something that was requested earlier, instead of ending the app."""
DEADLINE = 120.0
"""The most seconds to wait for anything, on a busy machine."""
ERROR_TEXTS = ("That failed", "Not saved", "not kept", "not saved", "has not learned", "Traceback", "Error(")
"""Texts that the app shows only if something is wrong."""


class NotReached(AssertionError):
    """An expected state was not reached."""


class AppEnded(Exception):
    """The app has ended because of an earlier request."""


@dataclass
class Trace:
    """The result of one run."""

    seed: int
    steps: list[Step] = field(default_factory=list)
    """The steps in the last app."""
    count: int = 0
    """The number of events so far."""
    kinds: Counter[str] = field(default_factory=Counter)
    screens: Counter[str] = field(default_factory=Counter)
    """The number of times that each kind of screen was shown."""
    warnings: Counter[str] = field(default_factory=Counter)
    leaked_objects: Counter[str] = field(default_factory=Counter)
    """Objects of closed screens that were still alive at the end."""
    ends: list[float] = field(default_factory=list)
    """Seconds that each app took to end."""


@dataclass
class MonkeyRun:
    """One run: apps are opened one after another in the same folder, until there were enough events."""

    folder: Path
    watch: LeakWatch
    trace: Trace
    events: int
    """The number of events to reach."""
    script: Sequence[Step] = ()
    """The first steps."""
    modes: int = len(TITLES)
    """The number of modes to visit before an app ends."""

    def __post_init__(self) -> None:
        self.monkey = Monkey(Random(f"monkey {self.trace.seed}"))
        self.remaining_script = iter(self.script)
        self.random = Random()
        self.end_requested: float | None = None
        """When the app was asked to end; `recorder` watches it from then on."""
        self.recorder: StackRecorder | None = None
        self.error: BaseException | None = None
        self.last_screen: Screen[object] | None = None
        """The last screen that was counted."""
        self.screens_opened = 0
        """How many screens were pushed so far."""

    def run(self) -> None:
        """Open the app again and again until there were enough events."""
        while self.trace.count < self.events and not self.watch.findings:
            self.run_app()

    def run_app(self) -> None:
        """Open the app, send it the script or random input, and check how it ends."""
        self.random = Random(f"app {self.trace.seed} {len(self.trace.ends)}")  # the same when the run is repeated
        app = self.make_app()
        self.trace.steps.clear()
        self.end_requested, self.recorder = None, None
        app.run(headless=True, size=START_SIZE, auto_pilot=self.drive)
        app.stop_and_save()
        if self.end_requested is None:
            self.start_end_timer()
        seconds = monotonic() - self.end_requested
        self.recorder.stop()
        seconds -= self.recorder.without_processor
        self.watch.wait_for_threads()
        self.trace.ends.append(seconds)
        if seconds > SLOW:
            self.watch.add_finding(f"it took {seconds:.1f} s to end\n{self.recorder.stacks[-6000:]}")
        for error in (app._exception, self.error):
            if error is not None:
                self.watch.add_finding("the app broke", error)
        if app.trouble:
            self.watch.add_finding(app.trouble)
        del app
        gc.collect()  # else the apps would stay in memory: a real one ends with its process

    def make_app(self) -> NoughtsApp:
        settings, game = self.folder / "settings.json", self.random.choice(GAMES)
        app = NoughtsApp(Library(self.folder / "library.sqlite"), settings, (None, None), game, self.random, greet=True)
        app.recalls_seats = self.random.random() < 0.5
        notify, push_screen = app.notify, app.push_screen

        def answered(dismiss: Callable[[str | None], object], answer: str | None) -> object:
            self.watch.requested_paths.add(Path(answer or ".").expanduser().absolute())
            return dismiss(answer)

        def opens(screen: object, *args: object, **about: object) -> object:
            self.screens_opened += 1
            if isinstance(screen, Prompt):
                screen.dismiss = partial(answered, screen.dismiss)
            return push_screen(screen, *args, **about)

        def noted(message: str, *, severity: str = "information", **about: object) -> None:
            if severity != "information":
                self.trace.warnings[message] += 1
            if any(words in message for words in ERROR_TEXTS) and not is_about_deleted_save(message, app.library):
                self.watch.add_finding(message)
            notify(message, severity=severity, **about)

        app.notify, app.push_screen = noted, opens
        return app

    async def drive(self, pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, NoughtsApp)
        asyncio.get_running_loop().set_exception_handler(self.watch.add_loop_error)
        try:
            await self.play(app)
            if not is_ending(app):
                with suppress(AppEnded):
                    await self.leave(app)
        except Exception as error:  # noqa: BLE001  any error is reported, with the steps that led to it
            if app._exception is None:
                self.error = error
            app.exit()

    async def play(self, app: NoughtsApp) -> None:
        trace = self.trace
        await rest(0.05)
        train_in_background(app, self.random)
        for step in self.remaining_script:
            await self.step(app, step)
            if is_ending(app):
                return
        while trace.count < self.events and not is_ending(app):
            for _ in range(self.monkey.burst()):
                for step in self.monkey.gesture(app):
                    await self.step(app, step)
                if is_ending(app):
                    return
            await self.step(app, self.monkey.rest())
            check(app)

    async def step(self, app: NoughtsApp, step: Step) -> None:
        self.trace.steps.append(step)
        if step[0] not in ("rest", "until"):
            self.trace.count += 1
            self.trace.kinds[str(step[0])] += 1
        self.count_screen(app.screen)
        if self.end_requested is None and any(worker.group == "leave" for worker in app.workers):
            self.start_end_timer()
        await do(app, step)

    def count_screen(self, screen: Screen[object]) -> None:
        """Count a screen by its type, unless it is the last one that was counted."""
        if screen is not self.last_screen:
            self.last_screen = screen
            self.trace.screens[type(screen).__name__] += 1

    def start_end_timer(self) -> None:
        """Measure from now on how long the app takes to end."""
        self.end_requested, self.recorder = monotonic(), StackRecorder()
        self.recorder.start()

    async def leave(self, app: NoughtsApp) -> None:
        """Leave the current screen, visit modes by mouse or keys, and quit."""
        await rest(0.02)
        await self.escape(app)
        await do(app, ("resize", *START_SIZE))
        await rest(0.15)
        for mode in self.random.sample(list(TITLES), self.modes):
            await self.go_to(app, mode, self.random.random() < 0.5)
        self.trace.leaked_objects += leaked_objects(app)
        self.start_end_timer()
        for _ in range(QUITS):
            if await self.send_and_wait(app, ["q"], lambda: is_ending(app), "q does not end the app"):
                return
            opened = app.screen_stack[1:]
            await self.escape(app)
        raise NotReached(f"q does not end the app, but opens {opened}")

    async def escape(self, app: NoughtsApp) -> None:
        for _ in range(ESCAPES):
            await do(app, ("key", "escape"))
            await rest(0.02)
            if is_ending(app):
                raise AppEnded
            if not has_something_open(app):
                return
        raise NotReached(f"Escape leaves {app.screen_stack[1:]} open, {app.screen.maximized}, {app.focused}")

    async def go_to(self, app: NoughtsApp, mode: str, clicked: bool) -> None:
        """Go to a mode; retry if something that was requested earlier has opened meanwhile."""
        end = monotonic() + DEADLINE
        while not await (self.click_on if clicked else self.command)(app, mode):
            if monotonic() > end:
                way = "a click" if clicked else "a command"
                raise NotReached(f"{way} does not lead to {mode} from {app.screen_stack}, {app.size}")
            await self.escape(app)
        self.count_screen(app.screen)
        await rest(0.02)
        await self.escape(app)

    async def click_on(self, app: NoughtsApp, mode: str) -> bool:
        spot = tab_position(app, mode)
        clicks = [(name, *spot, 1) for name in ("down", "up")] if spot else []
        return bool(spot) and await self.send_and_wait(
            app, clicks, lambda: app.current_mode == mode, "a click leads nowhere"
        )

    async def command(self, app: NoughtsApp, mode: str) -> bool:
        title = f"Go to {TITLES[mode]}"
        letters = ["space" if letter == " " else letter for letter in title.lower()]
        return (
            not has_something_open(app)
            and await self.send_and_wait(
                app, ["ctrl+p"], lambda: isinstance(app.screen, CommandPalette), "no palette comes"
            )
            and await self.send_and_wait(
                app, letters, lambda: first_suggestion(app) == title, f"the palette does not offer {title}"
            )
            and await self.send_and_wait(app, ["enter"], lambda: app.current_mode == mode, f"{title} leads nowhere")
        )

    async def send_and_wait(
        self, app: NoughtsApp, steps: Sequence[str | Step], condition: Callable[[], object], otherwise: str
    ) -> bool:
        """Perform some steps and wait for a condition; return whether it holds.

        Stop waiting if a screen opens first that earlier input had requested.
        """
        opened, before = self.screens_opened, app.screen
        for step in steps:
            await do(app, ("key", step) if isinstance(step, str) else step)

        def other_opened() -> bool:
            return self.screens_opened != opened or (app.screen is not before and has_something_open(app))

        await self.until(app, lambda: condition() or other_opened(), otherwise)
        return bool(condition())

    async def until(self, app: NoughtsApp, condition: Callable[[], object], otherwise: str) -> None:
        end = monotonic() + DEADLINE
        while not condition():
            if is_ending(app):
                raise AppEnded
            if monotonic() > end:
                clicked = app._mouse_down_widget, app._click_chain_last_offset, app.mouse_captured
                raise NotReached(f"{otherwise} from {app.screen_stack, app.focused, app.size, app.workers}, {clicked=}")
            await rest(0.01)


def is_about_deleted_save(message: str, library: Library) -> bool:
    """Whether a message says that a save has not learned, and the save was deleted: such a message is no fault."""
    name, told, _ = message.partition(" has not learned from this game: no save ")
    return bool(told) and library.stamp(name) is None


def check(app: NoughtsApp) -> None:
    """Check that no background work has failed."""
    job, race, sweep, papers = app.job, app.race, app.sweep, app.papers
    if job is not None and (job.view.state is JobState.FAILED or job.save_error):
        raise AssertionError(f"the training failed: {job.view.error} {job.save_error}")
    if race is not None and race.view.state is JobState.FAILED:
        raise AssertionError(f"the race failed: {race.view.error}")
    if sweep is not None and sweep.view.state is JobState.FAILED and "is not valid" not in sweep.view.error:
        raise AssertionError(f"the sweep failed: {sweep.view.error}")
    for name, view in papers.views.items() if papers else ():
        if view.error:
            raise AssertionError(f"paper {name} failed: {view.error}")


def shrink_steps(trace: Trace, folder: Path) -> list[Step]:
    """Return a minimal part of the steps of the last app that still causes a finding, on an empty library."""

    def fails(part: Sequence[Step]) -> bool:
        with TemporaryDirectory(dir=folder) as place, watching(folder) as watch:
            MonkeyRun(Path(place), watch, Trace(trace.seed, ends=trace.ends[:-1]), 0, part, modes=0).run_app()
        return bool(watch.findings)

    return shrink(trace.steps, fails)
