"""A monkey test: random gestures of a person, as a strategy of hypothesis, and a run of the app that gets them.

A gesture is a kind and a seed. What it means depends on the screen: which of its keys is pressed, or where it is
clicked. It becomes steps, tuples of a name and values: `("key", "ctrl+p")`, `("paste", "x")`, `("down", 10, 3, 1)`,
`("up", 10, 3, 1)`, `("move", 10, 3, 0)`, `("scroll_up", 10, 3)`, `("resize", 80, 24)`. Two steps are not events:
`("rest", 0.1)` waits for some seconds and until the app is idle; `("until", condition)` waits for `condition(app)`.
"""

import asyncio
import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from hypothesis import strategies as st
from textual import events
from textual.keys import key_to_character
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, OptionList, Select

from engine.games import GAMES, parse_game
from lab.jobs import Job, JobState
from lab.training.training_job import TrainingJob, paces_for
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from saves.library.library import Library
from tests.campaigns.watching import LeakWatch, seconds_without_processor, strip_faults
from tests.idle_loop import IdleLoop, idle
from tests.keys import key_event
from tests.tui.piloting import Terminal, drawn, visible
from tests.waiting import wait_until_async
from tui.app import NoughtsApp
from tui.papers.screen import PapersScreen
from tui.shell.commands import is_ours
from tui.shell.dialog import Prompt
from tui.shell.modes import KEYS as MODE_KEYS

Step = tuple[str | float | Callable[[NoughtsApp], object], ...]

START_SIZE = 80, 24
SIZES = (*[START_SIZE] * 3, *[(60, 20)] * 3, (120, 40), (120, 40), (250, 80), (1, 1))
SHARES = {"q": 1, "ctrl+q": 0, "question_mark": 10, "f1": 10, "ctrl+p": 30, "colon": 30}
"""In how many of 100 cases a key is pressed when it is drawn; all screens have these, so they are drawn too often."""
PAPERS_SHARE = 5
"""In how many of 100 cases the papers are run when their key is drawn."""
NAMED_KEYS = (
    "up down left right home end pageup pagedown enter space escape tab shift+tab backspace delete f1 f2 f5 "
    "ctrl+a ctrl+e ctrl+k ctrl+u ctrl+w ctrl+x ctrl+v ctrl+c ctrl+left ctrl+right shift+left shift+home "
    "ctrl+home ctrl+end ctrl+p ctrl+z ctrl+o"
)
KEYS = (*NAMED_KEYS.split(), *"0123456789")
LETTERS = "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNORSTUVXYZ.,:;-+=/[]<>!?*#'\"_|\\ éßΩ日本\u0301\u200d\u202e😀"
TEXTS = (
    *("", " ", "7", "0", "-1", "500", "1e9", "9" * 20, "a name", "an evening in winter", "beads.json", "failures.txt"),
    *("sub/none.json", "../up.json", "x" * 3000, "two\nlines\n", "\x1b[31m\x07", "[b]x[/] [@click=q]y", "menace", "\0"),
    *("tictactoe X---O---- X", "XXOOOX---/X", "1. a1 b2 2. c3", "X:... O:", "日本\u202e[/]", "pick=rounded"),
)
PALETTE = ("go to", "theme", "motion", "skin", "screenshot", "maximize", "help", "", "save", "new", "x", "tour")
ERROR_TEXTS = ("That failed", "Not saved", "not kept", "not saved", "has not learned", "Traceback", "Error(")
"""Texts that the app shows only if something is wrong."""
MAX_ESCAPES_TO_LEAVE = 25
RETRIES = 200
"""How often a key may be too late, since something opens that was requested earlier."""
MAX_SECONDS_TO_WAIT = 120.0
MAX_SECONDS_TO_END = 3.0
"""The most seconds that an app may take to end, not counting its wait for a processor."""


class Gesture(NamedTuple):
    kind: str
    seed: int = 0

    def steps(self, app: NoughtsApp) -> Iterable[Step]:
        return FUNCTIONS[self.kind](app, Random(self.seed))


def bound_keys(app: NoughtsApp, *, ours: bool) -> list[str]:
    """Return the keys that have a binding on this screen: all, or our own and not those of Textual."""
    active = [each for each in app.screen.active_bindings.values() if each.enabled]
    return [each.binding.key for each in active if not ours or is_ours(each)] or ["escape"]


def press_bound_key(app: NoughtsApp, random: Random) -> Iterator[Step]:
    key = random.choice(bound_keys(app, ours=random.random() < 0.8))
    runs_papers = isinstance(app.screen, PapersScreen) and key in ("g", "asterisk")
    if random.randrange(100) < (PAPERS_SHARE if runs_papers else SHARES.get(key, 100)):
        yield "key", key


def repeat_key(app: NoughtsApp, random: Random) -> Iterator[Step]:
    key = random.choice([*bound_keys(app, ours=False), *KEYS])
    if key not in ("q", "ctrl+q") and not isinstance(app.screen, PapersScreen):
        yield from [("key", key)] * random.randint(3, 14)


def letters(text: str) -> Iterator[Step]:
    for letter in text:
        yield "key", key_event(letter).key


def fill_field(app: NoughtsApp, random: Random) -> Iterator[Step]:
    """Replace the text of a field, and mostly press Enter."""
    fields = [cells for widget, cells in visible(app.screen).items() if isinstance(widget, Input)]
    if fields and not isinstance(app.focused, Input):
        yield from click_at(*random.choice(random.choice(fields)))
    if isinstance(app.focused, Input):
        if not isinstance(app.screen, Prompt) or random.random() < 0.5:
            yield "key", "end"
            yield "key", "ctrl+u"
            text = random.choice(TEXTS)
            yield from [("paste", text)] if len(text) > 20 else letters(text)
        if random.random() < 0.7:
            yield "key", "enter"


def use_palette(_app: NoughtsApp, random: Random) -> Iterator[Step]:
    yield "key", "ctrl+p"
    if random.random() < 0.5:
        yield "rest", 0.0
    yield from letters(random.choice(PALETTE))
    yield "rest", random.choice((0.0, 0.02, 0.1))
    yield from [("key", "down")] * random.randrange(9)
    yield "key", random.choice(("enter", "enter", "enter", "escape"))


def place_in(app: NoughtsApp, random: Random) -> tuple[int, int]:
    return random.randrange(max(1, app.size.width)), random.randrange(max(1, app.size.height))


def click_at(x: int, y: int, button: int = 1) -> Iterator[Step]:
    yield "down", x, y, button
    yield "up", x, y, button


def click(app: NoughtsApp, random: Random) -> Iterator[Step]:
    """Click on a visible widget, or anywhere; sometimes two or three times, or with another button."""
    cells = list(visible(app.screen).values())
    on_widget = cells and random.random() < 0.7
    place = random.choice(random.choice(cells)) if on_widget else place_in(app, random)
    button = random.choice((1, 1, 1, 1, 1, 2, 3))
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        yield from click_at(*place, button)


def drag(app: NoughtsApp, random: Random) -> Iterator[Step]:
    """Press a button, move the mouse, and mostly release the button; or move only."""
    button = random.randrange(2)
    if button:
        yield "down", *place_in(app, random), button
    for _ in range(random.randint(1, 4)):
        yield "move", *place_in(app, random), button
    if button and random.random() < 0.9:
        yield "up", *place_in(app, random), button


def resize(_app: NoughtsApp, random: Random) -> Iterator[Step]:
    """Change the size once or often, and mostly end with one at which most widgets can be reached."""
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        any_size = random.randint(1, 250), random.randint(1, 80)
        yield "resize", *random.choice((*SIZES, any_size))
    if random.random() < 0.8:
        yield "rest", 0.0
        yield "resize", *random.choice(SIZES[:-2])


def wait(_app: NoughtsApp, random: Random) -> Iterator[Step]:
    yield "rest", random.choice((0.01, 0.05, 0.12, 0.4)) if random.randrange(30) == 0 else 0.0


def scroll(app: NoughtsApp, random: Random) -> Iterator[Step]:
    step = random.choice(("scroll_up", "scroll_down")), *place_in(app, random)
    yield from [step] * random.randint(1, 4)


FUNCTIONS: dict[str, Callable[[NoughtsApp, Random], Iterable[Step]]] = {
    "wait": wait,
    "press_bound_key": press_bound_key,
    "press_any_key": lambda _, random: [("key", random.choice(KEYS))],
    "click": click,
    "press_escape": lambda *_: [("key", "escape")],
    "type_letters": lambda _, random: letters("".join(random.choices(LETTERS, k=3))),
    "fill_field": fill_field,
    "resize": resize,
    "scroll": scroll,
    "drag": drag,
    "use_palette": use_palette,
    "paste": lambda _, random: [("paste", random.choice(TEXTS))],
    "repeat_key": repeat_key,
}
WEIGHTS = (18, 34, 14, 16, 6, 4, 4, 4, 3, 3, 3, 2, 2)
KINDS = [kind for kind, weight in zip(FUNCTIONS, WEIGHTS, strict=True) for _ in range(weight)]
GESTURES = st.builds(Gesture, st.sampled_from(KINDS), st.integers(0, 999_999))


class Impatient(Pilot[object]):
    async def pause(self, delay: float | None = None) -> None:
        """Go on at once."""


async def do(app: NoughtsApp, step: Step) -> None:
    """Perform one step in the app, through its driver, as for a person's input."""
    name, *values = step
    driver = app.terminal
    if name == "rest":
        await rest(*values)
    elif name == "until":
        await wait_until_async(lambda: values[0](app), state=lambda: app.screen)
    elif name == "resize":
        await Impatient(app).resize_terminal(*values)
    elif name == "key":
        driver.process_message(events.Key(values[0], key_to_character(values[0])))
    elif name == "paste":
        driver.process_message(events.Paste(*values))
    else:
        x, y, button = *values, *[0] * (3 - len(values))
        kind = getattr(events, "Mouse" + str(name).title().replace("_", ""))
        driver.process_message(kind(None, x, y, 0, 0, button, False, False, False, x, y))


async def rest(seconds: float) -> None:
    await asyncio.sleep(seconds)
    while await idle():
        pass


class AppEnded(Exception):
    """The app has ended because of an earlier request."""


@dataclass
class Trace:
    """What was counted in all runs."""

    events: Counter[str] = field(default_factory=Counter)
    screens: Counter[str] = field(default_factory=Counter)
    seconds_to_end: list[float] = field(default_factory=list)
    checks: int = 0

    @property
    def count(self) -> int:
        return self.events.total()


class MonkeyRun:
    """One run: open the app, send it gestures or steps, then check that every screen can be left."""

    def __init__(self, folder: Path, watch: LeakWatch, trace: Trace, seed: int) -> None:
        self.folder, self.watch, self.trace, self.random = folder, watch, trace, Random(seed)
        self.end_requested: float | None = None
        self.error: BaseException | None = None
        self.last_screen: Screen[object] | None = None
        self.screens_opened = 0

    def run(self, script: Sequence[Gesture | Step]) -> None:
        app = self.make_app()
        with asyncio.Runner(loop_factory=IdleLoop) as runner:
            runner.run(self.drive(app, script))
        app.stop_and_save()
        self.check_end()
        self.watch.wait_for_threads()
        if self.error is not None:
            self.watch.add_finding("the app broke", self.error)
        if app.trouble:
            self.watch.add_finding(app.trouble)
        del app
        gc.collect()  # else the apps would stay in memory: a real one ends with its process

    def make_app(self) -> NoughtsApp:
        settings, game = self.folder / "settings.json", self.random.choice(GAMES)
        app = NoughtsApp(Library(self.folder / "library.sqlite"), settings, (None, None), game, self.random, greet=True)
        app.driver_class = Terminal
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

        def noted(message: str, **about: object) -> None:
            if any(words in message for words in ERROR_TEXTS) and not is_about_deleted_save(message, app.library):
                self.watch.add_finding(message)
            notify(message, **about)

        app.notify, app.push_screen = noted, opens
        return app

    async def drive(self, app: NoughtsApp, script: Sequence[Gesture | Step]) -> None:
        asyncio.get_running_loop().set_exception_handler(self.watch.add_loop_error)
        try:
            async with app.run_test(headless=False, size=START_SIZE, notifications=True, tooltips=True):
                await self.perform(app, script)
                await wait_until_async(lambda: not app.is_running)
        except Exception as error:  # noqa: BLE001  any error is reported, with the gestures that led to it
            self.error = error

    async def perform(self, app: NoughtsApp, script: Sequence[Gesture | Step]) -> None:
        await rest(0.05)
        train_in_background(app, self.random)
        for each in script:
            for step in each.steps(app) if isinstance(each, Gesture) else [each]:
                await self.step(app, step)
            if is_ending(app):
                return
        with suppress(AppEnded):
            await self.leave(app)

    async def step(self, app: NoughtsApp, step: Step) -> None:
        if app.screen is not self.last_screen:
            self.last_screen = app.screen
            self.trace.screens[type(app.screen).__name__] += 1
        if any(worker.group == "leave" for worker in app.workers):
            self.start_end_timer()
        await do(app, step)
        if step[0] == "rest":
            self.check(app)
        elif step[0] != "until":
            self.trace.events[str(step[0])] += 1

    def check(self, app: NoughtsApp) -> None:
        """Check what is drawn, and that no background work has failed. Called whenever the app is idle."""
        self.trace.checks += 1
        for fault in islice(strip_faults(drawn(app.screen)), 3):
            self.watch.add_finding(f"{app.screen}: {fault}")
        failed = [each for each in (app.job, app.race, app.sweep) if each and each.view.state is JobState.FAILED]
        errors = [each.view.error or repr(each.view) for each in failed if not is_bad_point(app, each)]
        errors += [app.job.save_error] if app.job is not None else []
        errors += [view.error for view in (app.papers.views.values() if app.papers else ())]
        for error in filter(None, errors):
            self.watch.add_finding(f"work in the background failed: {error}")

    def start_end_timer(self) -> None:
        """Measure from now on how long the app takes to end."""
        if self.end_requested is None:
            self.end_requested, self.waited = monotonic(), seconds_without_processor("self")

    def check_end(self) -> None:
        self.start_end_timer()
        waited = seconds_without_processor("self")
        seconds = monotonic() - self.end_requested - max(waited[each] - self.waited.get(each, 0) for each in waited)
        self.trace.seconds_to_end.append(seconds)
        if seconds > MAX_SECONDS_TO_END:
            self.watch.add_finding(f"it took {seconds:.1f} s to end")

    async def leave(self, app: NoughtsApp) -> None:
        """Leave the current screen, go to two modes by their keys, and quit."""
        await self.escape(app)
        await do(app, ("resize", *START_SIZE))
        await rest(0.15)
        for mode, key in self.random.sample([*MODE_KEYS.items()], 2):
            await self.press(app, key, lambda mode=mode: app.current_mode == mode)
            await self.escape(app)
        self.start_end_timer()
        await self.press(app, "q", lambda: is_ending(app))

    async def press(self, app: NoughtsApp, key: str, has_effect: Callable[[], bool]) -> None:
        """Press a key until it has its effect; something that was requested earlier may open meanwhile."""
        for _ in range(RETRIES):
            opened, end = self.screens_opened, monotonic() + MAX_SECONDS_TO_WAIT
            await do(app, ("key", key))
            while self.screens_opened == opened and not has_something_open(app):
                if has_effect():
                    return
                assert monotonic() < end, f"{key} is lost: {app.screen_stack, app.focused, app.workers}"
                await rest(0.01)
            await self.escape(app)
        raise AssertionError(f"{key} is lost, but opens {app.screen_stack[1:]}")

    async def escape(self, app: NoughtsApp) -> None:
        for _ in range(MAX_ESCAPES_TO_LEAVE):
            await do(app, ("key", "escape"))
            await rest(0.02)
            if is_ending(app):
                raise AppEnded
            if not has_something_open(app) and not isinstance(app.focused, Input):  # a field would take q
                return
        raise AssertionError(f"Escape leaves {app.screen_stack[1:]} open, {app.screen.maximized}, {app.focused}")


def has_something_open(app: NoughtsApp) -> bool:
    """Whether Escape would close something: a screen, a maximized widget, or an open list. It closes one at a time."""
    has_open_list = isinstance(app.focused, OptionList) and isinstance(app.focused.parent, Select)
    return len(app.screen_stack) > 1 or app.screen.maximized is not None or has_open_list


def is_ending(app: NoughtsApp) -> bool:
    """Whether the app is about to end, or has failed."""
    return app.is_ending or bool(app.return_code) or not app.is_running


def is_bad_point(app: NoughtsApp, job: Job[Any]) -> bool:
    """Whether a sweep has ended because settings of one of its points exclude each other: that is no fault."""
    return job is app.sweep and "is not valid" in str(job.view.error)


def is_about_deleted_save(message: str, library: Library) -> bool:
    """Whether a message says that a save has not learned, and the save was deleted: such a message is no fault."""
    name, told, _ = message.partition(" has not learned from this game: no save ")
    return bool(told) and library.stamp(name) is None


def train_in_background(app: NoughtsApp, random: Random) -> None:
    tictactoe = parse_game("tictactoe")
    learner = random.choice((Failures(tictactoe, "literal", 1), Menace(tictactoe, "michie", 1)))
    name, pace = app.library.free_name("behind"), random.choice(paces_for(type(learner)))
    app.train(TrainingJob(learner, 100_000, name, pace, partial(app.library.save, name, replace=True)))
