"""Files and logs that are not usable libraries: refused in one or two lines, and not changed."""

import os
import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from struct import pack
from tempfile import TemporaryDirectory

import pytest

from engine.games import parse_game
from saves import gallery
from saves.errors import Damaged, LibraryError, NoSuchSave
from saves.library import library_file, snapshot_rows
from saves.library.library import Library
from saves.library.recovery import is_sound
from saves.sqlite import database
from saves.sqlite.header import page_size_in_log
from tests.libraries import files, recovered, sql, unchanged
from tests.saves.brains import made_up, same
from tests.saves.forks import Forked, say
from tests.saves.refusing import BRAIN, SHIPPED, refuse
from tests.saves.write_ahead_log import resealed


@pytest.fixture
def library(library):
    """A library with three saves."""
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
    assert files(library.path) == {"library.sqlite": b""}
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
        with unchanged(library.path), pytest.raises(LibraryError, match="is damaged"):
            attempt()


def test_a_write_turns_the_log_on_again(library):
    sql(library, "PRAGMA journal_mode = DELETE")
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
    with unchanged(library.path), pytest.raises(LibraryError, match="is damaged"):
        library.save("d", BRAIN)


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
    for name in ("d", "a"):
        with unchanged(library.path), pytest.raises(LibraryError):
            library.save(name, BRAIN, replace=True)
    assert same(library.load("a"), BRAIN)


def use(path):
    library = Library(path)
    gallery.entries(), same(BRAIN, BRAIN)  # while files of the program and its tests can be read, wherever they lie
    if os.geteuid() == 0:  # for whom there is nothing that may not be written
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    for attempt in (lambda: library.save("d", BRAIN), lambda: library.delete("a")):
        try:
            attempt()
        except LibraryError as error:
            say(error)
    names = [entry.name for entry in library.entries()]
    say(names)
    say("a" in names and same(library.load("a"), BRAIN))


@pytest.fixture
def open_folder():
    """A folder that every user of the system can reach and write."""
    with TemporaryDirectory() as name:
        home = Path(name)
        home.chmod(0o777)
        yield home
        home.chmod(0o777)


def use_as_nobody(path):
    nobody = Forked(use, path)
    assert nobody.stderr.read() == ""
    told = nobody.stdout.read().splitlines()
    assert nobody.wait() == 0
    return told


@pytest.mark.long
@pytest.mark.parametrize("mode", [0o777, 0o555])
def test_a_read_only_library_is_read(open_folder, mode):
    library = Library(open_folder / "library.sqlite")
    for save in ("a", "b", "c"):
        library.save(save, BRAIN)
    library.path.chmod(0o444)
    open_folder.chmod(mode)
    with unchanged(library.path):
        *refused, names, equal = use_as_nobody(library.path)
    assert refused == [refused[0]] * 2
    assert "library.sqlite or its folder is read-only: nothing was changed" in refused[0]
    assert (names, equal) == (str(["c", "b", "a", *SHIPPED]), "True")


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_a_folder_or_pipe_in_its_place(tmp_path, make):
    make(tmp_path / "library.sqlite")
    refuse(tmp_path / "library.sqlite", "is not a file")


def test_an_unreadable_library_is_refused(open_folder):
    path = open_folder / "library.sqlite"
    Library(path).save("a", BRAIN)
    path.chmod(0)
    nobody = Forked(use, path)
    assert "cannot be used: Permission denied" in nobody.stderr.read().splitlines()[-1]
    assert nobody.wait() == 1


@pytest.mark.long
def test_no_library_is_created_in_a_read_only_folder(open_folder):
    open_folder.chmod(0o555)
    *refused, names, _ = use_as_nobody(open_folder / "library.sqlite")
    assert "library.sqlite or its folder is read-only: nothing was changed" in refused[0]
    assert names == str(SHIPPED)
    assert not list(open_folder.iterdir())


VIEWS = "SELECT name, sql FROM sqlite_schema WHERE type = 'view'"


def freed_though_in_use(path, table):
    """Put the root page of a table into the list of free pages."""
    sql(path, "DELETE FROM memory; PRAGMA journal_mode = DELETE")
    ((root,),) = sql(path, "SELECT rootpage FROM sqlite_schema WHERE name = ?", table)
    ((size,),) = sql(path, "PRAGMA page_size")
    data = bytearray(path.read_bytes())
    trunk = (int.from_bytes(data[32:36]) - 1) * size
    assert trunk > 0
    assert int.from_bytes(data[trunk + 4 : trunk + 8]) > 0
    data[trunk + 8 : trunk + 12] = root.to_bytes(4)
    path.write_bytes(data)


def views_last(path):
    """Move the views behind the tables, as `VACUUM` does."""
    for name, view in sql(path, VIEWS):
        sql(path, f"DROP VIEW {name}; {view}")


@pytest.mark.parametrize("changed", [lambda _: None, views_last])
@pytest.mark.parametrize("table", ["game", "change"])
def test_a_page_that_is_free_and_in_use_is_found_before_a_write_or_copy(tmp_path, changed, table):
    path = tmp_path / "library.sqlite"
    Library(path).save("a", made_up(parse_game("tictactoe"), 300))
    changed(path)
    views = sql(path, VIEWS)
    Library(path).require_writable()
    assert is_sound(path)
    freed_though_in_use(path, table)
    library = Library(path)
    for write in (library.require_writable, lambda: library.delete("a"), lambda: library.back_up(tmp_path / "copy")):
        with unchanged(path), pytest.raises(Damaged, match="Nothing was changed"):
            write()
    with unchanged(path):
        assert not is_sound(path)
    assert sql(path, VIEWS) == views


def test_damage_in_the_rows_of_views_is_found(tmp_path):
    path = tmp_path / "library.sqlite"
    Library(path).save("a", made_up(parse_game("tictactoe"), 300))
    views_last(path)
    sql(path, "PRAGMA journal_mode = DELETE")
    data = bytearray(path.read_bytes())
    last = 108 + 2 * (int.from_bytes(data[103:105]) - 1)  # the place of the last row of the schema
    data[last - 2 : last], data[last : last + 2] = data[last : last + 2], data[last - 2 : last]
    path.write_bytes(data)
    with unchanged(path), pytest.raises(Damaged, match="Nothing was changed"):
        Library(path).require_writable()


MARK = 0x377F_0682


def write_log(library, log):
    """Put a log beside a library; return what SQLite reads from both, and its page size in bytes."""
    library.path.with_name("library.sqlite-wal").write_bytes(resealed(log))
    with closing(sqlite3.connect(f"{library.path.as_uri()}?mode=ro", uri=True)) as db:
        assert db.execute("SELECT name FROM save").fetchone() == ("a",)
        return tuple(db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))


def refuse_and_recover(library):
    refuse(library.path, "is damaged, cut off or overwritten")
    recovery = recovered(library.path)
    assert {(each.name, each.trouble) for each in recovery.saves} == {("a", ""), ("b", ""), ("c", "")}
    assert same(library.load("a"), BRAIN)


def test_a_log_that_claims_too_many_pages(library):
    first, pages = bytearray(library.path.read_bytes()[:4096]), 900_000_000
    first[28:32] = pages.to_bytes(4)
    log = pack(">8I", MARK, 3_007_000, 4096, 0, 0, 0, 0, 0) + pack(">6I", 1, pages, 0, 0, 0, 0) + first
    assert write_log(library, log) == (pages, 4096)
    refuse_and_recover(library)


def test_a_log_of_pages_of_another_size(library):
    sql(library, "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM; PRAGMA journal_mode = WAL")
    assert page_size_in_log(library.path) is None
    data = library.path.read_bytes()
    pages, first = len(data) // 512, data[:512].ljust(4096, b"\0")
    log = pack(">8I", MARK, 3_007_000, 4096, 0, 0, 0, 0, 0) + pack(">6I", 1, pages, 0, 0, 0, 0) + first
    assert write_log(library, log) == (pages, 512)
    assert page_size_in_log(library.path) == 4096
    refuse_and_recover(library)


def test_a_log_that_sqlite_ignores(library):
    log = library.path.with_name("library.sqlite-wal")
    for data in (b"", bytes(100), b"x" * 100, pack(">4I", MARK, 3_007_000, 4096, 0)):
        log.write_bytes(data)
        assert library.load("a").learner == "failures"
