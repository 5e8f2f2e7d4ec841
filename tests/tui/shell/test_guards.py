"""Screens may close, and the app may end, at any moment, also while a screen opens: nothing fails."""

from asyncio import sleep, to_thread, wait_for
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain, product, repeat
from threading import Event
from time import monotonic
from unittest.mock import patch

import pytest
from textual.app import App
from textual.command import CommandList
from textual.css.query import NoMatches
from textual.events import MouseScrollDown, Paste, Resize
from textual.geometry import Size
from textual.scrollbar import ScrollBar
from textual.widgets import Input, Static
from textual.worker import Worker, active_worker, get_current_worker

from engine.games import GAMES
from engine.match import Match
from tests.campaigns.monkey import do
from tests.keys import key_event
from tests.tui.piloting import DEADLINE, make_app, running, steadily, visible
from tui.play.screen import PlayScreen
from tui.shell.bars import ModeTab
from tui.shell.commands import LabPalette
from tui.shell.dialog import HelpPage, Prompt
from tui.shell.guards import call_after, release_worker_after
from tui.shell.modes import TITLES
from tui.train.screen import TrainScreen
from tui.tree.screen import TreeScreen
from tui.widgets.copy_dialog import CopyDialog

MOMENTS = range(9)
"""How many turns of the event loop pass before a screen closes, or the app ends."""
DIALOGS = {
    "help": lambda: HelpPage("# Help", []),
    "prompt": lambda: Prompt("Name", "a", str),
    "copy": lambda: CopyDialog(Match(GAMES[0])),
    "commands": LabPalette,
}


@pytest.mark.long
@pytest.mark.parametrize("dialog", DIALOGS)
async def test_a_dialog_closes_while_it_opens(pilot, dialog):
    await pilot.pause()
    for moment in MOMENTS:
        pilot.app.push_screen(DIALOGS[dialog]())
        for _ in range(moment):
            await sleep(0)
        pilot.app.pop_screen()
        await pilot.pause(0)


@pytest.mark.long
@pytest.mark.parametrize(("mode", "moment"), [*product([*TITLES][1:], MOMENTS)])
async def test_the_app_ends_while_a_mode_opens(pilot, mode, moment):
    pilot.app.switch_mode(mode)
    for _ in range(moment):
        await sleep(0)
    pilot.app.exit()
    await pilot.until(lambda: pilot.app.return_code is not None)


@pytest.mark.long
async def test_a_thread_does_not_report_to_a_screen_that_is_gone(pilot):
    dialog = DIALOGS["copy"]()
    await pilot.app.push_screen(dialog)
    assert await to_thread(pilot.app.call_from_thread, dialog.query_one, Input) is dialog.query_one(Input)
    await pilot.app.pop_screen()
    assert await to_thread(pilot.app.call_from_thread, dialog.query_one, Input) is None


async def test_the_result_of_a_replaced_worker_is_not_shown(pilot):
    dialog, looked, goes_on, found = DIALOGS["copy"](), [], Event(), []
    await pilot.app.push_screen(dialog)

    def find():
        looked.append(get_current_worker().is_cancelled)
        assert goes_on.wait(DEADLINE)
        found.append(pilot.app.call_from_thread(dialog.query_one, Input))

    for count in (1, 2):
        dialog.run_worker(find, thread=True, exclusive=True, group="find")
        await pilot.until(lambda count=count: looked == [False] * count)
    goes_on.set()
    await pilot.until(lambda: len(found) == 2)
    assert set(found) == {None, dialog.query_one(Input)}


async def test_input_that_comes_when_no_screen_is_left_does_nothing():
    async with running() as pilot:
        pass
    assert not pilot.app.screen_stack
    for event in (key_event("down"), Paste("b2"), MouseScrollDown(None, 1, 1, 0, 0, 0, False, False, False)):
        await pilot.app.on_event(event)


@pytest.mark.long
async def test_an_error_that_no_guard_prevents_is_raised_even_while_the_app_ends():
    async def fail_while_it_ends():
        async with running() as pilot:
            pilot.screen.call_later(pilot.screen.query_one, "#nothing")
            pilot.app.exit()
            await pilot.pause()

    with pytest.raises(NoMatches, match="nothing"):
        await fail_while_it_ends()


async def test_an_error_ends_the_app_with_exit_code_1_and_a_line_that_says_what_was_saved(capsys):
    app = make_app()

    def fail():
        raise ValueError("broken")

    async def drive(pilot):  # of Textual
        pilot.app.screen.call_later(fail)

    await wait_for(app.run_async(headless=True, auto_pilot=drive), DEADLINE)
    assert app.report_exit() == 1
    assert "an error in Noughts ended the app. What was learned is saved." in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("key", ["ctrl+home", "down", "pageup"])
async def test_a_key_for_the_list_of_commands_does_nothing_before_there_is_one(pilot, key):
    await pilot.press("ctrl+p")
    await pilot.screen.query_one(CommandList).remove()
    await pilot.press(key, "escape")
    assert isinstance(pilot.screen, PlayScreen)


@pytest.mark.long
@pytest.mark.parametrize("size", [(20, 3), (1, 1)])
async def test_page_keys_break_nothing_in_a_list_without_room_for_a_line(pilot, size):
    await pilot.press("colon")
    await pilot.until(lambda: pilot.screen.query(CommandList))
    commands = pilot.screen.query_one(CommandList)
    await pilot.until(lambda: commands.option_count)
    await pilot.press("down")
    await pilot.resize_terminal(*size)
    await pilot.until(lambda: pilot.app.size == size)
    await pilot.press("pagedown", "pageup")
    await pilot.resize_terminal(80, 24)
    await pilot.until(lambda: commands.size.height > 1)
    await pilot.press("ctrl+home")
    await pilot.until(lambda: commands.highlighted == 0)
    await pilot.come_to_rest()
    await pilot.press("pagedown")
    await pilot.until(lambda: commands.highlighted)


@pytest.mark.long
async def test_the_mouse_may_be_over_a_widget_that_is_removed(pilot):
    screen, gone = pilot.screen, Static("one\ntwo\nthree")
    gone.styles.dock, gone.styles.offset, gone.styles.padding = "top", (0, -2), 1
    await screen.mount(gone)
    await pilot.until(lambda: gone.region.area)
    with pilot.app.batch_update():  # nothing is drawn anew meanwhile
        await gone.remove()
        gone.refresh(gone.size.region)
        assert screen.get_widget_at(5, 0)[0] is gone
        for name in ("move", "down", "up"):
            await press_mouse(pilot, name, 5, 0)


@pytest.mark.long
@pytest.mark.parametrize("change", [{"disabled": True}, {"display": False}])
async def test_a_widget_that_cannot_use_the_mouse_releases_it(pilot, change):
    await pilot.press("t")
    await pilot.arrived(TrainScreen)
    field = pilot.screen.query(Input).first()
    await pilot.until(lambda: field.region.area)
    await press_mouse(pilot, "down", *field.region.offset)
    assert pilot.app.mouse_captured is field
    for name, value in change.items():
        setattr(field, name, value)
    await pilot.pause()
    await press_mouse(pilot, "up", *field.region.offset)
    await click_tab(pilot, "papers")


@pytest.mark.long
async def test_a_widget_releases_the_mouse_with_its_screen():
    async with running(size=(60, 20)) as pilot:  # there the report of a paper scrolls
        await pilot.press("e")
        await pilot.until(lambda: visible_bar(pilot))
        bar = visible_bar(pilot)
        await press_mouse(pilot, "down", bar.region.x, bar.region.y)
        await pilot.until(lambda: pilot.app.mouse_captured is bar)
        await pilot.press("r")
        await pilot.arrived(TreeScreen)
        await pilot.until(lambda: pilot.screen.query_one(ModeTab).region.area)
        await click_tab(pilot, "papers")


@pytest.mark.long
async def test_a_scroll_bar_that_is_clicked_fast_does_not_keep_the_mouse():
    async with running(size=(60, 20)) as pilot:  # there the report of a paper scrolls
        await pilot.press("e")
        await pilot.until(lambda: visible_bar(pilot))
        bar = visible_bar(pilot)
        for moves in (True, False):
            for name in ("down", "up"):
                await do(pilot.app, (name, bar.region.x, bar.region.y, 1))
            await pilot.until(lambda: pilot.app.mouse_captured is bar)
            if moves:
                await press_mouse(pilot, "move", bar.region.x, bar.region.y, 0)
                assert pilot.app.mouse_captured is None
        await click_tab(pilot, "tree")


def visible_bar(pilot):
    return next((each for each in visible(pilot.screen) if isinstance(each, ScrollBar)), None)


async def press_mouse(pilot, name, x, y, button=1):
    await do(pilot.app, (name, x, y, button))
    await pilot.pause()


async def click_tab(pilot, mode):
    tab = next(tab for tab in pilot.screen.query(ModeTab) if tab.mode == mode)
    for name in ("down", "up"):
        await press_mouse(pilot, name, tab.region.x + 1, tab.region.y)
    await pilot.until(lambda: pilot.screen.mode == mode and pilot.screen.is_ready)


@pytest.mark.long
async def test_a_closing_screen_is_not_redrawn_for_another_size(pilot, monkeypatch):
    page, drawn = pilot.screen, []
    monkeypatch.setattr(page, "adapt_to_size", lambda: drawn.append(page))
    page.redraw()
    assert drawn
    drawn.clear()
    removal = page.remove()
    page.redraw()
    assert not drawn
    await removal


@contextmanager
def interrupted(seconds=0.02):
    """Let time pass whenever timers of Textual read the clock, as on a busy machine, for a limited number of times.

    They read a private clock: this is the only private name that the tests replace, since nothing else makes them late.
    """
    looks = chain(range(100), repeat(100))
    with patch("textual.timer._time.get_time", lambda: monotonic() + seconds * next(looks)):
        yield


async def test_a_timer_that_starts_late_still_calls_back():
    async with steadily(App()) as pilot:
        called = []
        with interrupted():
            pilot.screen.set_timer(0.01, lambda: called.append("Textual's"))
            call_after(pilot.app, 0.01, lambda: called.append("ours"))
            await pilot.until(lambda: called)
        call_after(pilot.app, 0.1, lambda: called.append("last"))
        await pilot.until(lambda: called[-1] == "last")
        assert called == ["ours", "last"], "Textual's timer is lost, and ours calls back once"


async def test_a_stopped_timer_with_a_very_short_delay_does_not_call_back_again():
    async with steadily(App()) as pilot:
        intervals, calls = [], []

        def stop_at_once():
            intervals.append(timer)
            timer.stop()

        with interrupted(0.0007):
            timer = pilot.app.set_interval(0.001, stop_at_once)
            await pilot.until(lambda: intervals)
        with interrupted(0.0007):
            call_after(pilot.app, 0.001, lambda: calls.append("ours"))
            await pilot.until(lambda: calls)
        call_after(pilot.app, 0.1, lambda: calls.append("last"))
        await pilot.until(lambda: calls[-1] == "last")
        assert len(intervals) > 1, "an interval of Textual calls again after it was stopped"
        assert calls == ["ours", "last"]


@pytest.mark.long
async def test_the_app_is_drawn_again_after_a_mode_has_opened_late(pilot):
    with interrupted(0.1):
        await pilot.app.switch_mode("tree")
    new = Static("new")
    await pilot.screen.mount(new)
    await pilot.until(lambda: new.region.area)


@pytest.mark.sample(1)
@pytest.mark.parametrize("dialog", [False, True])
async def test_a_change_of_size_is_not_lost(pilot, dialog):
    if dialog:
        await pilot.app.push_screen(DIALOGS["prompt"]())
    await pilot.until(lambda: pilot.screen.outer_size == (80, 24))
    with interrupted():
        await pilot.resize_terminal(100, 30)
        await pilot.pause(0.1)
    await pilot.until(lambda: pilot.screen.outer_size == (100, 30))
    await pilot.resize_terminal(90, 28)
    await pilot.until(lambda: pilot.screen.outer_size == (90, 28))
    assert pilot.screen.has_class("-even")


@pytest.mark.long
@pytest.mark.parametrize("dialog", [None, "help"])
async def test_events_with_two_sizes_do_not_follow_each_other_for_ever(pilot, dialog):
    """A message after each layout keeps Textual from combining the events."""
    if dialog:
        pilot.app.push_screen(DIALOGS[dialog]())
    await pilot.pause()
    screen, layouts = pilot.screen, []

    def note_layout(_):
        layouts.append(screen.size)
        if len(layouts) < 50:
            screen.call_later(layouts.count, None)

    screen.screen_layout_refresh_signal.subscribe(screen, note_layout, immediate=True)
    for size in (Size(100, 30), Size(80, 24)):
        screen.post_message(Resize(size, size))
        screen.call_later(layouts.count, None)
    for _ in range(200):
        await sleep(0)
    assert len(layouts) < 50
    assert screen.size == pilot.app.size == (80, 24)


async def test_a_thread_does_not_keep_the_worker_whose_work_has_ended(pilot):
    def work() -> Worker[None]:
        active_worker.set(worker := Worker(pilot.app, lambda: None))
        release_worker_after(lambda: None)()
        return worker

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(work).result() is not None
        assert pool.submit(active_worker.get).result() is None
