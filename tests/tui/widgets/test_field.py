"""In a field, letters are text; after Escape they are keys again."""

import pytest
from textual.widgets import Input

from tests.tui.piloting import running, sees, until
from tui.shell.modes import KEYS


@pytest.mark.long
@pytest.mark.parametrize(
    ("mode", "field", "home"), [("train", "form-name", "start"), ("race", "form-seed", "race-start")]
)
async def test_escape_leaves_a_field(mode, field, home):
    async with running() as pilot:
        await pilot.press(KEYS[mode])
        await until(pilot, lambda: pilot.app.screen.query(f"#{field}"))
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == home)
        await pilot.click(f"#{field}")
        await sees(pilot, "Leave the field")
        await pilot.press("q")
        assert pilot.app.focused.id == field
        assert pilot.app.screen.query_one(f"#{field}", Input).value.count("q") == 1
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == home)
        await pilot.press("q")
        await until(pilot, lambda: not pilot.app.is_running)
