"""Garbage goes soon, without holding anybody up, and what is kept makes none."""

import gc
from time import monotonic
from weakref import ref

import pytest
from textual.dom import DOMNode

from tests.tui.piloting import running, until
from tui.shell import garbage as tidy
from tui.shell.help import HelpScreen


@pytest.fixture
def steps():
    """The generations that the collector goes over from here on, when it is called; by itself it does nothing."""
    seen = []

    def note(phase, about):
        if phase == "start":
            seen.append(about["generation"])

    gc.collect()
    gc.callbacks.append(note)
    gc.disable()
    yield seen
    gc.enable()
    gc.callbacks.remove(note)


async def left(pilot):
    """A screen that was open, and is no more."""
    await pilot.press("question_mark")
    await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
    page = ref(pilot.app.screen)
    await pilot.press("escape")
    await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
    await until(pilot, lambda: not page().is_attached)
    return page


async def test_a_screen_that_was_left_goes_soon_when_enough_is_new(steps, monkeypatch):
    async with running() as pilot:
        page = await left(pilot)
        assert page() is not None
        monkeypatch.setattr(gc, "get_count", lambda: (0, tidy.YOUNG - 1, 0))
        pilot.app.tidy()
        assert steps == []
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        monkeypatch.setattr(gc, "get_count", lambda: (0, tidy.YOUNG, 0))
        pilot.app.tidy()
        assert steps == []  # what is open would count as old
        await pilot.press("escape")
        await until(pilot, lambda: page() is None)
        assert set(steps) == {1}


@pytest.mark.parametrize(("passes", "rest"), [(1, 1), (3, 1 / 3)])
async def test_all_is_gone_over_where_nobody_has_touched_anything_for_a_while(passes, rest, steps, monkeypatch):
    monkeypatch.setattr(tidy, "LOOKS", 3_600)  # the app looks here when it is called alone, not between two lines
    monkeypatch.setattr(tidy, "REST", 60.0)
    async with running() as pilot:
        monkeypatch.setattr(gc, "get_count", lambda: (0, 0, 0))
        pilot.app._passes = passes * tidy.PASSES
        for touch in (pilot.press("up"), pilot.hover()):
            pilot.app._touched = monotonic() - tidy.REST - 1
            await touch
            pilot.app._touched -= rest * tidy.REST / 2
            pilot.app.tidy()
            assert steps == []
        pilot.app._touched = monotonic() - rest * tidy.REST
        pilot.app.tidy()
        pilot.app.tidy()
        assert steps == [2]


async def test_the_nodes_of_the_parts_of_a_widget_are_kept_and_follow_the_rules():
    async with running() as pilot:
        tabs = [node for node in pilot.app.screen.walk_children() if node._get_component_classes()]
        before = [[part.node for part in node._component_styles.values()] for node in tabs]
        assert any(before)
        colours = [part.color for node in tabs for part in node._component_styles.values()]
        nodes = sum(type(each) is DOMNode for each in gc.get_objects())
        pilot.app.theme = "textual-light" if pilot.app.current_theme.dark else "textual-dark"
        await pilot.pause()
        assert [[part.node for part in node._component_styles.values()] for node in tabs] == before
        assert [part.color for node in tabs for part in node._component_styles.values()] != colours
        assert sum(type(each) is DOMNode for each in gc.get_objects()) == nodes
