"""A monkey test: random gestures of a person, as a strategy of hypothesis, and a run of the app that gets them.

A gesture is a kind and three numbers. What it means depends on the screen: which of its keys is pressed, or where it is
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
from tests.campaigns.hostile_text import strip_faults
from tests.campaigns.watching import LeakWatch, seconds_without_processor
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
ESCAPES = 25
"""The most presses of Escape that may be needed to leave any screen."""
RETRIES = 200
"""How often a key may be too late, since something opens that was requested earlier."""
DEADLINE = 120.0
"""The most seconds to wait for anything, on a busy machine."""
SLOW = 3.0
"""The most seconds that an app may take to end, not counting its wait for a processor."""


class Gesture(NamedTuple):
    kind: str
    one: int = 0
    two: int = 0
    three: int = 0

    def steps(self, app: NoughtsApp) -> Iterator[Step]:
        return FUNCTIONS[self.kind](app, self.one, self.two, self.three)


def pick(choices: Sequence, number: int) -> object:
    return choices[number % len(choices)]


def bound_keys(app: NoughtsApp, *, ours: bool) -> list[str]:
    """Return the keys that have a binding on this screen: all, or our own and not those of Textual."""
    active = [each for each in app.screen.active_bindings.values() if each.enabled]
    return [each.binding.key for each in active if not ours or is_ours(each)] or ["escape"]


def press_bound_key(app: NoughtsApp, one: int, two: int, three: int) -> Iterator[Step]:
    key = pick(bound_keys(app, ours=bool(three % 5)), one)
    runs_papers = isinstance(app.screen, PapersScreen) and key in ("g", "asterisk")
    if two % 100 < (PAPERS_SHARE if runs_papers else SHARES.get(key, 100)):
        yield "key", key


def repeat_key(app: NoughtsApp, one: int, two: int, _: int) -> Iterator[Step]:
    key = pick([*bound_keys(app, ours=False), *KEYS], one)
    if key not in ("q", "ctrl+q") and not isinstance(app.screen, PapersScreen):
        yield from [("key", key)] * (3 + two % 12)


def letters(text: str) -> Iterator[Step]:
    for letter in text:
        yield "key", key_event(letter).key


def fill_field(app: NoughtsApp, one: int, two: int, three: int) -> Iterator[Step]:
    """Replace the text of a field, and mostly press Enter."""
    fields = [cells for widget, cells in visible(app.screen).items() if isinstance(widget, Input)]
    if fields and not isinstance(app.focused, Input):
        yield from click_at(*pick(pick(fields, two), one))
    if isinstance(app.focused, Input):
        if not isinstance(app.screen, Prompt) or two % 2:
            yield "key", "end"
            yield "key", "ctrl+u"
            text = pick(TEXTS, one)
            yield from [("paste", text)] if len(text) > 20 else letters(text)
        if three % 10 < 7:
            yield "key", "enter"


def use_palette(_app: NoughtsApp, one: int, two: int, three: int) -> Iterator[Step]:
    yield "key", "ctrl+p"
    if three % 2:
        yield "rest", 0.0
    yield from letters(pick(PALETTE, one))
    yield "rest", pick((0.0, 0.02, 0.1), three)
    yield from [("key", "down")] * (two % 9)
    yield "key", pick(("enter", "enter", "enter", "escape"), three)


def place_in(app: NoughtsApp, one: int, two: int) -> tuple[int, int]:
    return one % max(1, app.size.width), two % max(1, app.size.height)


def click_at(x: int, y: int, button: int = 1) -> Iterator[Step]:
    yield "down", x, y, button
    yield "up", x, y, button


def click(app: NoughtsApp, one: int, two: int, three: int) -> Iterator[Step]:
    """Click on a visible widget, or anywhere; sometimes two or three times, or with another button."""
    cells = list(visible(app.screen).values())
    place = pick(pick(cells, three), one + 7 * two) if cells and one % 10 < 7 else place_in(app, one, two)
    for _ in range(pick((1, 1, 1, 2, 3), two)):
        yield from click_at(*place, pick((1, 1, 1, 1, 1, 2, 3), one))


def drag(app: NoughtsApp, one: int, two: int, three: int) -> Iterator[Step]:
    """Press a button, move the mouse, and mostly release the button; or move only."""
    pressed = three % 2
    if pressed:
        yield "down", *place_in(app, one, two), 1
    for number in range(1 + three % 4):
        yield "move", *place_in(app, two + 7 * number, one + number), pressed
    if pressed and three % 10:
        yield "up", *place_in(app, three, two), 1


def resize(_app: NoughtsApp, one: int, two: int, three: int) -> Iterator[Step]:
    """Change the size once or often, and mostly end with one at which most widgets can be reached."""
    for number in range(pick((1, 1, 1, 2, 5), three)):
        anything = 1 + (one + 31 * number) % 250, 1 + (two + 7 * number) % 80
        yield "resize", *pick((*SIZES, anything), one + number)
    if three % 5:
        yield "rest", 0.0
        yield "resize", *pick(SIZES[:-2], two)


FUNCTIONS: dict[str, Callable[[NoughtsApp, int, int, int], Iterable[Step]]] = {
    "wait": lambda _, one, two, __: [("rest", pick((0.01, 0.05, 0.12, 0.4), two) if one % 30 == 1 else 0.0)],
    "press_bound_key": press_bound_key,
    "press_any_key": lambda _, one, *__: [("key", pick(KEYS, one))],
    "click": click,
    "press_escape": lambda *_: [("key", "escape")],
    "type_letters": lambda _, *numbers: letters("".join(pick(LETTERS, number) for number in numbers)),
    "fill_field": fill_field,
    "resize": resize,
    "scroll": lambda app, *to: [(f"scroll_{pick(('up', 'down'), to[2])}", *place_in(app, *to[:2]))] * (1 + to[2] % 4),
    "drag": drag,
    "use_palette": use_palette,
    "paste": lambda _, one, *__: [("paste", pick(TEXTS, one))],
    "repeat_key": repeat_key,
}
"""What the numbers of each kind of gesture mean."""
WEIGHTS = (18, 34, 14, 16, 6, 4, 4, 4, 3, 3, 3, 2, 2)
KINDS = [kind for kind, weight in zip(FUNCTIONS, WEIGHTS, strict=True) for _ in range(weight)]
GESTURES = st.builds(Gesture, st.sampled_from(KINDS), *[st.integers(0, 9999)] * 3)


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

    kinds: Counter[str] = field(default_factory=Counter)
    """The number of events of each kind."""
    screens: Counter[str] = field(default_factory=Counter)
    """The number of times that each kind of screen was shown."""
    ends: list[float] = field(default_factory=list)
    """Seconds that each app took to end."""
    checks: int = 0
    """How often a screen was checked."""

    @property
    def count(self) -> int:
        return self.kinds.total()


class MonkeyRun:
    """One run: open the app, send it gestures or steps, then check that every screen can be left."""

    def __init__(self, folder: Path, watch: LeakWatch, trace: Trace, seed: int) -> None:
        self.folder, self.watch, self.trace, self.random = folder, watch, trace, Random(seed)
        self.end_requested: float | None = None
        """When the app was asked to end."""
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
            self.trace.kinds[str(step[0])] += 1

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
        self.trace.ends.append(seconds)
        if seconds > SLOW:
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
            opened, end = self.screens_opened, monotonic() + DEADLINE
            await do(app, ("key", key))
            while self.screens_opened == opened and not has_something_open(app):
                if has_effect():
                    return
                assert monotonic() < end, f"{key} is lost: {app.screen_stack, app.focused, app.workers}"
                await rest(0.01)
            await self.escape(app)
        raise AssertionError(f"{key} is lost, but opens {app.screen_stack[1:]}")

    async def escape(self, app: NoughtsApp) -> None:
        for _ in range(ESCAPES):
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
    return app.ending or bool(app.return_code) or not app.is_running


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
