"""When any call that reaches a file fails, once or from then on, all files are as before or as after the action.

The caller gets an error. Faults are put into our own calls, those of sqlite3, and those of SQLite to the system.
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
from tests.campaigns.fault_checks import IN_MEMORY, LIBRARY, Between, Done, Untold, judge, look
from tests.campaigns.fault_injection import WAYS, faulty
from tests.campaigns.fault_operations import DEEDS, DELETED_GAME, prepare
from tests.campaigns.file_operations import HEXAPAWN, RECORDS, Place
from tests.tui.piloting import make_app, running, told, until
from tui.train.screen import TrainScreen

NOW = "2026-02-03T04:05:06.000007+00:00"


@dataclass
class Report:
    faults: int = 0
    calls: int = 0
    refused: int = 0
    missed: Counter = field(default_factory=Counter)
    """How often the call to fail did not occur, by deed: SQLite does not read the same pages each time."""
    struck: Counter = field(default_factory=Counter)
    findings: dict = field(default_factory=lambda: {Between: [], Untold: []})


def open_files():
    """The paths of the open files of this process, if the system lists them."""
    for file in Path("/proc/self/fd").glob("*"):
        with suppress(OSError):
            yield str(file.readlink())


class Ground:
    """Runs each deed on files of its own."""

    def __init__(self, folder, faults) -> None:
        self.folder, self.faults = folder, faults
        self._numbers = count()
        self._seen = {}

    def look(self, folder):
        """The content of a folder, whose library must also be writable. Cached by the bytes of the files."""
        files = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
        there = (
            (name, path.is_symlink() or path.read_bytes())
            for name, path in files.items()
            if path.suffix != ".sqlite-shm"
        )
        key = tuple(sorted(there, key=str))
        if key not in self._seen:
            self._seen[key] = look(folder)
            if not isinstance(self._seen[key][LIBRARY], bytes):  # it is not damaged
                Library(folder / LIBRARY).require_writable()
        return self._seen[key]

    @contextmanager
    def copied(self, kind):
        """A copy of the files of a kind: even reading writes a log beside the library."""
        folder = self.folder / f"{next(self._numbers)}"
        shutil.copytree(self.folder / kind, folder, symlinks=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder)

    def do(self, kind, deed, way=None, at=0):
        """Run a deed with a fault at or from one call; return the result. Raises `LibraryError`, `Between`."""
        with self.copied(kind) as folder:
            return self._do(folder, deed, way, at)

    def before(self, kind):
        """The content before a deed."""
        with self.copied(kind) as folder:
            return Done(self.folder / kind, self.look(folder) | {IN_MEMORY: [DELETED_GAME]})

    def _do(self, folder, deed, way, at):
        place, done = Place(folder), Done(folder)
        place.library.deleted_games.append(DELETED_GAME)
        with self.faults.on(way, at):
            try:
                done.result = deed(place)
            except Exception as error:  # noqa: BLE001  it is judged later
                done.error, done.text = type(error), str(error)
        if any(path.startswith(str(folder)) for path in open_files()):
            raise Between("something stays open, with all locks on it")
        done.state = self.look(folder) | {IN_MEMORY: list(place.library.deleted_games)}
        return done


@pytest.fixture(scope="module")
def ground(in_memory):
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(dir=in_memory)))
        stack.enter_context(patch("saves.library.library.now", lambda *_: NOW))
        for module in ("sqlite.database", "recovery.recovery"):
            stack.enter_context(patch(f"saves.{module}.PATIENCE", 0.0))
        stack.enter_context(
            patch("tempfile.tempdir", str(folder))
        )  # files that could not be removed are deleted with it
        prepare(folder)
        gallery.entries()
        yield Ground(folder, stack.enter_context(faulty()))


def campaign(ground, share, seed=1, deeds=DEEDS, ways=WAYS):
    """Run every deed with a fault at each call, or at a share of them."""
    report, random = Report(), Random(seed)
    for name, (kind, deed) in deeds.items():
        ground.do(kind, deed)  # so that cached results exist
        after = ground.do(kind, deed)
        report.calls += sum(ground.faults.made.values())
        faults = [(way, at) for way in ways for at in range(seed % way.share, ground.faults.concerned(way), way.share)]
        before = ground.before(kind)
        for way, at in faults if share is None else random.sample(faults, min(share, len(faults))):
            report.faults += 1
            try:
                done = ground.do(kind, deed, way, at)
                report.refused += done.error is not None
                report.missed[name] += not ground.faults.struck
                judge(done, before, after, ground.faults.struck)
            except (Between, Untold, LibraryError) as error:
                found = report.findings[Untold if isinstance(error, Untold) else Between]
                found.append(f"{name}, {way.name} at {at} {ground.faults.struck[:1]}: {error}")
            report.struck.update(call for call, _ in ground.faults.struck)
    return report


@pytest.mark.long
@pytest.mark.parametrize("share", [5, pytest.param(None, marks=pytest.mark.campaign(minutes=6))])
def test_after_any_fault_all_files_are_as_before_or_after_the_action(ground, tell, share):
    report = campaign(ground, share)
    between, untold = report.findings.values()
    tell(
        f"{report.faults:,} faults at {report.calls:,} calls of {len(DEEDS)} deeds, {report.refused:,} refused: "
        f"{len(between)} between before and after, {len(untold)} untold"
    )
    assert (between[:20], untold[:20]) == ([], [])
    assert report.struck.keys() >= {"file", "sqlite"}
    assert report.missed.total() <= 1 + report.faults // 1000, +report.missed


def test_faults_reach_the_system_calls_of_sqlite(ground):
    if not ground.faults.below:
        pytest.skip("no faults below sqlite3: this Python hides SQLite's functions, or hands parameters over otherwise")
    ground.do(*DEEDS["save"])
    assert {"open", "pread64", "pwrite64", "sync", "fcntl", "unlink", "ftruncate", "mmap"} <= {
        name for kind, name in ground.faults.made if kind == "system"
    }


def test_faults_reach_our_own_calls(ground):
    made = set()
    for deed in ("change", "bring up to date version 1", "set first", "export over"):
        ground.do(*DEEDS[deed])
        made |= {call for call in ground.faults.made if call[0] != "system"}
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


def tell_nobody(place):
    with suppress(LibraryError):
        place.library.rename("a", "z")


def tell_in_no_words(place):
    return place.settings.read_text()


def tell_too_much(place):
    place.library.rename("a", "z")
    place.library.require_writable()


@pytest.mark.parametrize(
    ("deed", "kind", "words"),
    [
        (rename_and_delete, Between, "library.sqlite after"),
        (write_in_place, Between, "in.json after"),
        (tell_nobody, Untold, "it was not done"),
        (tell_in_no_words, Untold, "raised <class 'OSError'>"),
        (tell_too_much, Untold, "something was changed"),
    ],
)
def test_a_careless_action_is_detected(ground, deed, kind, words):
    found = campaign(ground, 40, deeds={"careless": ("usual", deed)}, ways=WAYS[:1]).findings
    assert any(words in finding for finding in found[kind])


def test_a_file_that_stays_open_is_detected(ground):
    kept = []
    with pytest.raises(Between, match="stays open"):
        ground.do("usual", lambda place: kept.append(place.library.path.open("rb")))
    kept[0].close()


@pytest.mark.long
async def test_the_app_reports_a_full_disk_during_a_training(ground):
    app = make_app("hexapawn")
    app.library.keep_game(RECORDS["b2"])
    keep = partial(app.library.save, "a", replace=True)
    full = next(way for way in WAYS if way.error == ENOSPC and way.lasting)
    with ExitStack() as until_the_end:
        async with running(app) as pilot:
            app.train(TrainingJob(Failures(HEXAPAWN, "literal", 1), 10**9, "a", PACES[2], keep))
            await pilot.press("t")
            await until(pilot, lambda: app.job.view.done and isinstance(app.screen, TrainScreen))
            until_the_end.enter_context(ground.faults.on(full))
            await pilot.press("k")
            await until(pilot, lambda: any("Not saved: " in line and "free some space" in line for line in told(pilot)))
            await pilot.press("q")
        assert app.trouble.startswith("a was not saved: ")
        assert "free some space" in app.trouble
    assert [entry.name for entry in app.library.entries() if not entry.gallery] == []
