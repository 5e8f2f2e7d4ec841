"""Programs that write to one library at the same time lose nothing, wait for one another, and are never refused."""

import json
import sys
from asyncio import to_thread
from collections import Counter
from dataclasses import replace
from itertools import chain
from random import Random
from time import monotonic, sleep

import pytest

from engine.games import parse_game
from saves.errors import LibraryError, NameTaken, NoSuchSave
from saves.library.library import Library
from saves.sqlite import database
from tests.libraries import library, sql
from tests.saves.brains import counted, made_up, same
from tests.saves.forks import Forked
from tests.tui.piloting import running
from tui.library.screen import LibraryScreen

TOKENS = 4
"""The number of saves that each process creates; all processes rename, delete and restore them."""
COUNT_OF_NEW_NAMES = 20
SUM, SHARED = "sum", "shared"
"""Two saves that count their changes: SUM changes in one transaction, SHARED is replaced if its stamp is unchanged."""
VERBS = "own", "sum", "shared", "sum", "new"
BRAIN = made_up(parse_game("hexapawn"), 5)


def token_snapshot(process, number):
    return replace(BRAIN, seed=1000 + process * TOKENS + number)


class Writer:
    """One process: its finished calls, its refused calls, and the seconds of the longest call."""

    def __init__(self, path, process) -> None:
        self.library, self.process = Library(path), process
        self.random = Random(process)
        self.done = Counter()
        self.refused, self.deleted, self.longest = [], [], 0.0
        self.created = [f"place {process}.{number}" for number in range(TOKENS)]

    def call(self, verb, function, *args, **options):
        """Call and record a function; return whether it succeeded. Losing a race to another process is no fault."""
        begun = monotonic()
        try:
            function(*args, **options)
        except (NameTaken, NoSuchSave):
            return False
        except LibraryError as error:
            self.refused.append(f"{verb}: {error}")
            return False
        finally:
            self.longest = max(self.longest, monotonic() - begun)
        self.done[verb] += 1
        return True

    def replace(self, name, changed):
        """Replace a save unless another process has changed it since it was read."""
        stamp = self.library.stamp(name)
        self.library.save(name, changed(), replace=True, since=stamp)

    def change(self, number):
        verb = VERBS[number % len(VERBS)]
        if verb == "own":
            self.call(verb, self.replace, f"own {self.process}", lambda: counted(BRAIN, number))
        elif verb == "sum":
            self.call(verb, self.library.change, SUM, counted)
        elif verb == "new":
            self.call(verb, self.library.save, f"new {self.process}.{number}", BRAIN)
        while verb == "shared" and not self.call(verb, self.replace, SHARED, self.more_of_shared) and not self.refused:
            pass

    def more_of_shared(self):
        return counted(self.library.load(SHARED))

    def change_some_save(self):
        names = [f"place {number}" for number in range(COUNT_OF_NEW_NAMES)]
        old, new = self.random.choice([*names, *self.created]), self.random.choice(names)
        verb = self.random.choice(["rename", "delete", "undelete"])
        if verb == "rename":
            self.call(verb, self.library.rename, old, new)
        elif verb == "delete" and self.call(verb, self.library.delete, old):
            self.deleted.append(old)
        elif verb == "undelete" and self.deleted:
            self.call(verb, self.library.undelete, self.deleted.pop())


def run_writer(path, process, saves, start_time, defect="none"):
    DEFECTS[defect]()
    program = Writer(path, process)
    sleep(max(0.0, start_time - monotonic()))
    for name in (SUM, SHARED):
        program.call("first", program.library.save, name, BRAIN)
    for number, name in enumerate(program.created):
        program.call("bring", program.library.save, name, token_snapshot(process, number))
    for number in range(saves):
        program.change(number)
        program.change_some_save()
    json.dump([program.done, program.refused, program.longest, monotonic() - start_time], sys.stdout)


def change_carelessly():
    def change(library, name, changed):
        library.save(name, changed(library.load(name)), replace=True)

    Library.change = change


def never_wait():
    database.PATIENCE = database.BUSY_TIMEOUT = 0.0


DEFECTS = {"none": lambda: None, "changes carelessly": change_carelessly, "waits for nobody": never_wait}


START_DELAY = 0.3
"""Seconds until all programs have started, so that they begin to write at the same time."""


@pytest.fixture
def path(folder):
    return folder / "library.sqlite"


class ConcurrentRun:
    def __init__(self, path, processes, saves, defect="none") -> None:
        begin = monotonic() + START_DELAY
        programs = [Forked(run_writer, path, process, saves, begin, defect) for process in range(processes)]
        texts = [(program.stdout.read(), program.stderr.read(), program.wait()) for program in programs]
        assert [text[1:] for text in texts] == [("", 0)] * processes
        self.done, refused, longest, seconds = zip(*(json.loads(text) for text, *_ in texts), strict=True)
        self.refused, self.longest, self.seconds = [*chain(*refused)], max(longest), max(seconds)
        self.times = sum(map(Counter, self.done), Counter())


def lost_changes(path, result):
    assert sql(path, "PRAGMA integrity_check") == [("ok",)]
    assert sql(path, "PRAGMA foreign_key_check") == []
    listed = sql(path, "SELECT name FROM save WHERE name LIKE 'new%' AND deleted IS NULL")
    new = Counter(name.split(".")[0] for (name,) in listed)
    seeds = [seed for (seed,) in sql(path, "SELECT seed FROM save WHERE name LIKE 'place%' ORDER BY seed")]
    programs = range(len(result.done))
    expected = {
        "seeds": (seeds, [token_snapshot(each, number).seed for each in programs for number in range(TOKENS)]),
        "new saves": (new, {f"new {each}": result.done[each]["new"] for each in programs}),
        **{name: (Library(path).load(name).stats["games"], result.times[name]) for name in (SUM, SHARED)},
    }
    return [
        f"{what}: found {found}, expected {wanted}" for what, (found, wanted) in expected.items() if found != wanted
    ]


@pytest.mark.parametrize(
    ("processes", "saves"),
    [
        (2, 40),
        pytest.param(8, 12, marks=pytest.mark.long),
        *(pytest.param(processes, 1000, marks=pytest.mark.campaign(minutes=1)) for processes in (2, 8)),
    ],
)
def test_programs_that_write_at_the_same_time_lose_no_change(path, report_line, processes, saves):
    if processes == 2:  # in the other cases, all processes try to create the library
        Library(path).save("old", BRAIN)
    result = ConcurrentRun(path, processes, saves)
    faults = lost_changes(path, result)
    report_line(
        f"{processes} at once: {result.times.total():,} writes in {result.seconds:.0f} s, "
        f"the longest {result.longest:.2f} s: {len(faults)} lost, {len(result.refused)} refused"
    )
    assert faults + result.refused == []
    assert processes > 2 or same(Library(path).load("old"), BRAIN)
    assert sum(result.times[verb] for verb in ("own", "new", "sum", "shared")) == processes * saves
    assert all(result.times[verb] for verb in ("rename", "delete", "undelete"))


@pytest.mark.long
def test_a_lost_change_is_detected(path):
    faults = lost_changes(path, ConcurrentRun(path, 4, 20, "changes carelessly"))
    assert any(fault.startswith("sum: ") for fault in faults)


@pytest.mark.long
def test_a_refused_write_is_detected(path):
    assert any("another program is writing" in line for line in ConcurrentRun(path, 4, 20, "waits for nobody").refused)


def listed_names(pilot):
    return {entry.name for entry in pilot.screen.table.entries}


@pytest.mark.long
async def test_the_app_lists_what_other_programs_write():
    shared = library()
    async with running() as pilot:
        await pilot.press("l")
        await pilot.until(lambda: isinstance(pilot.screen, LibraryScreen))
        assert (await to_thread(ConcurrentRun, shared.path, 2, 15)).refused == []
        await pilot.until(lambda: listed_names(pilot) == {entry.name for entry in shared.entries()})
        shared.rename(SUM, "renamed")
        await pilot.until(lambda: "renamed" in listed_names(pilot) and SUM not in listed_names(pilot))
        shared.delete("renamed")
        await pilot.until(lambda: "renamed" not in listed_names(pilot))
        assert pilot.shown_messages == []
        assert not pilot.screen.trouble
