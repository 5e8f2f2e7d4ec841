"""Every screen in its main states: a picture, its contrast, its text in ASCII, and its keys.

After an intended change run `pytest tests/tui/test_snapshots.py --snapshot-update`, and look at the pictures.
"""

import re
import time

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from textual.color import Color

from saves.paths import settings_path
from saves.settings import save_settings
from tests.tui.piloting import drawn, make_app, running
from tests.tui.shown_keys import assert_keys_work
from tests.tui.states import STATES
from tui.shell.filters import DRAWING, contrast
from tui.shell.looks import ASCII, THEMES

SIZE = 80, 24
NOTHING = re.compile("(?!)")


class Picture(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "svg"


@pytest.fixture
def snapshot(snapshot):
    return snapshot.use_extension(Picture)


@pytest.fixture(autouse=True)
def _any_day_anywhere(monkeypatch):
    """Give every save the same date in the same time zone."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    for module in ("library", "game_record"):
        monkeypatch.setattr(f"saves.library.{module}.now", lambda *_: "2026-01-02T12:00:00.000000+00:00")
    save_settings(settings_path(), {"motion": "reduced"})  # no cursor blinks
    yield
    monkeypatch.undo()
    time.tzset()


def cells(pilot):
    """The pieces of text on the screen, or on a dialog over it, each with its colour and its background colour."""
    screen = pilot.screen
    x, y, width, height = next((each.region for each in screen.query(".dialog, FoundCommands")), screen.region)
    for strip in drawn(screen)[y : y + height]:
        for text, style, _ in strip.crop(x, x + width):
            if text.strip():
                yield text, Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)


@pytest.mark.sample(1)
@pytest.mark.parametrize("state", STATES)
async def test_state(state, snapshot, monkeypatch):
    """Compare a picture in one theme and one size; then check contrast, ASCII and keys without pictures."""
    async with running(make_app(), SIZE) as pilot:
        await STATES[state](pilot)
        await pilot.come_to_rest()
        assert pilot.app.export_screenshot(title=state) == snapshot
        for theme, drawn, least in (("textual-light", DRAWING, 4.5), ("high-contrast-dark", NOTHING, 7)):
            pilot.app.theme = theme
            await pilot.come_to_rest()
            assert [text for text, *pair in cells(pilot) if not drawn.fullmatch(text) and contrast(*pair) < least] == []
        pilot.app.looks.set_skin(ASCII)
        await pilot.come_to_rest()
        assert pilot.screen_text.isascii()
        await assert_keys_work(pilot, monkeypatch)


@pytest.mark.long
async def test_one_screen_in_every_theme():
    """No theme changes the text, each has colours of its own, and every text can be read."""
    async with running(make_app(), SIZE) as pilot:
        await STATES["advice"](pilot)
        themes = sorted(pilot.app.available_themes)
        assert {theme.name for theme in THEMES} <= set(themes)
        await pilot.come_to_rest()
        text, drawn = pilot.screen_text, set()
        for theme in themes:
            pilot.app.theme = theme
            await pilot.come_to_rest()
            assert pilot.screen_text == text
            if not pilot.app.current_theme.ansi:
                assert [
                    each for each, *pair in cells(pilot) if not DRAWING.fullmatch(each) and contrast(*pair) < 4.5
                ] == []
            drawn.add(pilot.app.export_screenshot(title="one title"))
    assert len(drawn) == len(themes)


@pytest.mark.long
@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light"])
@pytest.mark.parametrize("state", STATES)
async def test_state_in_the_colours_of_the_terminal(state, theme):
    """The colours of the terminal have no RGB values; the command palette over the screen dims them."""
    async with running(make_app(), SIZE) as pilot:
        await STATES[state](pilot)
        pilot.app.theme = theme
        await pilot.come_to_rest()
        await pilot.press("ctrl+p")
        await pilot.come_to_rest()
