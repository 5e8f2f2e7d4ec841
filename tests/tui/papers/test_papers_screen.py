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
from tests.tui.piloting import is_shown, make_app, running
from tui.papers.screen import PapersScreen, PaperTable
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
    await pilot.until(lambda: isinstance(pilot.screen, PapersScreen) and pilot.screen.drawn)


def state(pilot, name):
    return pilot.app.papers.views[name].state


async def reach(pilot, name, wanted):
    await pilot.until(lambda: state(pilot, name) is wanted)
    pilot.screen.draw()


@pytest.mark.sample(1)
@pytest.mark.parametrize(("size", "beside"), [((80, 24), False), ((160, 50), True)])
async def test_enter_opens_a_report_and_escape_closes_it(size, beside):
    async with running(app_with(parse_paper("riechel")), size=size) as pilot:
        await open_papers(pilot)
        screen, panel = pilot.screen, pilot.screen.query_one(Panel)
        before = panel.size.height
        await pilot.press("enter")
        await pilot.until(lambda: pilot.app.focused is panel)
        assert is_shown(screen.query_one(PaperTable)) is beside
        assert (panel.size.height > before) is not beside
        await pilot.press("down")
        await pilot.until(lambda: panel.scroll_y > 0)
        assert state(pilot, "riechel") is JobState.NOT_RUN, "only g runs a paper"
        await pilot.press("escape")
        await pilot.until(lambda: pilot.app.focused is screen.query_one(PaperTable) and panel.size.height == before)


@pytest.mark.long
async def test_a_second_click_or_a_double_click_opens_a_paper():
    async with running(app_with(parse_paper("lecture"), parse_paper("data-tree"))) as pilot:
        await open_papers(pilot)
        screen = pilot.screen
        await pilot.click(PaperTable, offset=(2, 2))
        await pilot.until(lambda: screen.paper.name == "data-tree")
        assert not screen.is_reading
        await pilot.click(PaperTable, offset=(2, 2))
        await pilot.until(lambda: screen.is_reading)
        await pilot.press("escape")
        await pilot.until(lambda: not screen.is_reading and is_shown(screen.query_one(PaperTable)))
        await pilot.click(PaperTable, offset=(2, 1), times=2)
        await pilot.until(lambda: screen.is_reading and screen.paper.name == "lecture")


@pytest.mark.long
async def test_a_run_goes_on_behind_the_other_screens(held):
    async with running(app_with(parse_paper("lecture"), held.paper)) as pilot:
        await open_papers(pilot)
        await pilot.press("asterisk")
        await reach(pilot, "held", JobState.RUNNING)
        assert state(pilot, "lecture") is JobState.FINISHED
        await pilot.until(lambda: re.search(r"held +50 %, .* left", pilot.screen_text))
        await pilot.press("down")
        await pilot.sees("held: waiting")
        await pilot.press(KEYS["library"])
        await pilot.until(lambda: "held: 50 %" in pilot.job_line)
        held.go_on.set()
        await pilot.until(lambda: state(pilot, "held") is JobState.FINISHED)
        await open_papers(pilot)
        await pilot.until(lambda: re.search(r"held +▆{9}", pilot.screen_text))


async def test_stopping_keeps_what_is_finished(held):
    async with running(app_with(parse_paper("lecture"), held.paper, parse_paper("data-tree"))) as pilot:
        await open_papers(pilot)
        await pilot.press("asterisk")
        await reach(pilot, "held", JobState.RUNNING)
        await pilot.until(lambda: pilot.app.papers.views["held"].share == 0.5)
        begun = process_time()
        await pilot.press("S")
        await pilot.until(lambda: state(pilot, "held") is JobState.STOPPED)
        assert process_time() - begun < 2
        assert state(pilot, "data-tree") is JobState.STOPPED
        assert state(pilot, "lecture") is JobState.FINISHED
        await pilot.until(lambda: re.search(r"held +stopped at 50 %", pilot.screen_text))
        await pilot.press("down", "down", "g")
        await reach(pilot, "data-tree", JobState.FINISHED)


async def test_quitting_ends_a_run(held):
    app = app_with(held.paper)
    async with running(app) as pilot:
        await open_papers(pilot)
        await pilot.press("g")
        await reach(pilot, "held", JobState.RUNNING)
        await pilot.press("q")
        await pilot.until(lambda: app.papers.views["held"].state is JobState.STOPPED)


@pytest.mark.long
async def test_an_error_in_a_paper_is_reported_and_the_others_run():
    async with running(app_with(WRONG, parse_paper("lecture"))) as pilot:
        await open_papers(pilot)
        await pilot.press("asterisk")
        await reach(pilot, "lecture", JobState.FINISHED)
        assert state(pilot, "wrong") is JobState.FAILED
        await pilot.until(lambda: "[red]no room[/]" in pilot.text_of("#paper-note"))


@pytest.mark.long
async def test_the_first_seed_can_be_chosen(held):
    held.go_on.set()
    async with running(app_with(held.paper)) as pilot:
        await open_papers(pilot)
        await pilot.press("number_sign")
        await pilot.arrived(Prompt)
        for wrong in ("-3", "9" * 5000, str(held.paper.last_seed + 1)):
            await pilot.answer(wrong)
            await pilot.sees("whole number")
            pilot.screen.query_one(".dialog-error", Static).update("")
        await pilot.answer("7")
        await pilot.sees("with seed 7")
        await pilot.press("g")
        await reach(pilot, "held", JobState.FINISHED)
        await pilot.until(lambda: re.search(r"seed +1 .*7 +≠ differs", pilot.screen_text))
        await pilot.sees("[b]chosen[/]")


@pytest.mark.long
@pytest.mark.parametrize(("size", "both"), [((80, 24), False), ((120, 40), True)])
async def test_the_curves_of_a_paper_are_drawn(held, size, both):
    held.go_on.set()
    async with running(app_with(held.paper), size=size) as pilot:
        await open_papers(pilot)
        chart, report = pilot.screen.query_one(LineChart), pilot.screen.query_one(Panel)
        assert not is_shown(chart)
        await pilot.press("g")
        await reach(pilot, "held", JobState.FINISHED)
        await pilot.until(lambda: is_shown(chart) is both)
        seen = []
        for _ in range(3):
            await pilot.press("m")
            await pilot.come_to_rest()
            seen.append((is_shown(report), pilot.title_of("#paper-curves") if is_shown(chart) else ""))
        first, second = "Figure 1", "Figure 2"
        assert seen == (
            [(True, second), (True, first), (True, second)] if both else [(False, first), (False, second), (True, "")]
        )


async def export(pilot, path):
    await pilot.press("X")
    await pilot.answer(str(path))


@pytest.mark.long
async def test_a_report_is_exported(tmp_path):
    async with running(app_with(WRONG, parse_paper("lecture"))) as pilot:
        await open_papers(pilot)
        await pilot.press("X")
        assert isinstance(pilot.screen, PapersScreen), "there is nothing to export yet"
        await pilot.press("down")
        await export(pilot, tmp_path / "page.txt")
        await pilot.until(lambda: pilot.text_of(".dialog-error"))
        await pilot.press("escape")
        await export(pilot, tmp_path / "page.md")
        await pilot.until(lambda: len(pilot.shown_messages) == 1)
        assert (tmp_path / "page.md").read_text("utf-8").startswith("# The papers, repeated")
        await export(pilot, tmp_path / "page.svg")
        await pilot.until(lambda: len(pilot.shown_messages) == 2)
        assert ET.parse(tmp_path / "page.svg").getroot().tag.endswith("svg")  # noqa: S314  our own
        await export(pilot, tmp_path / "page.md")
        await pilot.until(lambda: len(pilot.shown_messages) == 3)
        assert "already exists" in pilot.shown_messages[-1]
