"""The time line of a save on the screen: go to a checkpoint, compare it, play against it, continue its training."""

from itertools import pairwise

import pytest
from textual.widgets import OptionList

from lab.memory.shifts import shift_text, why_text
from lab.results.exact_results import Timeline
from lab.results.tables import exact_text
from learners import revive
from learners.comparison import shifts
from learners.rewind import rewind_to
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import her
from tests.tui.piloting import running
from tests.tui.ways import look_inside
from tui.library.compare_screen import CompareScreen
from tui.library.memory_parts import MemoryHead
from tui.library.memory_screen import MemoryScreen
from tui.library.other_dialog import OtherDialog
from tui.library.time_line import INDENT, TimeLine, columns_of, labels_of
from tui.train.screen import TrainScreen

MOMENTS = (0, 1, 2, 5, 10, 20)
MANY = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@pytest.mark.parametrize(
    ("moments", "room", "expected"),
    [
        ((0, 1, 10, 100, 1000, 10_000), 60, "0           1           10         100         1k        10k"),
        (MANY, 60, "0     1     2     5     10    20   50    100   200   500  1k"),
        (MANY, 26, "0 1       10      100   1k"),
        (MANY, 9, " 1 10  1k"),
    ],
)
def test_either_all_labels_are_shown_or_powers_of_ten_and_none_is_left_out_between(moments, room, expected):
    line = [" "] * room
    for start, text in labels_of(moments, columns_of(len(moments), room), room):
        line[start : start + len(text)] = text
    assert "".join(line).rstrip() == expected


def shown(pilot):
    return pilot.screen.moment.rounds


async def test_the_time_line_shows_earlier_checkpoints(pilot):
    await look_inside(pilot, "her", her())
    line = pilot.screen.query_one(TimeLine)
    await pilot.until(lambda: line.heights and None not in line.heights)
    assert (tuple(line.moments), line.chosen) == (MOMENTS, 20)
    assert pilot.screen.query_one(MemoryHead).moment_text == "after 20 games"
    await pilot.press("comma", "comma")
    await pilot.until(lambda: shown(pilot) == 5)
    timeline = pilot.screen.timeline
    assert pilot.screen.query_one(MemoryHead).moment_text == "after 5 of 20 games"
    assert pilot.text_of("#memory-exact") == exact_text(timeline.at(5).learner, timeline.at(5).exact).plain
    assert "5 games" in pilot.text_of("#memory-facts")
    await pilot.press("full_stop")
    await pilot.until(lambda: shown(pilot) == 10)
    line.focus()
    await pilot.press("home")
    await pilot.until(lambda: shown(pilot) == 0)
    await pilot.press("left", "right")
    await pilot.until(lambda: shown(pilot) == 1)
    await pilot.click(TimeLine, offset=(INDENT + columns_of(len(MOMENTS), line.size.width - INDENT)[3], 1))
    await pilot.until(lambda: shown(pilot) == 5)
    await pilot.press("end")
    await pilot.until(lambda: shown(pilot) == 20)
    assert pilot.screen.query_one(MemoryHead).moment_text == "after 20 games"
    assert "%" in line.render_line(0).text
    line.show(line.moments, 20, [None, *line.heights[1:]], {})
    assert "%" not in line.render_line(0).text, "the scale does not change while heights are computed"


@pytest.mark.long
async def test_the_rounds_at_which_a_move_was_given_up_are_found_one_by_one():
    async with running(size=(120, 40)) as pilot:
        await look_inside(pilot, "her", her())
        screen = pilot.screen
        edges = screen.edges_of_selected_card()
        given_up = [switch for switch in Timeline(her()).switches(range(len(her().memory))) if switch.given_up]
        boxes = {int(screen.learner.space.source[switch.edge]) for switch in given_up}
        while not {int(screen.learner.space.source[edge]) for edge in edges} & boxes:
            await pilot.press("right")
            edges = screen.edges_of_selected_card()
        times = sorted({switch.rounds for switch in given_up if switch.edge in edges})
        for rounds in (*times, times[0]):
            await pilot.press("G")
            await pilot.until(lambda rounds=rounds: shown(pilot) == rounds)
            await pilot.until(lambda: "given up in game " in pilot.screen.query_one(MemoryHead).checkpoint_note)
        await pilot.press("comma")
        await pilot.until(lambda: "given up" not in pilot.screen.query_one(MemoryHead).checkpoint_note)


@pytest.mark.long
async def test_differences_in_which_a_move_was_given_up_are_listed_alone(pilot):
    await pilot.until(lambda: pilot.screen.is_ready)
    pilot.app.push_screen(CompareScreen("scroggs", "michie"))
    screen = await pilot.arrived(CompareScreen)
    await pilot.until(lambda: screen.listed)
    whole = [*screen.listed]
    await pilot.press("G")
    await pilot.sees("Moves given up · 10 of 287 positions", "G lists all again", "G All positions")
    assert all(each.gives_up for each in screen.listed)
    for listed in (whole, screen.listed):
        assert all(one.weight > other.weight - 1e-5 for one, other in pairwise(listed))
    screen.show((screen.learners, [each for each in screen.differences if not each.gives_up], screen.exact))
    await pilot.until(lambda: screen.listed)  # as after a swap, when the other one gave up nothing
    await pilot.sees("What matters most")


@pytest.mark.long
async def test_two_checkpoints_are_compared_position_by_position(pilot):
    await look_inside(pilot, "her", her())
    await pilot.press("z")
    others = (await pilot.arrived(OtherDialog)).query_one(OptionList)
    await pilot.until(lambda: others.highlighted == 0)
    await pilot.press("down", "down", "down", "enter")
    await pilot.until(lambda: isinstance(pilot.screen, CompareScreen) and pilot.screen.differences)
    screen = pilot.screen
    assert screen.names == ("her@1", "her")
    await pilot.sees("positions")
    listed = screen.query_one(OptionList)
    told = str(listed.get_option_at_index(0).prompt)
    assert "before" in told
    assert "after" in told
    difference = screen.differences[0]
    sentence = f"{shift_text(screen.learners[0].space, difference)} {why_text(difference)}".split()
    assert all(word in told for word in sentence)
    await pilot.press("down")
    await pilot.until(lambda: listed.highlighted == 1)
    await pilot.press("s")
    await pilot.sees("her and her@1")
    assert [learner.rounds for learner in screen.learners] == [20, 1]
    swapped = shifts(revive(her()), revive(rewind_to(her(), 1)))
    await pilot.until(lambda: screen.differences == swapped)
    assert not screen.check_action("given_up", ())  # neither gave up a move
    await pilot.press("escape")
    await pilot.arrived(MemoryScreen)


@pytest.mark.long
async def test_a_checkpoint_can_be_played_against(pilot):
    await look_inside(pilot, "her", her())
    await pilot.press("comma")
    await pilot.until(lambda: shown(pilot) == 10)
    await pilot.press("v")
    await pilot.seated("human", "save:her@10")
    assert (pilot.screen.session.seats[1].memory == rewind_to(her(), 10).memory).all()
    await pilot.press("i")
    await pilot.told("Only a save of your own can learn")


@pytest.mark.long
async def test_training_continues_from_a_checkpoint_under_another_name(pilot):
    await look_inside(pilot, "her", her())
    await pilot.press("comma")
    await pilot.until(lambda: shown(pilot) == 10)
    await pilot.press("T")
    await pilot.until(lambda: isinstance(pilot.screen, TrainScreen) and pilot.screen.is_ready and pilot.form.continued)
    form = pilot.form.fields["name"]
    assert form.value == "her from 10"
    pilot.enter(rounds="10")
    await pilot.press("g")
    library = Library(library_path())
    await pilot.until(lambda: "her from 10" in {entry.name for entry in library.entries()})
    await pilot.until(lambda: pilot.app.job is not None and not pilot.app.job.view.state.active)
    await pilot.until(lambda: not pilot.app.job.unsaved)
    assert (library.load("her from 10").memory == her().memory).all()
    assert library.load("her").stats["games"] == 20
