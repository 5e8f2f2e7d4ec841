"""A program that is killed while it performs one operation after another, and reports the end of each."""

import sqlite3
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

import saves.formats
import saves.settings
from tests.campaigns.fault_injection import KILL, faulty
from tests.campaigns.file_operations import ProgramFiles, perform, random_operation, states_during

NEVER = 10**9

print_line = partial(print, flush=True)


class CommittingOften(sqlite3.Connection):
    """Commits each part of a save separately."""

    def executemany(self, *args):
        super().execute("COMMIT")
        super().execute("BEGIN IMMEDIATE")
        return super().executemany(*args)


class WritingInPlace(sqlite3.Connection):
    """Overwrites pages of the library in place, without a journal."""

    def execute(self, sql, *args):
        if sql == "BEGIN IMMEDIATE":
            super().execute("PRAGMA cache_size = 1")
            super().execute("PRAGMA journal_mode = OFF")
        if sql == "PRAGMA journal_mode = WAL":
            sql = "PRAGMA journal_mode = OFF"
        return super().execute(sql, *args)


def write_in_place(path, text, **_):
    with Path(path).open("w") as file:
        file.write(text)


DEFECTS = {"commits often": (CommittingOften,), "writes in place": (WritingInPlace,)}
"""Connections that make the program lose data when it is killed. Two more defects are to report an operation before it
is done, and to write files in place."""


def run_operations(folder, state, seed, kill_at, defect):
    """Perform random operations until killed: at call number `kill_at`, or from outside if it is `NEVER`."""
    if defect == "writes files in place":
        saves.settings.write_text = saves.formats.write_text = write_in_place
    place, random = ProgramFiles(folder), Random(seed)
    print_line("begun")
    with faulty(*DEFECTS.get(defect, ())) as faults, faults.on(KILL, kill_at):
        for number in count():
            operation = random_operation(random, state)
            if defect == "reports too early":
                print_line(number)
            perform(place, operation)
            if defect != "reports too early":
                print_line(number)
            state = states_during(state, operation)[-1]
