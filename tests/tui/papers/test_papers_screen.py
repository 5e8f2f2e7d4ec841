"""The Papers screen: empty, running, finished, stopped."""

import re
from time import process_time
from xml.etree import ElementTree as ET

import pytest
from textual.widgets import Static

from lab.jobs import JobState
from lab.papers.papers_job import PapersJob
from learners.papers import parse_paper
from tests.tui.papers.held_papers import WRONG, Held
from tests.tui.piloting import (
    answer,
    arrived,
    come_to_rest,
    is_shown,
    make_app,
    running,
    screen_text,
    sees,
    shown_messages,
    text_of,
    title_of,
    until,
)
from tui.papers.screen import PapersScreen, PaperTable
from tui.shell.bars import ModeBar
from tui.shell.dialog import Prompt
from tui.shell.modes import KEYS
from tui.shell.parts import Panel
from tui.widgets.line_chart import LineChart


@pytest.fixture(name="held")
def _held():
    held = Held()
    yield held
    held.go_on.set()


def app_with(*papers):
    app = make_app()
    app.papers = PapersJob(papers)
    return app


async def open_papers(pilot):
    await pilot.press(KEYS["papers"])
    await until(pilot, lambda: isinstance(pilot.app.screen, PapersScreen) and pilot.app.screen.drawn)


def state(pilot, name):
    return pilot.app.papers.views[name].state


async def reach(pilot, name, wanted):
    await until(pilot, lambda: state(pilot, name) is wanted)
    pilot.app.screen.draw()


@pytest.mark.sample(1)
@pytest.mark.parametrize(("size", "beside"), [((80, 24), False), ((120, 40), True)])
async def test_enter_opens_a_report_and_escape_closes_it(size, beside):
    async with running(app_with(parse_paper("riechel")), size=size) as pilot:
        await open_papers(pilot)
        screen, panel = pilot.app.screen, pilot.app.screen.query_one(Panel)
        before = panel.size.height
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.focused is panel)
        assert is_shown(screen.query_one(PaperTable)) is beside
        assert (panel.size.height > before) is not beside
        await pilot.press("down")
        await until(pilot, lambda: panel.scroll_y > 0)
        assert state(pilot, "riechel") is JobState.NOT_RUN, "only g runs a paper"
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused is screen.query_one(PaperTable) and panel.size.height == before)


@pytest.mark.long
async def test_a_second_click_or_a_double_click_opens_a_paper():
    async with running(app_with(parse_paper("lecture"), parse_paper("data-tree"))) as pilot:
        await open_papers(pilot)
        screen = pilot.app.screen
        await pilot.click(PaperTable, offset=(2, 2))
        await until(pilot, lambda: screen.chosen.name == "data-tree")
        assert not screen.reading
        await pilot.click(PaperTable, offset=(2, 2))
        await until(pilot, lambda: screen.reading)
        await pilot.press("escape")
        await until(pilot, lambda: not screen.reading and is_shown(screen.query_one(PaperTable)))
        await pilot.click(PaperTable, offset=(2, 1), times=2)
        await until(pilot, lambda: screen.reading and screen.chosen.name == "lecture")


@pytest.mark.long
async def test_a_run_goes_on_behind_the_other_screens(held):
    async with running(app_with(parse_paper("lecture"), held.paper)) as pilot:
        await open_papers(pilot)
        await pilot.press("asterisk")
        await reach(pilot, "held", JobState.RUNNING)
        assert state(pilot, "lecture") is JobState.FINISHED
        await until(pilot, lambda: re.search(r"held +50 %, .* left", screen_text(pilot)))
        await pilot.press("down")
        await sees(pilot, "held: waiting")
        await pilot.press(KEYS["library"])
        await until(
            pilot, lambda: "held: 50 %" in str(pilot.app.screen.query_one(ModeBar).query_one("#training").content)
        )
        held.go_on.set()
        await until(pilot, lambda: state(pilot, "held") is JobState.FINISHED)
        await open_papers(pilot)
        await until(pilot, lambda: re.search(r"held +▆{9}", screen_text(pilot)))


async def test_stopping_keeps_what_is_finished(held):
    async with running(app_with(parse_paper("lecture"), held.paper, parse_paper("data-tree"))) as pilot:
        await open_papers(pilot)
        await pilot.press("asterisk")
        await reach(pilot, "held", JobState.RUNNING)
        await until(pilot, lambda: pilot.app.papers.views["held"].share == 0.5)
        begun = process_time()
        await pilot.press("S")
        await until(pilot, lambda: state(pilot, "held") is JobState.STOPPED)
        assert process_time() - begun < 2
        assert state(pilot, "data-tree") is JobState.STOPPED
        assert state(pilot, "lecture") is JobState.FINISHED
        await until(pilot, lambda: re.search(r"held +stopped at 50 %", screen_text(pilot)))
        await pilot.press("down", "down", "g")
        await reach(pilot, "data-tree", JobState.FINISHED)


async def test_quitting_ends_a_run(held):
    app = app_with(held.paper)
    async with running(app) as pilot:
        await open_papers(pilot)
        await pilot.press("g")
        await reach(pilot, "held", JobState.RUNNING)
        await pilot.press("q")
        await until(pilot, lambda: app.papers.views["held"].state is JobState.STOPPED)


@pytest.mark.long
async def test_an_error_in_a_paper_is_reported_and_the_others_run():
    async with running(app_with(WRONG, parse_paper("lecture"))) as pilot:
        await open_papers(pilot)
        await pilot.press("asterisk")
        await reach(pilot, "lecture", JobState.FINISHED)
        assert state(pilot, "wrong") is JobState.FAILED
        await until(pilot, lambda: "[red]no room[/]" in text_of(pilot, "#paper-note"))


@pytest.mark.long
async def test_the_first_seed_can_be_chosen(held):
    held.go_on.set()
    async with running(app_with(held.paper)) as pilot:
        await open_papers(pilot)
        await pilot.press("number_sign")
        await arrived(pilot, Prompt)
        for wrong in ("-3", "9" * 5000, str(held.paper.last_seed + 1)):
            await answer(pilot, wrong)
            await sees(pilot, "whole number")
            pilot.app.screen.query_one(".dialog-error", Static).update("")
        await answer(pilot, "7")
        await sees(pilot, "with seed 7")
        await pilot.press("g")
        await reach(pilot, "held", JobState.FINISHED)
        await until(pilot, lambda: re.search(r"seed +1 .*7 +≠ differs", screen_text(pilot)))
        await sees(pilot, "[b]chosen[/]")


@pytest.mark.long
@pytest.mark.parametrize(("size", "both"), [((80, 24), False), ((120, 40), True)])
async def test_the_curves_of_a_paper_are_drawn(held, size, both):
    held.go_on.set()
    async with running(app_with(held.paper), size=size) as pilot:
        await open_papers(pilot)
        chart, report = pilot.app.screen.query_one(LineChart), pilot.app.screen.query_one(Panel)
        assert not is_shown(chart)
        await pilot.press("g")
        await reach(pilot, "held", JobState.FINISHED)
        await until(pilot, lambda: is_shown(chart) is both)
        seen = []
        for _ in range(3):
            await pilot.press("m")
            await come_to_rest(pilot)
            seen.append((is_shown(report), title_of(pilot, "#paper-curves") if is_shown(chart) else ""))
        first, second = "Figure 1", "Figure 2"
        assert seen == (
            [(True, second), (True, first), (True, second)] if both else [(False, first), (False, second), (True, "")]
        )


async def export(pilot, path):
    await pilot.press("X")
    await answer(pilot, str(path))


@pytest.mark.long
async def test_a_report_is_exported(tmp_path):
    async with running(app_with(WRONG, parse_paper("lecture"))) as pilot:
        await open_papers(pilot)
        await pilot.press("X")
        assert isinstance(pilot.app.screen, PapersScreen), "there is nothing to export yet"
        await pilot.press("down")
        await export(pilot, tmp_path / "page.txt")
        await until(pilot, lambda: text_of(pilot, ".dialog-error"))
        await pilot.press("escape")
        await export(pilot, tmp_path / "page.md")
        await until(pilot, lambda: len(shown_messages(pilot)) == 1)
        assert (tmp_path / "page.md").read_text("utf-8").startswith("# The papers, repeated")
        await export(pilot, tmp_path / "page.svg")
        await until(pilot, lambda: len(shown_messages(pilot)) == 2)
        assert ET.parse(tmp_path / "page.svg").getroot().tag.endswith("svg")  # noqa: S314  our own
        await export(pilot, tmp_path / "page.md")
        await until(pilot, lambda: len(shown_messages(pilot)) == 3)
        assert "already exists" in shown_messages(pilot)[-1]
