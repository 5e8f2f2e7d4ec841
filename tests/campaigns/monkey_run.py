"""The app on a library for the monkey, and the ways out of every screen."""

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
from lab.modes import TITLES
from lab.training.training_job import JobState
from saves.library.library import Library
from tests.campaigns.app_queries import first_suggestion, has_something_open, is_ending, tab_position
from tests.campaigns.leak_watch import SLOW, Overseer, Watch, litter, watching
from tests.campaigns.monkey import Monkey, Step, do, rest
from tests.campaigns.monkey_library import train_behind
from tests.campaigns.shrinking import smallest
from tui.app import NoughtsApp
from tui.shell.prompt import Prompt

HOME = 80, 24
ESCAPES = 25
"""The most presses of Escape that may be needed to leave any screen."""
QUITS = 200
"""The most presses of q that may open something requested before, instead of ending the app."""
DEADLINE = 120.0  # seconds for anything that a person waits for, on a busy machine
BAD_WORDS = ("That failed", "Not saved", "not kept", "not saved", "has not learned", "Traceback", "Error(")
"""Texts that the app shows only if something is wrong."""


class Lost(AssertionError):
    """An expected state was not reached."""


class Ended(Exception):
    """The app ends, as requested before."""


@dataclass
class Trace:
    """The result of one run."""

    seed: int
    steps: list[Step] = field(default_factory=list)
    """Those at the last app."""
    count: int = 0
    """Events so far."""
    kinds: Counter[str] = field(default_factory=Counter)
    screens: Counter[str] = field(default_factory=Counter)
    """The number of times that each kind of screen was shown."""
    warnings: Counter[str] = field(default_factory=Counter)
    litter: Counter[str] = field(default_factory=Counter)
    """Objects of closed screens that were still alive at the end."""
    ends: list[float] = field(default_factory=list)
    """Seconds that each app took to end."""


@dataclass
class Jungle:
    """One run: a folder, a seed, and apps opened one after the other, until there are enough events."""

    folder: Path
    watch: Watch
    trace: Trace
    events: int
    """The number of events to reach."""
    script: Sequence[Step] = ()
    """The first steps."""
    modes: int = len(TITLES)
    """The number of modes to visit before an app ends."""

    def __post_init__(self) -> None:
        self.monkey = Monkey(Random(f"monkey {self.trace.seed}"))
        self.rest_of_script = iter(self.script)
        self.random = Random()
        self.leaving: float | None = None
        """When the app was asked to end, and who watches it since."""
        self.overseer: Overseer | None = None
        self.error: BaseException | None = None
        self.seen: Screen[object] | None = None
        """The screen that came up last."""
        self.opened = 0
        """How often something has opened over a screen."""

    def live(self) -> None:
        """Open the app again and again, until all events have happened."""
        while self.trace.count < self.events and not self.watch.findings:
            self.open()

    def open(self) -> None:
        """Open the app, let the monkey at it, and see how it ends."""
        self.random = Random(f"app {self.trace.seed} {len(self.trace.ends)}")  # as it is when this is played again
        app = self.make_app()
        self.trace.steps.clear()
        self.leaving, self.overseer = None, None
        app.run(headless=True, size=HOME, auto_pilot=self.drive)
        app.keep_training()
        if self.leaving is None:
            self.ends_now()
        taken = monotonic() - self.leaving
        self.overseer.stop()
        taken -= self.overseer.waited
        self.watch.wait_for_threads()
        self.trace.ends.append(taken)
        if taken > SLOW:
            self.watch.find(f"it took {taken:.1f} s to end\n{self.overseer.told[-6000:]}")
        for error in (app._exception, self.error):
            if error is not None:
                self.watch.find("the app broke", error)
        if app.trouble:
            self.watch.find(app.trouble)
        del app
        gc.collect()  # its process would have ended: those of a run are not to pile up

    def make_app(self) -> NoughtsApp:
        settings, game = self.folder / "settings.json", self.random.choice(GAMES)
        app = NoughtsApp(Library(self.folder / "library.sqlite"), settings, (None, None), game, self.random, greet=True)
        app.recalls_seats = self.random.random() < 0.5
        notify, push_screen = app.notify, app.push_screen

        def answered(dismiss: Callable[[str | None], object], answer: str | None) -> object:
            self.watch.named.add(Path(answer or ".").expanduser().absolute())
            return dismiss(answer)

        def opens(screen: object, *args: object, **about: object) -> object:
            self.opened += 1
            if isinstance(screen, Prompt):
                screen.dismiss = partial(answered, screen.dismiss)
            return push_screen(screen, *args, **about)

        def noted(message: str, *, severity: str = "information", **about: object) -> None:
            if severity != "information":
                self.trace.warnings[message] += 1
            if any(words in message for words in BAD_WORDS) and not of_deleted(message, app.library):
                self.watch.find(message)
            notify(message, severity=severity, **about)

        app.notify, app.push_screen = noted, opens
        return app

    async def drive(self, pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, NoughtsApp)
        asyncio.get_running_loop().set_exception_handler(self.watch.loop_failed)
        try:
            await self.play(app)
            if not is_ending(app):
                with suppress(Ended):
                    await self.leave(app)
        except Exception as error:  # noqa: BLE001  whatever it is, it is told with what led there
            if app._exception is None:
                self.error = error
            app.exit()

    async def play(self, app: NoughtsApp) -> None:
        trace = self.trace
        await rest(0.05)
        train_behind(app, self.random)
        for step in self.rest_of_script:
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
        self.look_at(app.screen)
        if self.leaving is None and any(worker.group == "leave" for worker in app.workers):
            self.ends_now()
        await do(app, step)

    def look_at(self, screen: Screen[object]) -> None:
        """Count a screen that was not there before."""
        if screen is not self.seen:
            self.seen = screen
            self.trace.screens[type(screen).__name__] += 1

    def ends_now(self) -> None:
        """From here on the app is to end soon."""
        self.leaving, self.overseer = monotonic(), Overseer()
        self.overseer.start()

    async def leave(self, app: NoughtsApp) -> None:
        """Go back from wherever the monkey is, visit the modes by mouse or keys, and quit."""
        await rest(0.02)
        await self.escape(app)
        await do(app, ("resize", *HOME))
        await rest(0.15)
        for mode in self.random.sample(list(TITLES), self.modes):
            await self.go_to(app, mode, self.random.random() < 0.5)
        self.trace.litter += litter(app)
        self.ends_now()
        for _ in range(QUITS):
            if await self.comes(app, ["q"], lambda: is_ending(app), "q does not end the app"):
                return
            opened = app.screen_stack[1:]
            await self.escape(app)
        raise Lost(f"q does not end the app, but opens {opened}")

    async def escape(self, app: NoughtsApp) -> None:
        for _ in range(ESCAPES):
            await do(app, ("key", "escape"))
            await rest(0.02)
            if is_ending(app):
                raise Ended
            if not has_something_open(app):
                return
        raise Lost(f"Escape leaves {app.screen_stack[1:]} open, {app.screen.maximized}, {app.focused}")

    async def go_to(self, app: NoughtsApp, mode: str, clicked: bool) -> None:
        """Go to a mode; retry if something that was requested before has opened meanwhile."""
        end = monotonic() + DEADLINE
        while not await (self.click_on if clicked else self.command)(app, mode):
            if monotonic() > end:
                way = "a click" if clicked else "a command"
                raise Lost(f"{way} does not lead to {mode} from {app.screen_stack}, {app.size}")
            await self.escape(app)
        self.look_at(app.screen)
        await rest(0.02)
        await self.escape(app)

    async def click_on(self, app: NoughtsApp, mode: str) -> bool:
        spot = tab_position(app, mode)
        clicks = [(name, *spot, 1) for name in ("down", "up")] if spot else []
        return bool(spot) and await self.comes(app, clicks, lambda: app.current_mode == mode, "a click leads nowhere")

    async def command(self, app: NoughtsApp, mode: str) -> bool:
        title = f"Go to {TITLES[mode]}"
        letters = ["space" if letter == " " else letter for letter in title.lower()]
        return (
            not has_something_open(app)
            and await self.comes(app, ["ctrl+p"], lambda: isinstance(app.screen, CommandPalette), "no palette comes")
            and await self.comes(
                app, letters, lambda: first_suggestion(app) == title, f"the palette does not offer {title}"
            )
            and await self.comes(app, ["enter"], lambda: app.current_mode == mode, f"{title} leads nowhere")
        )

    async def comes(
        self, app: NoughtsApp, steps: Sequence[str | Step], condition: Callable[[], object], otherwise: str
    ) -> bool:
        """Send some steps and wait for a condition; return false if something else opens first.

        It may have been requested before, and have waited for another screen to open.
        """
        opened, before = self.opened, app.screen
        for step in steps:
            await do(app, ("key", step) if isinstance(step, str) else step)

        def other_opened() -> bool:
            return self.opened != opened or (app.screen is not before and has_something_open(app))

        await self.until(app, lambda: condition() or other_opened(), otherwise)
        return bool(condition())

    async def until(self, app: NoughtsApp, condition: Callable[[], object], otherwise: str) -> None:
        end = monotonic() + DEADLINE
        while not condition():
            if is_ending(app):
                raise Ended
            if monotonic() > end:
                clicked = app._mouse_down_widget, app._click_chain_last_offset, app.mouse_captured
                raise Lost(f"{otherwise} from {app.screen_stack, app.focused, app.size, app.workers}, {clicked=}")
            await rest(0.01)


def of_deleted(message: str, library: Library) -> bool:
    """Whether a message that a save does not learn is correct, since it was deleted."""
    name, told, _ = message.partition(" has not learned: no save ")
    return bool(told) and library.stamp(name) is None


def check(app: NoughtsApp) -> None:
    """Check that no background work has failed."""
    job, race, sweep, papers = app.job, app.race, app.sweep, app.papers
    if job is not None and (job.view.state is JobState.FAILED or job.save_error):
        raise AssertionError(f"the training failed: {job.view.error} {job.save_error}")
    if race is not None and race.state is JobState.FAILED:
        raise AssertionError(f"the race failed: {race.error}")
    if sweep is not None and sweep.view.state is JobState.FAILED and "is not valid" not in sweep.view.error:
        raise AssertionError(f"the sweep failed: {sweep.view.error}")
    for name, view in papers.views.items() if papers else ():
        if view.error:
            raise AssertionError(f"paper {name} failed: {view.error}")


def shrunk(trace: Trace, folder: Path) -> list[Step]:
    """The fewest steps of the last app that still cause a finding, on an empty library."""

    def fails(part: Sequence[Step]) -> bool:
        with TemporaryDirectory(dir=folder) as place, watching(folder) as watch:
            Jungle(Path(place), watch, Trace(trace.seed, ends=trace.ends[:-1]), 0, part, modes=0).open()
        return bool(watch.findings)

    return smallest(trace.steps, fails)
