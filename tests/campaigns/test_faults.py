"""When any call that reaches a file fails, once or from then on, all files are as before or as after the operation.

The caller gets an error. Faults are injected into calls of the program, of sqlite3, and of SQLite to the system.
"""

import re
import shutil
import sys
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from errno import ENOSPC
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest

from engine.game import BadText
from lab.training.training_job import PACES, TrainingJob
from learners.failures.learner import Failures
from saves import gallery
from saves.errors import CommitUnknown, Damaged, LibraryError
from saves.library.library import Library
from saves.sqlite.database import reading
from tests.campaigns.fault_injection import FAILURE_MODES, faulty
from tests.campaigns.fault_operations import DELETED_GAME, OPERATIONS, prepare
from tests.campaigns.file_operations import HEXAPAWN, LIBRARY, RECORDS, ProgramFiles
from tests.tui.piloting import make_app, running, shown_messages, until
from tui.train.screen import TrainScreen

NOW = "2026-02-03T04:05:06.000007+00:00"
IN_MEMORY = "games that can come back"
LOGS = ("-wal", "-shm", "-journal")
"""The suffixes of SQLite's own files, which may remain."""
TABLES = (
    "SELECT * FROM save ORDER BY id",
    "SELECT * FROM memory ORDER BY save, position, move",
    "SELECT * FROM checkpoint ORDER BY save, rounds",
    "SELECT * FROM change ORDER BY save, rounds, position, move",
    "SELECT * FROM game ORDER BY id",
    "PRAGMA user_version",
)
WHAT_TO_DO = re.compile(
    "try again|choose another|restore|free some space|change (the|its) permissions|allow|see noughts", re.IGNORECASE
)
UNCHANGED = re.compile("nothing was changed", re.IGNORECASE)


class InBetween(Exception):
    """A state that is neither that before the operation nor that after it."""


class Unreported(Exception):
    """A fault that was not reported, or whose message does not help."""


def read_folder(folder):
    """Return the content of a folder: libraries row by row, other files byte by byte."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(LOGS))
    return {path.relative_to(folder).as_posix(): read_file(path) for path in (folder / LIBRARY, *files)}


def read_file(path):
    if path.is_symlink():
        return path.readlink()
    if path.suffix != ".sqlite":
        return path.read_bytes()
    try:
        with reading(path) as db:
            if db.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                return path.read_bytes()  # damaged from the start, or by the operation
            if db.execute("PRAGMA foreign_key_check").fetchone():
                raise InBetween(f"{path.name} has rows of no save")
            return [[tuple(row) for row in db.execute(table)] for table in TABLES]
    except Damaged:
        return path.read_bytes()
    except LibraryError as error:
        raise InBetween(f"{path.name} can no longer be read: {error}") from error


@dataclass
class Done:
    """The result of an operation."""

    folder: Path
    state: dict = field(default_factory=dict)
    result: object = None
    error: type[Exception] | None = None
    """The type only, since the exception would keep its frames alive."""
    text: str = ""

    @property
    def message(self):
        """The text of the error, without the path of the folder."""
        return self.text.replace(str(self.folder), "")

    def check(self, before, after, failed_calls):
        """Raise `InBetween` or `Unreported` if the result is wrong."""
        state, unknown = self.state, self.error is CommitUnknown
        if unknown:  # the app continues as if the operation had failed
            state = {**state, IN_MEMORY: (after if state[LIBRARY] == after.state[LIBRARY] else before).state[IN_MEMORY]}
        not_removed = any("unlink" in name for _, name in failed_calls)
        if not_removed:  # a file that could not be removed may remain
            state = {name: kept for name, kept in state.items() if ".part" not in name}
        if state != after.state and (unknown or not_removed):
            state = {name: kept for name, kept in state.items() if "-damaged" not in name}
        if state not in (before.state, after.state):
            changed = (name for name in {**state, **before.state} if state.get(name) != before.state.get(name))
            raise InBetween(f"{', '.join(changed)} after {self.error} {self.text}")
        if self.error is None and after.error is not None:
            raise Unreported(f"it was not refused: {after.text}")
        if self.error is None and (state, self.result) != (after.state, after.result):
            raise Unreported(f"it was not done, or its result is wrong: {str(self.result)[:300]}")
        if self.error is not None and self.message != after.message:
            lost = any(kind == "system" and "read" in name for kind, name in failed_calls)  # SQLite sees it as damage
            self.check_message(changed=state != before.state, lost=lost)

    def check_message(self, *, changed, lost):
        """Raise `Unreported` unless the message says what happened, to which file, and what to do."""
        text, lines = self.text, self.text.split("\n")
        faults = {
            f"raised {self.error}": not issubclass(self.error, LibraryError | BadText),
            "nothing is damaged": "is damaged" in text and not lost,
            "not one or two printable lines": len(lines) > 2 or not all(each.isprintable() and each for each in lines),
            "the message names no file": not any(
                name in text for name in (str(self.folder), "in.json", "in.txt", "saves/gallery")
            ),
            "the message does not say what to do": not WHAT_TO_DO.search(text),
            "something was changed": UNCHANGED.search(text) and changed,
        }
        for fault, found in faults.items():
            if found:
                raise Unreported(f"{fault}: {text!r}")


@dataclass
class Report:
    faults: int = 0
    calls: int = 0
    refused: int = 0
    not_reached: Counter = field(default_factory=Counter)
    """By operation, how often the call that was to fail did not occur: SQLite does not always read the same pages."""
    failed_calls: Counter = field(default_factory=Counter)
    findings: dict = field(default_factory=lambda: {InBetween: [], Unreported: []})


def open_files():
    """Yield the paths of the open files of this process, if the system lists them."""
    for file in Path("/proc/self/fd").glob("*"):
        with suppress(OSError):
            yield str(file.readlink())


class OperationRunner:
    """Runs each operation on a copy of its files."""

    def __init__(self, folder, faults) -> None:
        self.folder, self.faults = folder, faults
        self._numbers = count()
        self._seen = {}

    def read_folder(self, folder):
        """Read a folder; raise an error if its library is not writable. Cached by the bytes of the files."""
        files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".sqlite-shm"]
        key = tuple(sorted((path.name, path.is_symlink() or path.read_bytes()) for path in files))
        if key not in self._seen:
            self._seen[key] = read_folder(folder)
            if not isinstance(self._seen[key][LIBRARY], bytes):  # the library is not damaged
                Library(folder / LIBRARY).require_writable()
        return self._seen[key]

    @contextmanager
    def copied(self, kind):
        """Copy the files of a kind, since even reading writes a log beside the library."""
        folder = self.folder / f"{next(self._numbers)}"
        shutil.copytree(self.folder / kind, folder, symlinks=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder)

    def before(self, kind):
        """Return the state before an operation."""
        with self.copied(kind) as folder:
            return Done(self.folder / kind, self.read_folder(folder) | {IN_MEMORY: [DELETED_GAME]})

    def do(self, kind, operation, mode=None, at=0):
        """Run an operation with a fault at one call, or from that call on. Raises `LibraryError`, `InBetween`."""
        with self.copied(kind) as folder:
            place, done = ProgramFiles(folder), Done(folder)
            place.library.deleted_games.append(DELETED_GAME)
            with self.faults.on(mode, at):
                try:
                    done.result = operation(place)
                except Exception as error:  # noqa: BLE001  it is judged later
                    done.error, done.text = type(error), str(error)
            if any(path.startswith(str(folder)) for path in open_files()):
                raise InBetween("a file stays open, with all its locks")
            done.state = self.read_folder(folder) | {IN_MEMORY: list(place.library.deleted_games)}
            return done


@pytest.fixture(scope="module")
def runner(in_memory):
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(dir=in_memory)))
        stack.enter_context(patch("saves.library.library.now", lambda *_: NOW))
        for module in ("sqlite.database", "library.recovery"):
            stack.enter_context(patch(f"saves.{module}.PATIENCE", 0.0))
        stack.enter_context(patch("tempfile.tempdir", str(folder)))  # what remains is deleted with the folder
        prepare(folder)
        gallery.entries()
        yield OperationRunner(folder, stack.enter_context(faulty()))


def inject_faults(runner, share, seed=1, operations=OPERATIONS, modes=FAILURE_MODES):
    """Run every operation with a fault at each call, or at `share` random calls of each operation."""
    report, random = Report(), Random(seed)
    for name, (kind, operation) in operations.items():
        runner.do(kind, operation)  # so that cached results exist
        after = runner.do(kind, operation)
        report.calls += sum(runner.faults.calls.values())
        faults = [
            (mode, at)
            for mode in modes
            for at in range(seed % mode.every, runner.faults.count_affected(mode), mode.every)
        ]
        before = runner.before(kind)
        for mode, at in faults if share is None else random.sample(faults, min(share, len(faults))):
            report.faults += 1
            try:
                done = runner.do(kind, operation, mode, at)
                report.refused += done.error is not None
                report.not_reached[name] += not runner.faults.failed_calls
                done.check(before, after, runner.faults.failed_calls)
            except (InBetween, Unreported, LibraryError) as error:
                found = report.findings[Unreported if isinstance(error, Unreported) else InBetween]
                found.append(f"{name}, {mode.name} at {at} {runner.faults.failed_calls[:1]}: {error}")
            report.failed_calls.update(call for call, _ in runner.faults.failed_calls)
    return report


@pytest.mark.long
@pytest.mark.parametrize("share", [5, pytest.param(None, marks=pytest.mark.campaign(minutes=6))])
def test_after_any_fault_all_files_are_as_before_or_after_the_operation(runner, report_line, share):
    report = inject_faults(runner, share)
    between, unreported = report.findings.values()
    report_line(
        f"{report.faults:,} faults at {report.calls:,} calls of {len(OPERATIONS)} operations, "
        f"{report.refused:,} refused: {len(between)} between before and after, {len(unreported)} unreported"
    )
    assert (between[:20], unreported[:20]) == ([], [])
    assert report.failed_calls.keys() >= {"file", "sqlite"}
    assert report.not_reached.total() <= 1 + report.faults // 1000, +report.not_reached


def test_faults_reach_the_system_calls_of_sqlite(runner):
    if not runner.faults.below:
        pytest.skip("no faults below sqlite3: this Python hides SQLite's functions, or passes parameters differently")
    runner.do(*OPERATIONS["save"])
    assert {"open", "pread64", "pwrite64", "sync", "fcntl", "unlink", "ftruncate", "mmap"} <= {
        name for kind, name in runner.faults.calls if kind == "system"
    }


def test_faults_reach_our_own_calls(runner):
    made = set()
    for operation in ("change", "back up", "set first", "export over"):
        runner.do(*OPERATIONS[operation])
        made |= {call for call in runner.faults.calls if call[0] != "system"}
    of_sqlite = ("connect", "execute", "executemany", "fetchone", "__next__", "serialize", "close")
    of_files = ("open", "read", "write", "flush", "close")
    of_os = ["stat", "access", "mkdir", "fsync", "replace"]
    if sys.version_info < (3, 13):
        of_os.append("scandir")  # later versions of pathlib keep this function before it can be patched
    assert made >= {("sqlite", name) for name in of_sqlite}
    assert made >= {("file", name) for name in (*of_files, *(f"os.{name}" for name in of_os))}


def rename_and_delete(place):
    place.library.rename("a", "z")
    place.library.delete("b 2")


def write_in_place(place):
    with (place.folder / "in.json").open("w") as file:
        file.write("{}")


def report_nothing(place):
    with suppress(LibraryError):
        place.library.rename("a", "z")


def claim_too_much(place):
    place.library.rename("a", "z")
    place.library.require_writable()


@pytest.mark.parametrize(
    ("operation", "kind", "words"),
    [
        (rename_and_delete, InBetween, "library.sqlite after"),
        (write_in_place, InBetween, "in.json after"),
        (report_nothing, Unreported, "it was not done"),
        (lambda place: place.settings.read_text(), Unreported, "raised <class 'OSError'>"),
        (claim_too_much, Unreported, "something was changed"),
    ],
)
def test_a_careless_operation_is_detected(runner, operation, kind, words):
    found = inject_faults(runner, 40, operations={"careless": ("usual", operation)}, modes=FAILURE_MODES[:1]).findings
    assert any(words in finding for finding in found[kind])


def test_a_file_that_stays_open_is_detected(runner):
    kept = []
    with pytest.raises(InBetween, match="stays open"):
        runner.do("usual", lambda place: kept.append(place.library.path.open("rb")))
    kept[0].close()


@pytest.mark.long
async def test_the_app_reports_a_full_disk_during_a_training(runner, monkeypatch):
    monkeypatch.setattr("lab.training.training_job.SAVE_EVERY", float("inf"))
    app = make_app("hexapawn")
    app.library.keep_game(RECORDS["b2"])
    keep = partial(app.library.save, "a", replace=True)
    full = next(mode for mode in FAILURE_MODES if mode.error == ENOSPC and mode.lasting)
    with ExitStack() as until_the_end:
        async with running(app) as pilot:
            app.train(TrainingJob(Failures(HEXAPAWN, "literal", 1), 10**9, "a", PACES[2], keep))
            await pilot.press("t")
            await until(pilot, lambda: app.job.view.done and isinstance(app.screen, TrainScreen))
            until_the_end.enter_context(runner.faults.on(full))
            await pilot.press("k")
            await until(
                pilot,
                lambda: any("Not saved: " in line and "free some space" in line for line in shown_messages(pilot)),
            )
            await pilot.press("q")
        assert app.trouble.startswith("a was not saved: ")
        assert "free some space" in app.trouble
    assert [entry.name for entry in app.library.entries() if not entry.gallery] == []
