"""Lists of choices, and fields in which letters are text until Escape."""

import re

import pytest
from textual.command import CommandPalette
from textual.constants import TEXTUAL_ANIMATIONS
from textual.widgets import Input

from saves.paths import settings_path
from saves.settings import load_settings, save_settings
from tests.tui.piloting import make_app, running
from tests.tui.ways import look_inside
from tui.shell.looks import ASCII, UNICODE
from tui.shell.modes import KEYS


@pytest.mark.long
async def test_a_preference_holds_at_once_and_keeps_those_of_another_program():
    save_settings(settings_path(), {"hints": "none"})
    async with running() as pilot:
        assert (pilot.app.preference("hints", "some"), pilot.app.preference("bar", "off")) == ("none", "off")
        save_settings(settings_path(), {"hints": "many", "theirs": "1"})
        pilot.app.set_preference("bar", "on")
        pilot.app.set_preference("bar", "wide")
        assert pilot.app.preference("bar", "off") == "wide"
        kept = {"hints": "many", "theirs": "1", "bar": "wide"}
        await pilot.until(lambda: load_settings(settings_path()) == kept)
        assert pilot.app.preference("hints", "some") == "none"  # until the program starts again
    assert make_app().preference("hints", "some") == "many"


def test_a_preference_set_just_before_the_end_is_written():
    app = make_app()
    app.preferences.set("bar", "on")
    app.stop_and_save()
    assert (load_settings(settings_path()), app.trouble) == ({"bar": "on"}, "")
    settings_path().write_text("{not json")
    app.preferences.set("bar", "off")
    app.stop_and_save()
    assert "settings.json" in app.trouble
    assert settings_path().read_text() == "{not json"


@pytest.mark.long
async def test_another_skin_draws_the_curves_again():
    """Curves are drawn in signs instead of dots, and in dots again: no skin leaves those of the other."""
    async with running(make_app(), (80, 24)) as pilot:
        await look_inside(pilot, "michie")
        await pilot.come_to_rest()
        dots = pilot.screen_text
        pilot.app.looks.set_skin(ASCII)
        await pilot.come_to_rest()
        assert re.search("'{3}|_{3}", pilot.screen_text)
        pilot.app.looks.set_skin(UNICODE)
        await pilot.come_to_rest()
        assert pilot.screen_text == dots


@pytest.mark.long
async def test_skin_and_motion_are_chosen_among_the_commands_and_remembered():
    async with running() as pilot:
        app = pilot.app
        await pilot.sees("┼")
        assert (app.looks.is_motion_reduced, app.animation_level) == (False, TEXTUAL_ANIMATIONS)
        for words in ("skin: ascii", "motion: reduced"):
            await pilot.press("colon")
            await pilot.until(lambda: isinstance(app.screen, CommandPalette))
            await pilot.press(*words)
            await pilot.until(lambda: app.screen.query_one("CommandList").option_count == 1)
            await pilot.press("enter")
            await pilot.until(lambda: not isinstance(app.screen, CommandPalette))
        assert pilot.screen_text.isascii()
        offered = {command.title for command in app.get_system_commands(app.screen)}
        assert {"Skin: Unicode", "Motion: full"} < offered
        assert not {"Skin: ASCII", "Motion: reduced"} & offered
        await pilot.until(lambda: load_settings(settings_path()) == {"skin": "ascii", "motion": "reduced"})
    async with running() as pilot:
        assert pilot.app.animation_level == "none"
        await pilot.press("t")
        await pilot.until(lambda: pilot.screen.query("#form-name"))
        assert pilot.screen_text.isascii()
        field = pilot.form.fields["name"]
        field.focus()
        await pilot.until(lambda: not field.cursor_blink)
        cursor = field.get_component_rich_style("input--cursor").bgcolor
        assert any(style and style.bgcolor == cursor for _, style, _ in field.render_line(0)), "the cursor can be seen"
        pilot.app.looks.set_motion("full")
        assert field.cursor_blink
        assert pilot.app.animation_level == TEXTUAL_ANIMATIONS


@pytest.mark.long
async def test_textual_animations_switched_off_by_the_environment_stay_off(monkeypatch):
    monkeypatch.setattr("tui.shell.looks.TEXTUAL_ANIMATIONS", "none")
    async with running() as pilot:
        assert pilot.app.animation_level == "none"
        offered = {command.title for command in pilot.app.get_system_commands(pilot.screen)}
        assert not any(title.startswith("Motion") for title in offered)


@pytest.mark.long
async def test_an_ascii_terminal_is_offered_no_skin():
    app = make_app()
    app.looks.only_ascii = True
    async with running(app) as pilot:
        assert pilot.screen_text.isascii()
        assert not any(command.title.startswith("Skin") for command in app.get_system_commands(app.screen))


@pytest.mark.long
@pytest.mark.parametrize(
    ("mode", "field", "home"), [("train", "form-name", "start"), ("race", "form-seed", "race-start")]
)
async def test_escape_leaves_a_field(pilot, mode, field, home):
    await pilot.press(KEYS[mode])
    await pilot.until(lambda: pilot.screen.query(f"#{field}"))
    await pilot.until(lambda: pilot.app.focused is not None and pilot.app.focused.id == home)
    await pilot.click(f"#{field}")
    await pilot.sees("Leave the field")
    await pilot.press("q")
    assert pilot.app.focused.id == field
    assert pilot.screen.query_one(f"#{field}", Input).value.count("q") == 1
    await pilot.press("escape")
    await pilot.until(lambda: pilot.app.focused is not None and pilot.app.focused.id == home)
    await pilot.press("q")
    await pilot.until(lambda: not pilot.app.is_running)
