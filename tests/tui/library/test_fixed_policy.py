"""A fixed policy in the library and on the screen of its memory."""

import pytest

from engine.games import parse_game
from engine.spaces import space_of
from learners.fixed import fixed_policy
from saves.library.library import Library
from saves.paths import library_path
from tests.tui.piloting import is_shown, newest, running, sees, until
from tui.library.memory_screen import MemoryScreen
from tui.library.time_line import TimeLine

HEXAPAWN = parse_game("hexapawn")


@pytest.mark.long
async def test_a_fixed_policy_is_not_trained_on_and_its_only_checkpoint_has_no_chart():
    space = space_of(HEXAPAWN)
    policy = 1.0 * (space.first_edge[space.source] == range(len(space.source)))
    Library(library_path()).save("agent", fixed_policy(HEXAPAWN, policy).snapshot())
    async with running() as pilot:
        await pilot.press("l")
        await sees(pilot, "Fixed policy", "hexapawn")
        for screen in ("list", "inside"):
            if screen == "inside":
                await pilot.press("enter")
                await until(pilot, lambda: isinstance(pilot.app.screen, MemoryScreen) and pilot.app.screen.edges)
            pilot.app.clear_notifications()
            await pilot.press("T")
            await until(pilot, lambda: newest(pilot))
            assert newest(pilot).startswith("agent: It does not learn: train the agent")
        line = pilot.app.screen.query_one(TimeLine)
        await until(pilot, lambda: line.is_attached and not is_shown(line))
        await sees(pilot, "It does not learn")
