"""Tests of the command palette: what it finds, and that Enter runs what was typed."""

import pytest
from textual.command import CommandList, CommandPalette

from tests.keys import key_event
from tui.games.screen import GamesScreen


def type_at_once(pilot, *keys):
    for key in keys:
        pilot.app.post_message(key_event(key))


async def test_enter_runs_what_was_typed_in_one_go(pilot):
    await pilot.seated()
    type_at_once(pilot, "colon", *"games", "enter")
    await pilot.arrived(GamesScreen)


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
