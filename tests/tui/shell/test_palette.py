"""Tests of the command palette: what it finds, and that Enter runs what was typed."""

import pytest
from textual.command import CommandList, CommandPalette

from saves.paths import settings_path
from saves.settings import load_settings
from tests.keys import key_event
from tui.games.screen import GamesScreen
from tui.widgets.wall import Wall


def type_at_once(pilot, *keys):
    for key in keys:
        pilot.app.post_message(key_event(key))


async def test_enter_runs_what_was_typed_in_one_go(pilot):
    await pilot.seated()
    type_at_once(pilot, "colon", *"games", "enter")
    await pilot.arrived(GamesScreen)


async def test_a_panel_with_a_cursor_is_found_by_the_name_in_its_frame(pilot):
    await pilot.seated("human", "save:riechel")
    type_at_once(pilot, "colon", *"the wall", "enter")
    await pilot.until(lambda: pilot.screen.query_one(Wall).has_focus)


@pytest.mark.parametrize("words", ["zzz", "games zzz"])
async def test_enter_runs_nothing_if_nothing_matches(pilot, words):
    await pilot.seated()
    before = pilot.screen
    await pilot.press("colon")
    palette = await pilot.arrived(CommandPalette)
    await pilot.until(lambda: palette.query_one(CommandList).option_count > 3)
    type_at_once(pilot, *words, "enter")
    await pilot.until(lambda: not palette.query_one(CommandList).option_count)
    assert pilot.screen is palette
    await pilot.press("escape")
    assert pilot.screen is before


async def test_a_room_of_a_mode_is_reached_from_a_room_above_it(pilot):
    await pilot.seated()
    await pilot.press("H")
    games = await pilot.arrived(GamesScreen)
    type_at_once(pilot, "colon", *"games", "enter")
    await pilot.until(lambda: isinstance(pilot.screen, GamesScreen) and pilot.screen is not games)


async def test_each_theme_is_a_command_which_says_whether_it_is_in_use(pilot):
    def in_use():
        commands = [each for each in pilot.app.get_system_commands(pilot.screen) if each.title.startswith("Theme")]
        assert len(commands) == len(pilot.app.available_themes)
        return [each.title for each in commands if "in use" in each.help]

    assert in_use() == [f"Theme: {pilot.app.theme}"]
    type_at_once(pilot, "colon", *"contrast-light", "enter")
    await pilot.until(lambda: pilot.app.theme == "high-contrast-light")
    assert in_use() == ["Theme: high-contrast-light"]
    await pilot.until(lambda: load_settings(settings_path()) == {"theme": "high-contrast-light"})
