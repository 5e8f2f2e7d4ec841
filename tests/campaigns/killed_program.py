"""A program that is killed while it performs one operation after another, and reports the end of each.

`kill_moment` says when it is killed:

    ("time", seconds)       after this time, by the parent process
    ("tick", n)             by itself, at the nth start or end of a call of SQLite, or tick of its virtual machine
    ("file", n)             by itself, at the nth start or end of a call that writes a file other than the library
    ("commit", n, seconds)  this time after the start of its nth commit, by the parent process
"""

import sqlite3
import sys
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from time import sleep

import saves.formats
import saves.settings
from saves.library.library import Library
from tests.campaigns.file_operations import (
    BESIDE,
    SNAPSHOTS,
    ProgramFiles,
    perform,
    random_operation,
    states_during,
)
from tests.saves.brains import counted
from tests.saves.forks import KillAtCall

KILL_NOW = "!"
TICK = 100
"""The number of instructions of SQLite's virtual machine between two ticks."""
WRITING = {"open", "write", "flush", "fsync", "replace", "unlink"}

print_line = partial(print, flush=True)


def run_operations(folder, state, seed, kill_moment, defect):
    """Perform random operations until the process is killed."""
    if defect == "writes files in place":
        write_files_in_place()
    parts = KILL_MOMENTS[kill_moment[0]](*kill_moment[1:]), DEFECTS.get(defect, object)
    kind = type("Connection", (*(part for part in parts if part is not object), sqlite3.Connection), {})
    connect = sqlite3.connect
    sqlite3.connect = lambda *args, **kwargs: connect(*args, factory=kind, **kwargs)
    place, random = ProgramFiles(folder), Random(seed)
    for number in count():
        operation = random_operation(random, state)
        if defect == "reports too early":
            print_line(number)
        perform(place, operation)
        if defect != "reports too early":
            print_line(number)
        state = states_during(state, operation)[-1]


def change_beside(path):
    """Change one save, and report the number of changes."""
    library = Library(path)
    library.save(BESIDE, SNAPSHOTS["few"])
    for number in count(1):
        library.change(BESIDE, counted)
        print_line(number)
        sleep(0.004)


def request_kill(_):
    print_line(KILL_NOW)
    return object


def kill_self_at(kind, last):
    tick = KillAtCall(last)

    def on_call(_, event, function):
        if event in ("c_call", "c_return"):
            of_sqlite = isinstance(function.__self__, sqlite3.Connection | sqlite3.Cursor)
            if of_sqlite if kind == "tick" else function.__name__ in WRITING:
                tick()

    class Ticking:
        def __init__(self, *args, **kwargs) -> None:
            super().__init__(*args, **kwargs)
            if kind == "tick":
                self.set_progress_handler(tick, TICK)

    sys.setprofile(on_call)
    return Ticking


def request_kill_at_commit(last, _):
    commits = count(1)

    class Announcing:
        def execute(self, sql, *args):
            if sql == "COMMIT" and next(commits) == last:
                print_line(KILL_NOW)
            return super().execute(sql, *args)

    return Announcing


KILL_MOMENTS = {
    "time": request_kill,
    "tick": partial(kill_self_at, "tick"),
    "file": partial(kill_self_at, "file"),
    "commit": request_kill_at_commit,
}


class CommittingOften:
    """Commits each part of a save separately."""

    def executemany(self, *args):
        super().execute("COMMIT")
        super().execute("BEGIN IMMEDIATE")
        return super().executemany(*args)


class WritingInPlace:
    """Overwrites pages of the library in place, without a journal."""

    def execute(self, sql, *args):
        if sql == "BEGIN IMMEDIATE":
            super().execute("PRAGMA cache_size = 1")
            super().execute("PRAGMA journal_mode = OFF")
        if sql == "PRAGMA journal_mode = WAL":
            sql = "PRAGMA journal_mode = OFF"
        return super().execute(sql, *args)


def write_files_in_place():
    def write(path, text, **_):
        with Path(path).open("w") as file:
            file.write(text)

    saves.settings.write_text = saves.formats.write_text = write


DEFECTS = {"commits often": CommittingOften, "writes in place": WritingInPlace}
"""Connections that make the program lose data when it is killed. Two more defects are "reports too early" and
"writes files in place"."""
