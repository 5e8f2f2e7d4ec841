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
"""The number of saves that each process creates; all processes rename, delete and restore them."""
NEW_NAMES = 20
"""The number of new names for these saves."""
SUM, SHARED = "sum", "shared"
"""Two saves that count their changes: SUM changes in one transaction, SHARED is replaced if its stamp is unchanged."""
BRAIN = made_up(parse_game("hexapawn"), 5)


def token_snapshot(process, number):
    return replace(BRAIN, seed=1000 + process * TOKENS + number)


class Writer:
    """One process: its finished calls, their durations, and its refused calls."""

    def __init__(self, path, process) -> None:
        self.library, self.process = Library(path), process
        self.random = Random(process)
        self.done = Counter()
        self.refused = []
        self.durations = []
        self.deleted = []
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
            self.durations.append(monotonic() - begun)
        self.done[verb] += 1
        return True

    def save_own(self, number):
        """Replace a save that only this process writes."""
        name = f"own {self.process}"

        def save():
            self.library.save(name, counted(BRAIN, number), replace=True, since=self.library.stamp(name))

        self.call("own", save)

    def save_new(self, number):
        self.call("new", self.library.save, f"new {self.process}.{number}", BRAIN)

    def change_sum(self, _):
        self.call("sum", self.library.change, SUM, counted)

    def change_shared(self, _):
        """Change a shared save: load it and replace it; retry if another process has changed it meanwhile."""

        def save():
            stamp = self.library.stamp(SHARED)
            self.library.save(SHARED, counted(self.library.load(SHARED)), replace=True, since=stamp)

        while not self.call("shared", save) and not self.refused:
            pass

    def change_some_save(self):
        """Rename, delete or restore some save."""
        names = [f"place {number}" for number in range(NEW_NAMES)]
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
    verbs = (program.save_own, program.change_sum, program.change_shared, program.change_sum, program.save_new)
    for number in range(saves):
        verbs[number % len(verbs)](number)
        program.change_some_save()
    json.dump([program.done, program.refused, program.durations, monotonic() - start_time], sys.stdout)


def change_carelessly():
    """Let `Library.change` replace a save even if another process has changed it meanwhile."""

    def change(library, name, changed):
        library.save(name, changed(library.load(name)), replace=True)

    Library.change = change


def never_wait():
    database.PATIENCE = database.BUSY_TIMEOUT = 0.0


DEFECTS = {"none": lambda: None, "changes carelessly": change_carelessly, "waits for nobody": never_wait}
