"""Helpers that drive the app by keys and clicks, and wait for states, never for times."""

from asyncio import all_tasks, get_running_loop, sleep
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import groupby, product
from pathlib import Path
from random import Random
from typing import Any, TypeVar, cast
from unittest.mock import patch

from textual.app import App
from textual.content import Content
from textual.drivers.headless_driver import HeadlessDriver
from textual.errors import NoWidget
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from engine.game import BadText, Move
from engine.games import parse_game
from lab.board.session import Session
from lab.training.training_job import FULL_SPEED
from learners.core.learner import PERSON
from saves.errors import LibraryError
from saves.library.library import Library
from saves.paths import library_path, settings_path
from tests.idle_loop import idle
from tests.keys import key_event
from tests.waiting import LIMIT, wait_until_async
from tui.app import NoughtsApp
from tui.play.screen import PlayScreen
from tui.shell.dialog import Prompt
from tui.shell.filters import JOINT
from tui.shell.guards import DELAYED_CALL
from tui.shell.parts import ChoiceList
from tui.shell.screen import LabScreen
from tui.widgets.board import BoardView
from tui.widgets.form import Form

Shown = TypeVar("Shown", bound=Screen[Any])
DEADLINE = LIMIT
LASTING = 10 * LIMIT
"""Seconds for which a message is shown: it must not be gone before a busy machine looks for it."""

KEPT = set[tuple[type, str]]()
"""The kinds of exports that were drawn in this process, each with its screen."""


def make_app(game: str = "tictactoe", first: str | None = None, second: str | None = None) -> NoughtsApp:
    app = NoughtsApp(Library(library_path()), settings_path(), (first, second), parse_game(game))
    app.random = Random(1)
    return app


def squares_on(board: BoardView, ground: str) -> set[int | None]:
    """Return the squares in which a ground is drawn anywhere."""
    colour, found = board._style("hint", ground).bgcolor, set[int | None]()
    for y in range(board.size.height):
        x = 0
        for segment in board.render_line(y):
            if segment.style is not None and segment.style.bgcolor == colour:
                found |= {board.square_at(x + column, y) for column in range(segment.cell_length)}
            x += segment.cell_length
    return found - {None}


class Terminal(HeadlessDriver):
    """A driver that shows nothing, and that the app knows as its `terminal`."""

    def __init__(self, app: App[None], **options: bool | tuple[int, int] | None) -> None:
        super().__init__(app, **options)
        app.terminal = self


class SteadyPilot(Pilot[None]):
    """A pilot whose keys, clicks and pauses last until the app waits for time, a thread or further input.

    Textual's own wait until the process uses little processor time, which a busy machine also makes it do before it
    has answered.
    """

    async def press(self, *keys: str) -> None:
        for key in keys:
            self.app.post_message(key_event(key))
            await self.pause()

    async def pause(self, delay: float | None = None) -> None:
        await sleep(delay or 0)
        await idle()
        while self.app.is_running:
            await self.wait_for_animation()  # which draws what has changed
            if not await idle():
                break

    async def until(self, condition: Callable[[], object]) -> None:
        await self.pause()
        if not condition():
            await wait_until_async(condition, state=lambda: f"the screen shows:\n{self.screen_text}")
            await self.pause()

    async def arrived(self, kind: type[Shown]) -> Shown:
        """Wait until a screen of this class is open, with all its widgets; return it."""
        await self.until(lambda: isinstance(self.screen, kind) and getattr(self.screen, "is_ready", True))
        return cast("Shown", self.screen)

    async def seated(self, *labels: str) -> None:
        """Wait until the board is shown and its players are loaded: these two, if they are named.

        While they are loaded, two people hold the seats.
        """

        def ready() -> bool:
            screen = self.screen
            loaded = isinstance(screen, PlayScreen) and screen.is_ready and not screen.table.loading
            return loaded and labels in {(), screen.session.labels}

        await self.until(ready)

    async def told(self, words: str) -> None:
        """Wait until a message, or at the board the news, tells these words."""

        def said() -> bool:
            news = [self.screen.advice.text] if isinstance(self.screen, PlayScreen) else []
            return any(words in each for each in (*self.shown_messages, *news))

        await self.until(said)

    async def sees(self, *texts: str) -> None:
        """Wait until the screen shows all these texts, possibly broken into lines."""

        def shown() -> bool:
            screen = self.screen_text
            return all(text in screen or text in " ".join(screen.split()) for text in texts)

        await self.until(shown)

    async def answer(self, text: str) -> None:
        (await self.arrived(Prompt)).query_one(Input).value = text
        await self.press("enter")

    async def come_to_rest(self) -> None:
        """Wait until no thread is at work, no delayed call is due within a second, and the text stays the same."""
        app, before, now = self.app, None, None

        def is_at_rest() -> bool:
            delayed = [name for name in (task.get_name() for task in all_tasks()) if name.startswith(DELAYED_CALL)]
            return not get_running_loop().in_threads and all(
                float(name.removeprefix(DELAYED_CALL)) > 1 for name in delayed
            )

        while now is None or now != before:
            before = now
            await self.until(is_at_rest)
            for screen in app.screen_stack:
                if isinstance(screen, LabScreen):
                    screen.poll()  # as it does itself, a few times a second
            await self.pause()
            now = (self.screen_text or None) if is_at_rest() else None  # a screen that opens is empty at first
        app.screen.refresh()  # what lies behind a dialog may have changed since it was drawn
        await self.pause()

    def enter(self, **values: str) -> None:
        """Type or choose these values in the fields of the form, given by their names, with `_` for `-`."""
        for name, value in values.items():
            self.form.fields[name.replace("_", "-")].value = value

    async def pick(self, name: str, value: str) -> None:
        """Choose a value of a drop-down list by keys: open it, move down to the value, and confirm.

        The list is given by the name of its field in the form, or by a selector.
        """
        screen = self.screen
        select = screen.query_one(name, ChoiceList) if name.startswith("#") else self.form.choices(name)
        steps = select.values.index(value) - select.values.index(select.value)
        select.focus()
        await self.press("enter", *["down" if steps > 0 else "up"] * abs(steps), "enter")
        await self.until(lambda: select.value == value)

    @property
    def screen(self) -> Any:  # noqa: ANN401  one of many kinds
        return self.app.screen

    @property
    def screen_text(self) -> str:
        return "\n".join(strip.text.rstrip() for strip in drawn(self.screen))

    def text_of(self, selector: str) -> str:
        return str(self.screen.query_one(selector, Static).content).replace(JOINT, " ")

    def state_of(self, selector: str = "#play-board") -> str:
        """What the frame of a panel says at the right: its state."""
        return Content.from_markup(self.screen.query_one(selector).border_subtitle or "").plain

    def title_of(self, selector: str) -> str:
        return str(self.screen.query_one(selector).border_title)

    def shown_text(self, selector: str) -> str | None:
        """Return the text of a widget, or None while it is not shown."""
        return self.text_of(selector) if is_shown(self.screen.query_one(selector)) else None

    @property
    def news(self) -> str:
        """What Play tells beside the board."""
        return self.text_of("#news")

    @property
    def exact_table(self) -> str:
        """The exact results of a machine in Play."""
        return self.text_of("#exact-table")

    @property
    def train_state(self) -> str:
        """How far the training is, in words."""
        return self.text_of("#train-state")

    @property
    def train_summary(self) -> str:
        return self.text_of("#summary")

    @property
    def train_title(self) -> str:
        """The title of the chart that Train shows."""
        return self.title_of("#train-chart")

    @property
    def memory_headline(self) -> str:
        return self.text_of("#memory-headline")

    @property
    def job_line(self) -> str:
        """What the mode bar says of the job that runs behind the screens."""
        return self.text_of("#training")

    def accept(self) -> None:
        """Press the button of a dialog that confirms it."""
        self.screen.query_one("#accept", Button).press()

    @property
    def shown_messages(self) -> list[str]:
        return [str(toast.render()) for toast in self.screen.query("Toast")]

    @property
    def newest_message(self) -> str:
        return next(reversed(self.shown_messages), "")

    @property
    def session(self) -> Session:
        return self.screen.session

    @property
    def moves(self) -> list[Move]:
        return self.session.match.moves

    @property
    def form(self) -> Form:
        return self.screen.query_one(Form)

    @property
    def form_error(self) -> str:
        return self.text_of("ErrorLine")

    @property
    def wrong_fields(self) -> list[str]:
        """The names of the fields that the form has marked."""
        return [name for name, field in self.form.fields.items() if field.has_class("-invalid")]


@asynccontextmanager
async def steadily(app: App[None], size: tuple[int, int] = (80, 24)) -> AsyncIterator[SteadyPilot]:
    """Run any app in a terminal of this size."""
    app.driver_class = Terminal
    async with app.run_test(headless=False, size=size, notifications=True):
        pilot = SteadyPilot(app)
        await pilot.pause()
        yield pilot


@asynccontextmanager
async def running(app: NoughtsApp | None = None, size: tuple[int, int] = (80, 24)) -> AsyncIterator[SteadyPilot]:
    """Run the app in a terminal of this size; its errors are raised here. Messages stay until others replace them."""
    app = app or make_app()
    app.NOTIFICATION_TIMEOUT = LASTING
    try:
        with (
            patch("tui.shell.guards.WARNING_SECONDS", LASTING),
            patch("tui.train.screen.LOG_TIME", FULL_SPEED),  # no test waits for the twenty seconds of the usual pace
        ):
            async with steadily(app, size) as pilot:
                yield pilot
                await assert_whole(pilot)
    finally:
        app.stop_and_save()


async def assert_whole(pilot: SteadyPilot) -> None:
    """Check what holds on every screen, where a test leaves it: each frame has a title; what can be kept is drawn."""
    screen = pilot.screen if pilot.app.is_running else None
    if not isinstance(screen, LabScreen) or not screen.is_ready:
        return
    await pilot.until(lambda: all(each.border_title for each in screen.query(".panel") if is_shown(each)))
    kept = screen.current_export()
    if kept is not None and (kind := (type(screen), kept.name.rpartition("-")[2])) not in KEPT:
        KEPT.add(kind)
        with suppress(BadText, LibraryError):  # which the app tells
            assert kept.draw().body


@asynccontextmanager
async def two_people(game: str = "tictactoe", size: tuple[int, int] = (80, 24)) -> AsyncIterator[SteadyPilot]:
    """Run the app with two people at the board."""
    async with running(make_app(game, PERSON, PERSON), size) as pilot:
        await pilot.seated(PERSON, PERSON)
        yield pilot


def widget_at(screen: Screen[Any], x: int, y: int) -> tuple[Widget, Region] | None:
    """The uppermost widget at a place of a screen, and its region."""
    try:
        return screen.get_widget_at(x, y)
    except NoWidget:
        return None


def visible(screen: Screen[Any]) -> dict[Widget, list[tuple[int, int]]]:
    """The widgets of a screen that can be seen, scroll bars too, each with its cells."""
    cells: dict[Widget, list[tuple[int, int]]] = {}
    for y, x in product(range(screen.app.size.height), range(screen.app.size.width)):
        if found := widget_at(screen, x, y):
            cells.setdefault(found[0], []).append((x, y))
    return cells


def drawn(screen: Screen[Any]) -> list[Strip]:
    """The rows of a screen: each cell as the widget draws it that is uppermost there."""
    width, height = screen.app.size

    rows = []
    for y in range(height):
        pieces = []
        for found, cells in groupby(range(width), lambda x, y=y: widget_at(screen, x, y)):
            first, *others = cells
            if found is None:
                pieces.append(Strip.blank(1 + len(others)))
            else:
                widget, region = found
                pieces += widget.render_lines(Region(first - region.x, y - region.y, 1 + len(others), 1))
        rows.append(Strip.join(pieces))
    return rows


def is_shown(widget: Widget) -> bool:
    return bool(widget.display and widget.region.area and widget.screen.region.overlaps(widget.region))


def saved(path: Path | None = None) -> dict[str, int]:
    entries = Library(path or library_path()).entries()
    return {entry.name: entry.games for entry in entries if not entry.gallery}
