"""Programs that write to one library at the same time lose nothing, wait for one another, and are never refused."""

import json
import sqlite3
from asyncio import to_thread
from contextlib import closing
from itertools import chain
from time import monotonic

import pytest

from saves.library.library import Library
from saves.paths import library_path
from tests.campaigns.concurrent_program import BRAIN, SHARED, SUM, TOKENS, run_writer, token_snapshot
from tests.saves.brains import same
from tests.saves.forks import Forks
from tests.tui.piloting import running, shown_messages, until
from tui.library.screen import LibraryScreen

START_DELAY = 0.3
"""Seconds until all programs have started, so that they begin to write at the same time."""


@pytest.fixture
def path(folder):
    return folder / "library.sqlite"


@pytest.fixture(scope="module")
def forks():
    with Forks() as forks:
        yield forks


class ConcurrentRun:
    """Runs programs at the same time, and collects their reports."""

    def __init__(self, forks, path, processes, saves, defect="none") -> None:
        begin = monotonic() + START_DELAY
        programs = [forks.start(run_writer, path, process, saves, begin, defect) for process in range(processes)]
        texts = [(program.stdout.read(), program.stderr.read(), program.wait()) for program in programs]
        assert [text[1:] for text in texts] == [("", 0)] * processes
        self.done, refused, durations, self.seconds = zip(*(json.loads(text) for text, *_ in texts), strict=True)
        self.refused = [*chain(*refused)]
        self.durations = sorted(chain(*durations))

    def times(self, verb):
        return sum(done.get(verb, 0) for done in self.done)


def lost_changes(path, result):
    """Describe each reported change that is missing in the library."""
    library = Library(path)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        listed_names = {name for (name,) in db.execute("SELECT name FROM save WHERE deleted IS NULL")}
        created = db.execute("SELECT seed FROM save WHERE name LIKE 'place%' ORDER BY seed").fetchall()
    faults = []
    for name in (SUM, SHARED):
        games, changes = library.load(name).stats["games"], result.times(name)
        if games != changes:
            faults.append(f"{name} was changed {changes} times, but counts {games} changes")
    tokens = [
        (token_snapshot(process, number).seed,) for process in range(len(result.done)) for number in range(TOKENS)
    ]
    if created != tokens:
        faults.append(f"expected the seeds {tokens}, found {created}")
    for process, done in enumerate(result.done):
        new = [name for name in listed_names if name.startswith(f"new {process}.")]
        if len(new) != done.get("new", 0):
            faults.append(f"{process} reported {done}, but the new saves are {sorted(new)}")
    return faults


@pytest.mark.long
@pytest.mark.parametrize(
    ("processes", "saves"),
    [(2, 40), (8, 12), *(pytest.param(processes, 1000, marks=pytest.mark.campaign(minutes=1)) for processes in (2, 8))],
)
def test_programs_that_write_at_the_same_time_lose_no_change(forks, path, report_line, processes, saves):
    if processes == 2:  # in the other cases, all processes try to create the library
        Library(path).save("old", BRAIN)
    result = ConcurrentRun(forks, path, processes, saves)
    faults = lost_changes(path, result)
    seconds = max(result.seconds)
    report_line(
        f"{processes} at once: {len(result.durations):,} writes in {seconds:.0f} s, "
        f"the longest {result.durations[-1]:.2f} s, the first process done after {min(result.seconds) / seconds:.0%}: "
        f"{len(faults)} lost, {len(result.refused)} refused"
    )
    assert faults + result.refused == []
    assert processes > 2 or same(Library(path).load("old"), BRAIN)
    assert sum(result.times(verb) for verb in ("own", "new", "sum", "shared")) == processes * saves
    assert all(result.times(verb) for verb in ("rename", "delete", "undelete"))


@pytest.mark.long
def test_a_lost_change_is_detected(forks, path):
    assert any(
        "sum was changed" in fault
        for fault in lost_changes(path, ConcurrentRun(forks, path, 4, 20, "changes carelessly"))
    )


@pytest.mark.long
def test_a_refused_write_is_detected(forks, path):
    assert any(
        "another program is writing" in line for line in ConcurrentRun(forks, path, 4, 20, "waits for nobody").refused
    )


def listed_names(pilot):
    return {entry.name for entry in pilot.app.screen.table.entries}


@pytest.mark.long
async def test_the_app_lists_what_other_programs_write(forks):
    library = Library(library_path())
    async with running() as pilot:
        await pilot.press("l")
        await until(pilot, lambda: isinstance(pilot.app.screen, LibraryScreen))
        assert (await to_thread(ConcurrentRun, forks, library.path, 2, 15)).refused == []
        await until(pilot, lambda: listed_names(pilot) == {entry.name for entry in library.entries()})
        library.rename(SUM, "renamed")
        await until(pilot, lambda: "renamed" in listed_names(pilot) and SUM not in listed_names(pilot))
        library.delete("renamed")
        await until(pilot, lambda: "renamed" not in listed_names(pilot))
        assert shown_messages(pilot) == []
        assert not pilot.app.screen.trouble
