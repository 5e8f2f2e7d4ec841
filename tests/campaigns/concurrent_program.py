"""A program that saves, renames and deletes in a library while others do the same, and reports what it did."""

import json
import sys
from collections import Counter
from dataclasses import replace
from random import Random
from time import monotonic, sleep

from engine.games import parse_game
from saves.errors import LibraryError, NameTaken, NoSuchSave
from saves.library.library import Library
from saves.sqlite import database
from tests.saves.brains import counted, made_up

TOKENS = 4
"""The saves that each process creates, and all processes rename, delete and restore."""
PLACES = 20
"""The new names for these saves."""
SUM, SHARED = "sum", "shared"
"""Saves that count their changes: made in one transaction, and made with a stamp."""
BRAIN = made_up(parse_game("hexapawn"), 5)


def token(me, number):
    return replace(BRAIN, seed=1000 + me * TOKENS + number)


class Program:
    """One process: its finished calls, their durations, and its refused calls."""

    def __init__(self, path, me) -> None:
        self.library, self.me = Library(path), me
        self.random = Random(me)
        self.done = Counter()
        self.refused = []
        self.waits = []
        self.gone = []
        self.brought = [f"place {me}.{number}" for number in range(TOKENS)]

    def call(self, verb, function, *args, **options):
        """Call a function and record the result; return whether it succeeded. To lose a race is no fault."""
        begun = monotonic()
        try:
            function(*args, **options)
        except (NameTaken, NoSuchSave):
            return False
        except LibraryError as error:
            self.refused.append(f"{verb}: {error}")
            return False
        finally:
            self.waits.append(monotonic() - begun)
        self.done[verb] += 1
        return True

    def save_own(self, number):
        """Replace a save that only this process writes."""
        name = f"own {self.me}"

        def save():
            self.library.save(name, counted(BRAIN, number), replace=True, since=self.library.stamp(name))

        self.call("own", save)

    def save_new(self, number):
        self.call("new", self.library.save, f"new {self.me}.{number}", BRAIN)

    def change_sum(self, _):
        self.call("sum", self.library.change, SUM, counted)

    def change_shared(self, _):
        """Change a shared save, and replace it by its stamp; retry if another process has changed it meanwhile."""

        def save():
            stamp = self.library.stamp(SHARED)
            self.library.save(SHARED, counted(self.library.load(SHARED)), replace=True, since=stamp)

        while not self.call("shared", save) and not self.refused:
            pass

    def move(self):
        """Rename, delete or restore some save."""
        places = [f"place {number}" for number in range(PLACES)]
        old, new = self.random.choice([*places, *self.brought]), self.random.choice(places)
        verb = self.random.choice(["rename", "delete", "undelete"])
        if verb == "rename":
            self.call(verb, self.library.rename, old, new)
        elif verb == "delete" and self.call(verb, self.library.delete, old):
            self.gone.append(old)
        elif verb == "undelete" and self.gone:
            self.call(verb, self.library.undelete, self.gone.pop())


def work(path, me, saves, begin, way="carefully"):
    WAYS[way]()
    program = Program(path, me)
    sleep(max(0.0, begin - monotonic()))
    for name in (SUM, SHARED):
        program.call("first", program.library.save, name, BRAIN)
    for number, name in enumerate(program.brought):
        program.call("bring", program.library.save, name, token(me, number))
    verbs = (program.save_own, program.change_sum, program.change_shared, program.change_sum, program.save_new)
    for number in range(saves):
        verbs[number % len(verbs)](number)
        program.move()
    json.dump([program.done, program.refused, program.waits, monotonic() - begin], sys.stdout)


def change_carelessly():
    """Replace a save without regard to what others have written."""

    def change(library, name, changed):
        library.save(name, changed(library.load(name)), replace=True)

    Library.change = change


def wait_for_nobody():
    database.PATIENCE = database.BUSY_TIMEOUT = 0.0


WAYS = {"carefully": lambda: None, "changes carelessly": change_carelessly, "waits for nobody": wait_for_nobody}
