"""The papers job, without a screen; the page of a report, and the bar of its verdicts."""

import io
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from lab.jobs import JobState
from lab.papers.papers_job import PapersJob
from lab.papers.report_text import SIGN, grids_of, markdown_text, verdict_bar
from lab.papers.report_view import report_view
from learners.papers import parse_paper
from learners.papers.report import COMPARED
from saves.gallery.paper_reports import load
from tests.tui.papers.held_papers import WRONG, Held
from tests.waiting import wait_until


@pytest.fixture(name="held")
def _held():
    held = Held()
    yield held
    held.go_on.set()


def reach(job, name, state):
    wait_until(lambda: job.views[name].state is state, f"{name}: {state}", lambda: job.views[name])


def test_an_active_paper_is_not_started_twice(held):
    job = PapersJob([held.paper])
    job.start(["held"], 1)
    reach(job, "held", JobState.RUNNING)
    job.start(["held"], 2)
    held.go_on.set()
    wait_until(lambda: not job.running)
    assert job.views["held"].report.seed == 1
    assert job.headline == ("", "")


def test_a_stopped_paper_can_be_started_at_once(held):
    job = PapersJob([held.paper, parse_paper("lecture")])
    job.start(["held", "lecture"], 1)
    reach(job, "held", JobState.RUNNING)
    assert job.views["lecture"].text == "waiting"
    job.stop()
    job.start(["lecture"], 2)
    reach(job, "lecture", JobState.FINISHED)
    reach(job, "held", JobState.STOPPED)
    held.go_on.set()
    job.start(["held"], 3)
    reach(job, "held", JobState.FINISHED)
    assert job.views["held"].report.seed == 3


def test_no_thread_is_left_when_all_papers_are_stopped(held):
    job, before = PapersJob([held.paper]), set(threading.enumerate())
    held.go_on.set()
    job.start(["held"], 1)
    reach(job, "held", JobState.FINISHED)
    assert set(threading.enumerate()) - before
    job.stop()
    wait_until(lambda: not set(threading.enumerate()) - before)


def test_the_last_report_is_kept_until_the_next_one(held):
    job = PapersJob([held.paper])
    held.go_on.set()
    job.start(["held"], 1)
    reach(job, "held", JobState.FINISHED)
    held.go_on.clear()
    job.start(["held"], 2)
    reach(job, "held", JobState.RUNNING)
    job.stop()
    reach(job, "held", JobState.STOPPED)
    assert job.views["held"].report.seed == 1


def test_a_failed_paper_has_a_reason_and_can_be_started_again():
    job = PapersJob([WRONG])
    for _ in range(2):
        job.start(["wrong"], 1)
        reach(job, "wrong", JobState.FAILED)
        assert job.views["wrong"].error == "[red]no room[/]"


def test_a_paper_begins_with_the_results_that_came_with_the_program(held):
    job = PapersJob([parse_paper("lecture"), held.paper])
    first, other = job.views["lecture"], job.views["held"]
    assert (first.state, first.report, first.text) == (JobState.NOT_RUN, first.shipped.report, "9 exact, 2 differ")
    assert (other.report, other.shipped, other.text) == (None, None, "not run")
    job.start(["lecture"], 1)
    reach(job, "lecture", JobState.FINISHED)
    assert job.views["lecture"].shipped is None
    assert job.views["lecture"].report.tables == first.report.tables


@pytest.mark.parametrize(("name", "width"), [("gardner", 54), ("hochmuth", 76), ("thill", 110)])
def test_the_page_of_a_report_has_all_tables_and_curves_and_columns_that_fit(name, width):
    report, console = load(name).report, Console(file=io.StringIO(), width=width)
    console.print(report_view(report, width, {}))
    words = "".join(console.file.getvalue().split())
    assert report.curves
    for part in (*report.tables, *report.curves):
        assert "".join(part.title.split()) in words
    assert all(grid.width <= width for grid in grids_of(report, width, places=True))


@pytest.mark.parametrize("name", ["smallest", "tromp"])
def test_where_figures_are_printed_is_said_where_that_costs_no_words(name):
    grids = [grids_of(load(name).report, width, places=True)[0] for width in range(54, 110)]
    assert {bool(grid.where) for grid in grids} == {True, False}
    assert all(grid.verdict > SIGN and grid.what == grids[-1].what for grid in grids if grid.where)


@given(st.lists(st.integers(0, 200), min_size=4, max_size=4), st.integers(4, 40))
def test_the_parts_of_a_bar_add_up_and_none_is_lost(counts, width):
    found = dict(zip(COMPARED, counts, strict=True))
    bar = verdict_bar(found, width)
    assert [verdict for verdict, _ in bar] == [verdict for verdict in COMPARED if found[verdict]]
    assert sum(cells for _, cells in bar) == (width if any(counts) else 0)
    assert all(cells >= 1 for _, cells in bar)


def test_a_bar_is_in_proportion():
    assert [cells for _, cells in verdict_bar(dict(zip(COMPARED, (10, 5, 5, 0), strict=True)), 16)] == [8, 4, 4]


def test_a_page_has_every_table_and_curve_of_a_report():
    report = load("riechel").report
    lines = markdown_text([report]).splitlines()
    assert [line[4:] for line in lines if line.startswith("### ")] == [
        each.title for each in (*report.tables, *report.curves)
    ]
