"""Files that are not usable libraries: refused in one or two lines, and not changed."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from saves.errors import LibraryError, NoSuchSave
from saves.library import library_file, snapshot_rows
from saves.library.library import Library
from saves.sqlite import database
from tests.saves.brains import same
from tests.saves.refusing import BRAIN, SHIPPED, folder, refuse
from tests.saves.tampering import run_sql, unchanged

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def library(tmp_path):
    """A library with three saves."""
    library = Library(tmp_path / "library.sqlite")
    for name in ("a", "b", "c"):
        library.save(name, BRAIN)
    return library


@pytest.mark.parametrize("data", [b"\0", b"SQLite format 3\0", b"\xff" * 10_000])
def test_a_file_that_is_not_sqlite(tmp_path, data):
    (tmp_path / "library").write_bytes(data)
    refuse(tmp_path / "library", "not a library of Noughts")


@pytest.mark.parametrize("log", [None, "wal"])
def test_a_database_of_another_application(tmp_path, log):
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as db, db:
        if log:
            db.execute(f"PRAGMA journal_mode = {log}")
        db.execute("CREATE TABLE save (name)")
    refuse(path, "not a library of Noughts")


def test_a_file_where_its_folder_should_be(tmp_path):
    (tmp_path / "folder").write_text("")
    library = Library(tmp_path / "folder" / "library.sqlite")
    for attempt in (library.entries, lambda: library.save("a", BRAIN)):
        with pytest.raises(LibraryError, match="cannot be used: "):
            attempt()


def test_an_empty_file_is_an_empty_library_that_the_first_save_fills(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    library.path.touch()
    assert [entry.name for entry in library.entries()] == SHIPPED
    with pytest.raises(NoSuchSave):
        library.load("a")
    assert folder(library.path) == {"library.sqlite": b""}
    library.save("a", BRAIN)
    assert same(library.load("a"), BRAIN)


def test_a_library_cut_off_anywhere(library):
    whole = library.path.read_bytes()
    pages = range(4096, len(whole), 4096)
    assert len(pages) > 4
    for size in (100, 4095, *pages, 4097, len(whole) - 1):
        library.path.write_bytes(whole[:size])
        refuse(library.path, "is damaged, cut off or overwritten")
    library.path.write_bytes(whole)
    assert same(library.load("a"), BRAIN)


@pytest.mark.parametrize(("place", "data"), [(60, bytes(4)), (18, b"\1\1")])
def test_no_schema_is_written_into_a_damaged_library(library, place, data):
    """The header says that there is no version, as in a new file, or no log, as if another tool had turned it off."""
    damaged = bytearray(library.path.read_bytes())
    damaged[place : place + len(data)] = data
    damaged[4096:8192] = b"\xff" * 4096
    library.path.write_bytes(damaged)
    started_again = Library(library.path)  # which has not checked the file yet
    for attempt in (started_again.require_writable, lambda: started_again.save("d", BRAIN)):
        with pytest.raises(LibraryError, match="is damaged"):
            attempt()
        assert folder(library.path) == {"library.sqlite": damaged}


def test_a_write_turns_the_log_on_again(library):
    run_sql(library.path, "PRAGMA journal_mode = DELETE")
    with unchanged(library.path), pytest.raises(LibraryError, match="no save 'nobody'"):
        library.delete("nobody")
    library.save("d", BRAIN)
    assert library.path.read_bytes()[18:20] == b"\2\2"


def test_a_row_that_claims_gigabytes(library):
    damaged = bytearray(library.path.read_bytes())
    first = int.from_bytes(damaged[108:110])
    damaged[first : first + 5] = b"\x8f\xff\xff\xff\x7f"
    library.path.write_bytes(damaged)
    refuse(library.path, "is damaged")


def test_damage_is_detected_while_the_program_runs(library):
    whole = bytearray(library.path.read_bytes())
    whole[-4096:] = bytes(4096)
    library.path.write_bytes(whole)
    library._check_due = 0.0  # as if the next check were due
    with pytest.raises(LibraryError, match="is damaged"):
        library.save("d", BRAIN)
    assert library.path.read_bytes() == whole


def test_checks_for_damage_take_a_small_share_of_the_time(library, monkeypatch):
    looked, now = [], 0.0

    def look(*_):
        nonlocal now
        looked.append(now)
        now += 1.0

    monkeypatch.setattr(database, "require_sound", look)
    monkeypatch.setattr(library_file, "monotonic", lambda: now)
    library._check_due = 0.0
    for number in range(30):
        library.save(f"d {number}", BRAIN)
        now += 3.0
    assert len(looked) > 1
    assert all(later - earlier >= 1 / library_file.CHECK_SHARE for earlier, later in pairwise(looked))


def test_a_library_that_another_program_locks(library, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    with closing(sqlite3.connect(library.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LibraryError, match=r"another program.*try again"):
            library.save("d", BRAIN)
        assert same(library.load("a"), BRAIN)
        other.execute("ROLLBACK")
    library.save("d", BRAIN)


def test_an_sqlite_too_old_for_strict_tables(library, monkeypatch):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 9))
    refuse(library.path, r"needs SQLite 3\.37, this Python has")


def test_a_save_that_fails_changes_nothing(library, monkeypatch):
    def fails(*arguments):
        snapshot_rows.insert_save(*arguments)
        raise sqlite3.IntegrityError

    monkeypatch.setattr("saves.library.library.insert_save", fails)
    before = folder(library.path)
    for name in ("d", "a"):
        with pytest.raises(LibraryError):
            library.save(name, BRAIN, replace=True)
    assert folder(library.path) == before
    assert same(library.load("a"), BRAIN)


USE = """
import os, sys
from pathlib import Path
from engine.games import parse_game
from saves import gallery
from saves.errors import LibraryError
from saves.library import library_file, snapshot_rows
from saves.library.library import Library
from tests.saves.brains import made_up, same
library, brain = Library(Path(sys.argv[1])), made_up(parse_game("hexapawn"), 40)
gallery.entries(), same(brain, brain)  # while files of the program and its tests can be read, wherever they lie
if os.geteuid() == 0:  # for whom there is nothing that may not be written
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
for attempt in (lambda: library.save("d", brain), lambda: library.delete("a")):
    try:
        attempt()
    except LibraryError as error:
        print(error)
names = [entry.name for entry in library.entries()]
print(names)
print("a" in names and same(library.load("a"), brain))
"""


@pytest.fixture
def open_folder():
    """A folder that every user of the system can reach and write."""
    with TemporaryDirectory() as name:
        home = Path(name)
        home.chmod(0o777)
        yield home
        home.chmod(0o777)


def use_as_nobody(path):
    command = [sys.executable, "-c", USE, path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.long
@pytest.mark.parametrize("mode", [0o777, 0o555])
def test_a_read_only_library_is_read(open_folder, mode):
    library = Library(open_folder / "library.sqlite")
    for save in ("a", "b", "c"):
        library.save(save, BRAIN)
    library.path.chmod(0o444)
    before = folder(library.path)
    open_folder.chmod(mode)
    *refused, names, equal = use_as_nobody(library.path)
    assert refused == [refused[0]] * 2
    assert "library.sqlite or its folder is read-only: nothing was changed" in refused[0]
    assert (names, equal) == (str(["c", "b", "a", *SHIPPED]), "True")
    assert folder(library.path) == before


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_a_folder_or_pipe_in_its_place(tmp_path, make):
    make(tmp_path / "library.sqlite")
    refuse(tmp_path / "library.sqlite", "is not a file")


def test_a_library_overwritten_somewhere(library):
    """Whatever is overwritten, reading changes nothing, and what can be saved can be read again."""
    whole, random, refused = library.path.read_bytes(), Random(1), 0
    for _ in range(40):
        damaged = bytearray(whole)
        start = random.randrange(100, len(whole))
        length = random.choice((1, 4, 100, 4096))
        damaged[start : start + length] = random.randbytes(len(damaged[start : start + length]))
        library.path.write_bytes(damaged)
        for attempt in (library.entries, lambda: library.load("a"), lambda: library.load("b")):
            try:
                attempt()
            except LibraryError:
                refused += 1
            assert folder(library.path) == {"library.sqlite": damaged}
        started_again = Library(library.path)
        try:
            started_again.save("d", BRAIN)
        except LibraryError:
            assert folder(library.path) == {"library.sqlite": damaged}
        else:
            assert same(library.load("d"), BRAIN)
    assert refused > 24


def test_an_unreadable_library_is_refused(open_folder):
    path = open_folder / "library.sqlite"
    Library(path).save("a", BRAIN)
    path.chmod(0)
    done = subprocess.run([sys.executable, "-c", USE, path], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "cannot be used: Permission denied" in done.stderr.splitlines()[-1]


@pytest.mark.long
def test_no_library_is_created_in_a_read_only_folder(open_folder):
    open_folder.chmod(0o555)
    *refused, names, _ = use_as_nobody(open_folder / "library.sqlite")
    assert "library.sqlite or its folder is read-only: nothing was changed" in refused[0]
    assert names == str(SHIPPED)
    assert not list(open_folder.iterdir())
