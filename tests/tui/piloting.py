"""The app driven by keys and clicks, and waiting for what it shows: on state, never on time."""

from asyncio import sleep
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from time import monotonic

from textual.notifications import Notification
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Select, Static

from engine.games import parse_game
from saves.library.library import Library
from saves.paths import library_path, settings_path
from tui.app import NoughtsApp

DEADLINE = 60.0
"""Seconds to wait for anything: the first training compiles the game loop."""


def make_app(game: str = "tictactoe", first: str | None = None, second: str | None = None) -> NoughtsApp:
    """The app on the library and the settings of this test."""
    app = NoughtsApp(Library(library_path()), settings_path(), (first, second), parse_game(game))
    app.random = Random(1)
    return app


@asynccontextmanager
async def running(app: NoughtsApp | None = None, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[None]]:
    """The app in a terminal of that size; whatever it raises is raised here."""
    app = app or make_app()
    try:
        async with app.run_test(size=size, notifications=True) as pilot:
            yield pilot
    finally:
        app.keep_training()


async def until(pilot: Pilot[None], condition: Callable[[], object]) -> None:
    """Let the app go on until a condition holds."""
    if condition():
        return
    begun = monotonic()
    await pilot.pause(0)  # a pause without a time waits for an idle processor, and training leaves none
    while not condition():
        assert monotonic() - begun < DEADLINE, f"this never came; the screen shows:\n{screen_text(pilot)}"
        await sleep(0.01)  # a pause would ask each widget, and take half of the processor
    await pilot.pause(0)


def screen_text(pilot: Pilot[None]) -> str:
    """The whole screen as text."""
    width, height = pilot.app.size
    lines = pilot.app.screen._compositor.render_strips()
    return "\n".join(strip.text[:width].rstrip() for strip in lines[:height])


def text_of(pilot: Pilot[None], selector: str) -> str:
    """What a part of the screen says."""
    return str(pilot.app.screen.query_one(selector, Static).content)


def told(pilot: Pilot[None]) -> list[str]:
    """The messages that are shown."""
    return [notification.message for notification in pilot.app._notifications]


def newest(pilot: Pilot[None]) -> Notification | None:
    """The message told last, if any is shown."""
    return next(reversed(list(pilot.app._notifications)), None)


async def pick(pilot: Pilot[None], selector: str, value: str) -> None:
    """Choose a value of a list by keys: open it, go down to the value, and confirm."""
    select = pilot.app.screen.query_one(selector, Select)
    values = [option for _, option in select._options]
    steps = values.index(value) - values.index(select.value)
    select.focus()
    await pilot.press("enter", *["down" if steps > 0 else "up"] * abs(steps), "enter")
    await until(pilot, lambda: select.value == value)


def is_shown(widget: Widget) -> bool:
    """Whether any of it can be seen."""
    return bool(widget.display and widget.region.area and widget.screen.region.overlaps(widget.region))


def saved(path: Path | None = None) -> dict[str, int]:
    """The saves in the library, and their games."""
    entries = Library(path or library_path()).entries()
    return {entry.name: entry.games for entry in entries if not entry.gallery}
