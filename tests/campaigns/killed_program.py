"""A program that is killed: it does one operation after another, and reports the end of each.

The aim says when it is killed:

    ("time", seconds)       after this time, by the process that reads its output
    ("tick", n)             by itself, at the nth call of SQLite or instruction of its virtual machine
    ("file", n)             by itself, at the nth call for another file
    ("commit", n, seconds)  after this time from the beginning of its nth commit, by the other process
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
from tests.campaigns.file_operations import BRAINS, Place, do, draw, steps
from tests.saves.brains import counted
from tests.saves.forks import Fuse

AIMED = "!"
BESIDE = "beside"
"""The save of a second program, which is not killed."""
TICK = 100
"""Instructions of SQLite's virtual machine."""
WRITING = {"open", "write", "flush", "fsync", "replace", "unlink"}

say = partial(print, flush=True)


def work(folder, state, seed, aim, way):
    """Do random operations until the end."""
    kind = type("Connection", (*AIMS[aim[0]](*aim[1:]), *WAYS[way](), sqlite3.Connection), {})
    connect = sqlite3.connect
    sqlite3.connect = lambda *args, **kwargs: connect(*args, factory=kind, **kwargs)
    place, random = Place(folder), Random(seed)
    for number in count():
        deed = draw(random, state)
        if way == "tells before":
            say(number)
        do(place, deed)
        if way != "tells before":
            say(number)
        state = steps(state, deed)[-1]


def work_beside(path):
    """Change one save, and report the number of changes."""
    library = Library(path)
    library.save(BESIDE, BRAINS["few"])
    for number in count(1):
        library.change(BESIDE, counted)
        say(number)
        sleep(0.004)


def tell_now(_):
    say(AIMED)
    return ()


def die_at(kind, last):
    tick = Fuse(last)

    def called(_, event, function):
        if event in ("c_call", "c_return"):
            of_sqlite = isinstance(function.__self__, sqlite3.Connection | sqlite3.Cursor)
            if of_sqlite if kind == "tick" else function.__name__ in WRITING:
                tick()

    class Ticking:
        def __init__(self, *args, **kwargs) -> None:
            super().__init__(*args, **kwargs)
            if kind == "tick":
                self.set_progress_handler(tick, TICK)

    sys.setprofile(called)
    return (Ticking,)


def tell_of_commit(last, _):
    commits = 0

    class Telling:
        def execute(self, sql, *args):
            nonlocal commits
            if sql == "COMMIT":
                commits += 1
                if commits == last:
                    say(AIMED)
            return super().execute(sql, *args)

    return (Telling,)


AIMS = {"time": tell_now, "tick": partial(die_at, "tick"), "file": partial(die_at, "file"), "commit": tell_of_commit}


def commit_often():
    """Commit each part of a save separately."""

    class Careless:
        def executemany(self, *args):
            super().execute("COMMIT")
            super().execute("BEGIN IMMEDIATE")
            return super().executemany(*args)

    return (Careless,)


def write_in_place():
    """Overwrite pages in place, without a journal."""

    class Careless:
        def execute(self, sql, *args):
            if sql == "BEGIN IMMEDIATE":
                super().execute("PRAGMA cache_size = 1")
                super().execute("PRAGMA journal_mode = OFF")
            if sql == "PRAGMA journal_mode = WAL":
                sql = "PRAGMA journal_mode = OFF"
            return super().execute(sql, *args)

    return (Careless,)


def write_files_in_place():
    def write(path, text, **_):
        with Path(path).open("w") as file:
            file.write(text)

    saves.settings.write_text = saves.formats.write_text = write
    return ()


WAYS = {
    "carefully": lambda: (),
    "tells before": lambda: (),
    "commits often": commit_often,
    "writes in place": write_in_place,
    "writes files in place": write_files_in_place,
}
"""The ways to write; all but the first lose data when killed."""
