"""What was reported as saved is saved: on a full disk, and when two programs save at once."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from engine.games import parse_game
from saves.library.library import Library
from tests.saves import saver
from tests.saves.brains import made_up, same

ROOT = Path(__file__).parent.parent.parent
BRAINS = [made_up(parse_game("hexapawn"), 160, seed) for seed in range(4)]
READY = "ready"


def told(process):
    """The lines that a saver prints until it ends; the last one may be cut off."""
    return [line for line in process.stdout.read().split("\n")[:-1] if line != READY]


def expect_kept(path, names):
    """Expect an undamaged library with each of these saves unchanged."""
    library = Library(path)
    listed = {entry.name for entry in library.entries()}
    assert listed >= set(names)
    for name in names:
        assert same(library.load(name), BRAINS[int(name.rpartition(" ")[2]) % len(BRAINS)])
    if path.exists():
        with closing(sqlite3.connect(path)) as db:
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_two_programs_that_save_at_once_lose_nothing(tmp_path, forks):
    path = tmp_path / "library.sqlite"
    processes = [forks.start(saver.main, path, prefix, 25) for prefix in ("one", "two")]
    library, kept, seen = Library(path), [], 0
    for process in processes:
        assert process.stdout.readline() == READY + "\n"
        for line in process.stdout:
            kept.append(line.removesuffix("\n"))
            listed = len(library.entries())
            assert listed >= seen
            seen = listed
    assert [process.wait() for process in processes] == [0, 0]
    assert len(kept) == 50
    expect_kept(path, kept)


@pytest.mark.parametrize("written", [False, True])
def test_an_unreported_save_of_a_killed_program_may_appear_later_unless_another_was_written(tmp_path, forks, written):
    """It is all in the log, but not in the index of the log, which only the first connection rebuilds."""
    path, beside = tmp_path / "library.sqlite", tmp_path / "beside"
    log = path.with_name("library.sqlite-wal")
    library, kept = Library(path), ["old 0", "old 1"]
    library.save("old 0", BRAINS[0])
    holder = forks.start(saver.hold, path)
    assert holder.stdout.readline() == READY + "\n"
    library.save("old 1", BRAINS[1])
    shutil.copytree(tmp_path, beside, ignore=lambda *_: ["library.sqlite-shm"])
    with closing(sqlite3.connect(beside / path.name)) as db:
        db.execute("SELECT * FROM save").fetchall()
        Library(beside / path.name).save("new 2", BRAINS[2])
        longer = (beside / log.name).read_bytes()
    assert longer.startswith(log.read_bytes())
    with log.open("r+b") as file:
        file.write(longer)
    assert {entry.name for entry in library.entries() if not entry.gallery} == {*kept}
    if written:
        library.save("old 3", BRAINS[3])
    holder.kill()
    assert holder.wait() == -9
    kept.append("old 3" if written else "new 2")
    expect_kept(path, kept)
    assert {entry.name for entry in library.entries() if not entry.gallery} == {*kept}


@pytest.mark.parametrize(("begun", "limit"), [(False, 1), (False, 50_000), (True, 0), (True, 20_000)])
def test_on_a_full_disk_a_save_is_kept_or_refused(tmp_path, forks, begun, limit):
    path = tmp_path / "library.sqlite"
    if begun:
        Library(path).save("old 0", BRAINS[0])
    before = path.read_bytes() if begun else None
    process = forks.start(saver.main, path, "new", 20, limit)
    *kept, message = told(process)
    assert process.wait() == 3
    assert "the disk is full or failing. Nothing was changed" in message
    if begun and not kept:
        assert path.read_bytes() == before
    expect_kept(path, [*kept, "old 0"] if begun else kept)
    Library(path).save("later 0", BRAINS[0])
    expect_kept(path, [*kept, "later 0"])


def test_on_a_full_disk_a_library_is_still_read(tmp_path):
    path = tmp_path / "library.sqlite"
    Library(path).save("old 0", BRAINS[0])
    before = path.read_bytes()
    code = (
        "import resource, sys; from pathlib import Path; from saves.library.library import Library;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); library = Library(Path(sys.argv[1]));"
        "assert library.entries()[0].name == 'old 0'; assert library.load('old 0').stats['entries'] == 160"
    )
    subprocess.run([sys.executable, "-c", code, path], cwd=ROOT, check=True)
    assert path.read_bytes() == before
    Library(path).save("later 0", BRAINS[0])
    expect_kept(path, ["old 0", "later 0"])
    assert list(tmp_path.iterdir()) == [path]
