import pytest

from tests.tui.piloting import arrived, form_of, is_shown, running, screen_text, until
from tui.race.screen import RaceScreen
from tui.shell.bars import KeyLine
from tui.shell.modes import KEYS
from tui.train.screen import TrainScreen

FREE = {"Start", "Help", "Quit"}
TYPING = {"Leave the field", "Help"}


def described(pilot):
    return {entry.description for entry in pilot.app.screen.query_one(KeyLine).visible_entries()}


@pytest.mark.long
async def test_the_keys_are_those_that_can_be_pressed_now(pilot):
    await pilot.press("t")
    await arrived(pilot, TrainScreen)
    await until(pilot, lambda: described(pilot) >= FREE)
    form_of(pilot).fields["seed"].focus()  # letters are typed into it
    await until(pilot, lambda: described(pilot) == TYPING)
    pilot.app.screen.query_one("#start").focus()
    await until(pilot, lambda: described(pilot) >= FREE)


@pytest.mark.long
async def test_keys_that_do_not_fit_are_left_out_except_help_and_quit():
    async with running(size=(200, 40)) as pilot:
        await pilot.press("t")
        await arrived(pilot, TrainScreen)
        await until(pilot, lambda: "Ready made" in described(pilot))
        wide = described(pilot)
        await pilot.resize_terminal(60, 20)
        await until(pilot, lambda: described(pilot) < wide)
        assert described(pilot) >= FREE
        assert "Pause" not in described(pilot)  # which has no effect yet
        last = screen_text(pilot).splitlines()[-1]
        assert all(text in last for text in described(pilot))


async def test_a_click_on_a_key_in_a_frame_presses_it_though_a_field_has_the_focus(pilot):
    await pilot.press(KEYS["race"])
    race = await arrived(pilot, RaceScreen)
    plot = race.query_one("#race-plot")
    await until(pilot, lambda: is_shown(plot) and "m measure" in screen_text(pilot))
    before = race.form["measure"], race.form["seed"]
    race.form.fields["seed"].focus()
    bottom = plot.region.bottom - 1
    line = screen_text(pilot).splitlines()[bottom]
    await pilot.click(offset=(line.index("m measure"), bottom))
    await until(pilot, lambda: race.form["measure"] != before[0])
    assert race.form["seed"] == before[1]


async def test_a_click_on_a_key_presses_it(pilot):
    line = pilot.app.screen.query_one(KeyLine)
    await until(pilot, lambda: is_shown(line) and line.key_columns())
    columns = next(columns for key, columns in line.key_columns() if key.action == "help")
    await pilot.click(line, offset=(columns.start + 1, 0))
    await until(pilot, lambda: len(pilot.app.screen_stack) == 2)
