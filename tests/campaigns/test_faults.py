"""When any call that reaches a file fails, once or from then on, all files are as before or as after the operation.

The caller gets an error. Random operations get random faults, in calls of the program and of sqlite3; hypothesis
reduces a sequence of operations that leaves something in between.
"""

import os
import re
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from engine.game import BadText
from saves import gallery
from saves.errors import CommitUnknown, LibraryError
from saves.library.library import Library
from saves.library.recovery import is_sound, recover
from tests.campaigns.fault_injection import FAILURE_MODES, faulty
from tests.campaigns.file_operations import (
    KINDS,
    LIBRARY,
    SNAPSHOTS,
    Lost,
    ProgramFiles,
    ProgramMachine,
    StateReader,
    perform,
    random_operation,
    states_during,
)
from tests.campaigns.mutations import UNHURRIED

WHAT_TO_DO = re.compile(
    "try again|choose another|restore|free some space|change (the|its) permissions|allow|see noughts", re.IGNORECASE
)
FAULTS = st.tuples(st.sampled_from(FAILURE_MODES), st.integers(0, 20) | st.integers(0, 250))
"""How calls fail, and the number of the first one that does."""


class Unreported(Exception):
    """A fault that was not reported, or whose message does not help."""


def require_helpful(error, folder, *, changed):
    """Raise `Unreported` unless the message says what happened, to which file, and what to do."""
    text, lines = str(error), str(error).split("\n")
    faults = {
        f"raised {type(error)}": not isinstance(error, LibraryError | BadText),
        "nothing is damaged": "is damaged" in text,
        "not one or two printable lines": len(lines) > 2 or not all(each.isprintable() and each for each in lines),
        "the message names no file": str(folder) not in text,
        "the message does not say what to do": not WHAT_TO_DO.search(text),
        "something was changed": "nothing was changed" in text.lower() and changed,
    }
    for fault, found in faults.items():
        if found:
            raise Unreported(f"{fault}: {text!r}")


class Environment:
    def __init__(self, folder, faults) -> None:
        self.folder, self.faults, self.reader = folder, faults, StateReader(folder)
        self.faults_met, self.refused, self.calls = 0, 0, Counter()


@pytest.fixture(scope="module")
def environment(in_memory):
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(dir=in_memory)))
        for module in ("sqlite.database", "library.recovery"):
            stack.enter_context(patch(f"saves.{module}.PATIENCE", 0.0))
        stack.enter_context(patch("tempfile.tempdir", str(folder)))  # what remains is deleted with the folder
        gallery.entries()
        yield Environment(folder, stack.enter_context(faulty()))


class Faulty(ProgramMachine, RuleBasedStateMachine):
    """A program at work whose calls fail."""

    def __init__(self, environment) -> None:
        super().__init__(environment.reader)
        self.environment, self.place = environment, ProgramFiles(self.folder)

    @rule(number=st.integers(0, 9999), fault=st.none() | FAULTS, again=st.booleans())
    def operate(self, number, fault, again) -> None:
        """Do something, in the same program or in the next one, with a fault at a call or from a call on, or without.

        What is possible depends on the state, and that on the calls that failed: hypothesis must not draw from it.
        """
        self.failing = True
        self.place = ProgramFiles(self.folder) if again else self.place
        operation, error, faults = random_operation(Random(number), self.state), None, self.environment.faults
        with faults.on(*fault or ()):
            try:
                perform(self.place, operation)
            except Exception as raised:  # noqa: BLE001  it is judged below
                error = raised.with_traceback(None)
        self.environment.faults_met += bool(faults.failed_calls)
        self.environment.refused += error is not None
        self.environment.calls.update(kind for kind, _ in faults.failed_calls)
        states = [self.state, *states_during(self.state, operation)]
        self.expect(states, f"{operation} and {error!r}")
        if any(os.path.realpath(each).startswith(str(self.folder)) for each in Path("/proc/self/fd").glob("*")):
            raise Lost("a file stays open, with all its locks")
        if error is None and self.state != states[-1]:
            raise Unreported(f"{operation} was not done")
        if error is not None and not isinstance(error, CommitUnknown):
            # of two saves in turn, the second may fail and truly say that it changed nothing
            require_helpful(error, self.environment.folder, changed=self.state not in states[:-1])
        self.failing = False


def run_machines(environment, examples, **options) -> None:
    """Run `examples` machines; hypothesis reduces the steps of one that fails."""
    options = {"phases": (Phase.generate, Phase.shrink), "report_multiple_bugs": False, **options}
    chosen = settings(UNHURRIED, max_examples=examples, stateful_step_count=8, **options)
    run_state_machine_as_test(partial(Faulty, environment), settings=chosen)


@pytest.mark.long
@pytest.mark.parametrize("examples", [60, pytest.param(2_500, marks=pytest.mark.campaign(minutes=4))])
def test_after_any_fault_all_files_are_as_before_or_after_the_operation(environment, report_line, examples):
    run_machines(environment, examples, derandomize=examples < 1000)
    report_line(
        f"{environment.faults_met:,} faults in {examples:,} programs, {environment.refused:,} operations refused: "
        "none left anything in between, each was reported"
    )
    assert environment.calls.keys() == {"file", "sqlite"}


def rename_silently(place, old, new):
    with suppress(LibraryError):
        place.library.rename(old, new)


def set_carelessly(place, _key, _value):
    place.settings.write_text("{}")


@pytest.mark.parametrize(
    ("verb", "careless", "kind"),
    [
        ("set", set_carelessly, (Lost, Unreported)),
        pytest.param("rename", rename_silently, Unreported, marks=pytest.mark.long),
    ],
)
def test_a_careless_operation_is_detected(environment, verb, careless, kind):
    few = {each: KINDS[each] for each in ("save", verb)} | {verb: replace(KINDS[verb], do=careless)}
    with patch.dict(KINDS, few, clear=True), pytest.raises(kind):
        run_machines(environment, 400, phases=[Phase.generate])


@pytest.mark.long
def test_a_recovery_that_fails_leaves_the_damaged_library_or_a_sound_one(environment):
    folder = environment.folder / "damaged"
    library = Library(folder / LIBRARY)
    for name, brain in {"a": "few", "b 2": "boxes"}.items():
        library.save(name, SNAPSHOTS[brain])
    library.keep_backup()
    damaged = library.path.read_bytes()[:-4096] + bytes(4096)
    for mode, calls in zip(FAILURE_MODES[:2], (range(200), range(0, 3000, 23)), strict=True):
        for at in calls:
            library.path.write_bytes(damaged)
            with environment.faults.on(mode, at), suppress(LibraryError):
                recover(library.path)
            unchanged = library.path.read_bytes() == damaged  # pytest would describe the difference, for seconds
            assert unchanged or is_sound(library.path)
            for left in folder.glob("library-*.sqlite*"):
                left.unlink()
