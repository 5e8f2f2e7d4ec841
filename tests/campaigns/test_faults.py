"""When any call that reaches a file fails, once or from then on, all files are as before or as after the operation.

The caller gets an error. Faults are injected into calls of the program, of sqlite3, and of SQLite to the system.
"""

import shutil
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

from lab.training.training_job import PACES, TrainingJob
from learners.failures.learner import Failures
from saves import gallery
from saves.errors import LibraryError
from saves.library.library import Library
from tests.campaigns.fault_checks import IN_MEMORY, LIBRARY, Done, InBetween, Unreported, check, read_folder
from tests.campaigns.fault_injection import FAILURE_MODES, faulty
from tests.campaigns.fault_operations import DELETED_GAME, OPERATIONS, prepare
from tests.campaigns.file_operations import HEXAPAWN, RECORDS, ProgramFiles
from tests.tui.piloting import make_app, running, shown_messages, until
from tui.train.screen import TrainScreen

NOW = "2026-02-03T04:05:06.000007+00:00"


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
    """The paths of the open files of this process, if the system lists them."""
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
        files = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
        there = (
            (name, path.is_symlink() or path.read_bytes())
            for name, path in files.items()
            if path.suffix != ".sqlite-shm"
        )
        key = tuple(sorted(there, key=str))
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

    def do(self, kind, operation, mode=None, at=0):
        """Run an operation with a fault at one call, or from that call on. Raises `LibraryError`, `InBetween`."""
        with self.copied(kind) as folder:
            return self._do(folder, operation, mode, at)

    def before(self, kind):
        """The state before an operation."""
        with self.copied(kind) as folder:
            return Done(self.folder / kind, self.read_folder(folder) | {IN_MEMORY: [DELETED_GAME]})

    def _do(self, folder, operation, mode, at):
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
        for module in ("sqlite.database", "recovery.recovery"):
            stack.enter_context(patch(f"saves.{module}.PATIENCE", 0.0))
        stack.enter_context(
            patch("tempfile.tempdir", str(folder))
        )  # so that temporary files that remain are deleted with the folder
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
                check(done, before, after, runner.faults.failed_calls)
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
    assert made >= {
        *(
            ("sqlite", name)
            for name in ("connect", "execute", "executemany", "fetchone", "__next__", "serialize", "close")
        ),
        *(("file", f"os.{name}") for name in ("stat", "access", "mkdir", "fsync", "replace", "scandir")),
        *(("file", name) for name in ("open", "read", "write", "flush", "close")),
    }


def rename_and_delete(place):
    place.library.rename("a", "z")
    place.library.delete("b 2")


def write_in_place(place):
    with (place.folder / "in.json").open("w") as file:
        file.write("{}")


def report_nothing(place):
    with suppress(LibraryError):
        place.library.rename("a", "z")


def raise_a_raw_error(place):
    return place.settings.read_text()


def claim_too_much(place):
    place.library.rename("a", "z")
    place.library.require_writable()


@pytest.mark.parametrize(
    ("operation", "kind", "words"),
    [
        (rename_and_delete, InBetween, "library.sqlite after"),
        (write_in_place, InBetween, "in.json after"),
        (report_nothing, Unreported, "it was not done"),
        (raise_a_raw_error, Unreported, "raised <class 'OSError'>"),
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
async def test_the_app_reports_a_full_disk_during_a_training(runner):
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
