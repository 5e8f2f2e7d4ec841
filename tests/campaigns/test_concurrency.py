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
from tests.campaigns.concurrent_program import BRAIN, SHARED, SUM, TOKENS, token, work
from tests.saves.brains import same
from tests.saves.forks import Forks
from tests.saves.old_libraries import write_version
from tests.tui.piloting import running, told, until
from tui.library.screen import LibraryScreen

SOON = 0.3
"""Seconds until all have begun."""


@pytest.fixture
def path(folder):
    return folder / "library.sqlite"


@pytest.fixture(scope="module")
def forks():
    with Forks() as forks:
        yield forks


class Told:
    """The reports of programs that have run at the same time."""

    def __init__(self, forks, path, processes, saves, way="carefully") -> None:
        begin = monotonic() + SOON
        programs = [forks.start(work, path, me, saves, begin, way) for me in range(processes)]
        texts = [(program.stdout.read(), program.stderr.read(), program.wait()) for program in programs]
        assert [text[1:] for text in texts] == [("", 0)] * processes
        self.done, refused, waits, self.seconds = zip(*(json.loads(text) for text, *_ in texts), strict=True)
        self.refused = [*chain(*refused)]
        self.waits = sorted(chain(*waits))

    def times(self, verb):
        return sum(done.get(verb, 0) for done in self.done)


def lost(path, told):
    """Every reported change that is missing in the library, a line each."""
    library = Library(path)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        listed = {name for (name,) in db.execute("SELECT name FROM save WHERE deleted IS NULL")}
        brought = db.execute("SELECT seed FROM save WHERE name LIKE 'place%' ORDER BY seed").fetchall()
    faults = []
    for name in (SUM, SHARED):
        games, changes = library.load(name).stats["games"], told.times(name)
        if games != changes:
            faults.append(f"{name} was changed {changes} times, and tells of {games}")
    tokens = [(token(me, number).seed,) for me in range(len(told.done)) for number in range(TOKENS)]
    if brought != tokens:
        faults.append(f"of {tokens} there are {brought}")
    for me, done in enumerate(told.done):
        new = [name for name in listed if name.startswith(f"new {me}.")]
        if len(new) != done.get("new", 0):
            faults.append(f"{me} saved {done} anew, and there are {sorted(new)}")
    return faults


@pytest.mark.long
@pytest.mark.parametrize(
    ("processes", "saves"),
    [(2, 40), (8, 12), *(pytest.param(processes, 1000, marks=pytest.mark.campaign(minutes=1)) for processes in (2, 8))],
)
def test_programs_that_write_at_the_same_time_lose_no_change(forks, path, tell, processes, saves):
    if processes == 2:  # the others create it at once
        write_version(1, path, {"old": BRAIN})
    told = Told(forks, path, processes, saves)
    faults = lost(path, told)
    seconds = max(told.seconds)
    tell(
        f"{processes} at once: {len(told.waits):,} writes in {seconds:.0f} s, the longest {told.waits[-1]:.2f} s, "
        f"the first done after {min(told.seconds) / seconds:.0%} of it: {len(faults)} lost, {len(told.refused)} refused"
    )
    assert faults + told.refused == []
    assert processes > 2 or same(Library(path).load("old"), BRAIN)
    assert sum(told.times(verb) for verb in ("own", "new", "sum", "shared")) == processes * saves
    assert all(told.times(verb) for verb in ("rename", "delete", "undelete"))


def test_a_lost_change_is_detected(forks, path):
    assert any("sum was changed" in fault for fault in lost(path, Told(forks, path, 4, 20, "changes carelessly")))


def test_a_refused_write_is_detected(forks, path):
    assert any("another program is writing" in line for line in Told(forks, path, 4, 20, "waits for nobody").refused)


def listed(pilot):
    return {entry.name for entry in pilot.app.screen.table.entries}


@pytest.mark.long
async def test_the_app_lists_what_other_programs_write(forks):
    library = Library(library_path())
    async with running() as pilot:
        await pilot.press("l")
        await until(pilot, lambda: isinstance(pilot.app.screen, LibraryScreen))
        assert (await to_thread(Told, forks, library.path, 2, 15)).refused == []
        await until(pilot, lambda: listed(pilot) == {entry.name for entry in library.entries()})
        library.rename(SUM, "renamed")
        await until(pilot, lambda: "renamed" in listed(pilot) and SUM not in listed(pilot))
        library.delete("renamed")
        await until(pilot, lambda: "renamed" not in listed(pilot))
        assert told(pilot) == []
        assert not pilot.app.screen.trouble
