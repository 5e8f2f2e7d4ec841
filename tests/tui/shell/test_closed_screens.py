"""A closed screen is freed, with all that it showed."""

import gc
from weakref import ref

import pytest

from tests.tui.piloting import make_app, running, until
from tui.games.screen import GamesScreen
from tui.play.screen import PlayScreen


@pytest.mark.long
async def test_a_closed_screen_is_freed():
    async with running(make_app(first="human", second="human")) as pilot:
        closed = []
        for _ in range(2):
            await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen) and pilot.app.screen.is_ready)
            await pilot.press("H")
            await until(pilot, lambda: isinstance(pilot.app.screen, GamesScreen) and pilot.app.screen.is_ready)
            closed.append(ref(pilot.app.screen))
            await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        gc.collect()
        assert closed[0]() is None  # Textual may still hold the last one
