"""Every screen and its main states: pictures in every look, compared letter by letter and colour by colour, and keys.

After a change that is meant: `pytest tests/tui/test_snapshots.py --snapshot-update`, and look at the pictures.
"""

import time
from asyncio import sleep

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from textual._compositor import Compositor
from textual.color import Color

from saves.paths import settings_path
from saves.settings import save_settings
from tests.tui.piloting import make_app, running, screen_text, until
from tests.tui.states import STATES
from tests.tui.told_keys import assert_keys_work
from tui.shell.contrast import contrast
from tui.shell.screen import LabScreen
from tui.shell.skin import ASCII

SIZES = ((80, 24), (120, 40))
CALM = 0.15
"""Seconds without a change after which a screen has come to rest: more than it waits after a new size."""


class Picture(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "svg"


class Words(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "txt"


@pytest.fixture(autouse=True)
def _any_day_anywhere(monkeypatch):
    """Every save is of one day, whatever today is and wherever the test runs; no machine takes its time to think."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    for module in ("library", "played_games"):
        monkeypatch.setattr(f"saves.library.{module}.now", lambda *_: "2026-01-02T12:00:00.000000+00:00")
    monkeypatch.setattr("tui.play.seated_screen.THINKING", 0.001)
    save_settings(settings_path(), {"motion": "reduced"})  # no cursor blinks
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(autouse=True)
def _painted_for_pictures_only(monkeypatch):
    """Nobody sees what is painted between two pictures."""
    paint = Compositor.render_update

    def painted(self, full=False, screen_stack=None, simplify=False):
        if full or screen_stack:  # what is behind a dialog is painted once, and kept
            return paint(self, full, screen_stack, simplify)
        self._dirty_regions.clear()
        return None

    monkeypatch.setattr(Compositor, "render_update", painted)


def cells(pilot):
    """Each piece of the screen that can be read: its text, its colour, and that of its ground."""
    for strip in pilot.app.screen._compositor.render_strips():
        for text, style, _ in strip:
            if text.strip():
                yield text, Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)


@pytest.mark.parametrize("state", STATES)
async def test_state(state, snapshot, monkeypatch):
    async with running(make_app(), SIZES[0]) as pilot:
        await STATES[state](pilot)
        for size in SIZES:
            await seen(pilot, size)
            assert_pictured(pilot, snapshot, f"{state} default")
        pilot.app.theme = "high-contrast-dark"
        for size in reversed(SIZES):
            await seen(pilot, size)
            assert_pictured(pilot, snapshot, f"{state} high contrast")
            assert [text for text, ink, ground in cells(pilot) if contrast(ink, ground) < 7] == []
        pilot.app.wear(ASCII)
        for size in SIZES:
            await seen(pilot, size)
            words = screen_text(pilot)
            assert words.isascii()
            assert words == snapshot(name=f"{state} ascii {pilot.app.size.width}", extension_class=Words)
        await assert_keys_work(pilot, monkeypatch)


@pytest.mark.campaign
@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light"])
@pytest.mark.parametrize("state", STATES)
async def test_state_in_the_colours_of_the_terminal(state, theme):
    """Those are names, not numbers to reckon with; the palette over the screen takes the keys from it."""
    async with running(make_app(), SIZES[0]) as pilot:
        await STATES[state](pilot)
        pilot.app.theme = theme
        for size in SIZES:
            await seen(pilot, size)
        await pilot.press("ctrl+p")
        await seen(pilot, SIZES[0])


async def seen(pilot, size):
    """Show the screen in that size, and wait until nothing works behind it and it has come to rest."""
    await pilot.resize_terminal(*size)
    await until(pilot, lambda: pilot.app.screen._compositor.size == size)
    before, now = "not seen", None
    while now != before:
        before = now
        await sleep(CALM)
        await until(pilot, lambda: all(worker.is_finished for worker in pilot.app.workers if worker._thread_worker))
        for screen in pilot.app.screen_stack:
            if isinstance(screen, LabScreen):
                screen.poll()  # as it does itself, a few times a second
        now = screen_text(pilot)
    pilot.app.screen.refresh()  # what is behind a dialog may have come to rest after it
    await pilot.pause(0)


def assert_pictured(pilot, snapshot, name):
    name = f"{name} {pilot.app.size.width}"
    assert pilot.app.export_screenshot(title=name) == snapshot(name=name, extension_class=Picture)
