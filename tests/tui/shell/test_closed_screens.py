"""A closed screen is freed, with all that it showed."""

import gc
from weakref import ref

import pytest

from tests.tui.piloting import arrived, make_app, running
from tui.games.screen import GamesScreen
from tui.play.screen import PlayScreen


@pytest.mark.long
async def test_a_closed_screen_is_freed():
    async with running(make_app(first="human", second="human")) as pilot:
        closed = []
        for _ in range(2):
            await arrived(pilot, PlayScreen)
            await pilot.press("H")
            await arrived(pilot, GamesScreen)
            closed.append(ref(pilot.app.screen))
            await pilot.press("escape")
        await arrived(pilot, PlayScreen)
        gc.collect()
        assert closed[0]() is None  # Textual may still hold the last one
