"""What was reported as saved is saved: on a full disk, and after a program was killed."""

import resource
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.games import parse_game
from saves.errors import LibraryError
from saves.library.library import Library
from tests.libraries import own_names, sql
from tests.saves.brains import made_up, same
from tests.saves.forks import Forked, say

BRAINS = [made_up(parse_game("hexapawn"), 160, seed) for seed in range(4)]


def save_until_full(path: Path, count: int, limit: int) -> int:
    """Save again and again, and print each name once it is saved; no file may grow beyond `limit` bytes.

    Returns 3 after a `LibraryError`, whose message is printed.
    """
    library = Library(path)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    for number in range(count):
        try:
            library.save(f"new {number}", BRAINS[number % len(BRAINS)])
        except LibraryError as error:
            say(error)
            return 3
        say(f"new {number}")
    return 0


def hold(path: Path) -> None:
    """Keep a library open until this process is killed."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("SELECT * FROM save").fetchall()
        say("ready")
        signal.pause()


def expect_kept(path, names):
    """Expect an undamaged library with each of these saves unchanged."""
    library = Library(path)
    assert set(own_names(library)) >= set(names)
    for name in names:
        assert same(library.load(name), BRAINS[int(name.rpartition(" ")[2]) % len(BRAINS)])
    if path.exists():
        assert sql(path, "PRAGMA integrity_check") == [("ok",)]
        assert sql(path, "PRAGMA foreign_key_check") == []


@pytest.mark.parametrize("written", [False, True])
def test_an_unreported_save_of_a_killed_program_may_appear_later_unless_another_was_written(tmp_path, written):
    """It is all in the log, but not in the index of the log, which only the first connection rebuilds."""
    path, beside = tmp_path / "library.sqlite", tmp_path / "beside"
    log = path.with_name("library.sqlite-wal")
    library, kept = Library(path), ["old 0", "old 1"]
    library.save("old 0", BRAINS[0])
    holder = Forked(hold, path)
    assert holder.stdout.readline() == "ready\n"
    library.save("old 1", BRAINS[1])
    shutil.copytree(tmp_path, beside, ignore=lambda *_: ["library.sqlite-shm"])
    with closing(sqlite3.connect(beside / path.name)) as db:
        db.execute("SELECT * FROM save").fetchall()
        Library(beside / path.name).save("new 2", BRAINS[2])
        longer = (beside / log.name).read_bytes()
    assert longer.startswith(log.read_bytes())
    with log.open("r+b") as file:
        file.write(longer)
    assert {*own_names(library)} == {*kept}
    if written:
        library.save("old 3", BRAINS[3])
    holder.kill()
    assert holder.wait() == -9
    kept.append("old 3" if written else "new 2")
    expect_kept(path, kept)
    assert {*own_names(library)} == {*kept}


@pytest.mark.parametrize(("begun", "limit"), [(False, 1), (False, 50_000), (True, 0), (True, 20_000)])
def test_on_a_full_disk_a_save_is_kept_or_refused(tmp_path, begun, limit):
    path = tmp_path / "library.sqlite"
    if begun:
        Library(path).save("old 0", BRAINS[0])
    before = path.read_bytes() if begun else None
    process = Forked(save_until_full, path, 20, limit)
    *kept, message = process.stdout.read().splitlines()
    assert process.wait() == 3
    assert "the disk is full or failing. Nothing was changed" in message
    if begun and not kept:
        assert path.read_bytes() == before
    expect_kept(path, [*kept, "old 0"] if begun else kept)
    Library(path).save("later 0", BRAINS[0])
    expect_kept(path, [*kept, "later 0"])


def read_on_full_disk(path: Path) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    library = Library(path)
    assert own_names(library) == ["old 0"]
    assert same(library.load("old 0"), BRAINS[0])


def test_on_a_full_disk_a_library_is_still_read(tmp_path):
    path = tmp_path / "library.sqlite"
    Library(path).save("old 0", BRAINS[0])
    before = path.read_bytes()
    assert Forked(read_on_full_disk, path).wait() == 0
    assert path.read_bytes() == before
    Library(path).save("later 0", BRAINS[0])
    expect_kept(path, ["old 0", "later 0"])
    assert list(tmp_path.iterdir()) == [path]
