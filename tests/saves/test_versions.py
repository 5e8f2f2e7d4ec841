"""The version of the library: a later one is refused; an earlier one is read without a change, and upgraded by a write.

There is one version so far. A second one is made up here, by a step from the first.
"""

import sqlite3
from contextlib import closing
from itertools import count

import pytest

from engine.games import parse_game
from saves.errors import LibraryError, NameTaken
from saves.library.library import Library
from saves.library.recovery import is_sound
from saves.sqlite import database, schema_versions
from tests.campaigns.fault_injection import KILL, faulty
from tests.libraries import own_names, sql, unchanged
from tests.saves.brains import boxed, made_up, same
from tests.saves.forks import Forked

STEP = """
ALTER TABLE save ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
CREATE TABLE note (text TEXT NOT NULL, PRIMARY KEY (text)) STRICT, WITHOUT ROWID;
INSERT INTO note SELECT name FROM save;
"""
HEXAPAWN = parse_game("hexapawn")
CONTENT = {"boxes": boxed(), **{f"b {seed}": made_up(HEXAPAWN, 100 + seed, seed) for seed in range(6)}}
NEW = made_up(HEXAPAWN, 40)


def written_by_version_1(path):
    library = Library(path)
    for name, snapshot in CONTENT.items():
        library.save(name, snapshot)
    return library


@pytest.fixture
def old(tmp_path, monkeypatch):
    """A library of version 1, in a program that writes version 2."""
    library = written_by_version_1(tmp_path / "library.sqlite")
    monkeypatch.setattr(schema_versions, "STEPS", (STEP,))
    return library


def copy_of(library):
    """The only backup."""
    (backup,) = library.backups.entries()
    return backup.path


def version_of(path):
    return sql(path, "PRAGMA user_version")[0][0]


def assert_content(library, *more):
    assert {*own_names(library)} == {*CONTENT, *more}
    for name, snapshot in {**CONTENT, **dict.fromkeys(more, NEW)}.items():
        assert same(library.load(name), snapshot)


def test_an_earlier_one_is_read_without_a_change(old):
    with unchanged(old.path):
        assert_content(old)
        assert is_sound(old.path)
        assert old.player("save:boxes", HEXAPAWN).label == "save:boxes"


def test_the_first_write_copies_and_upgrades_it(old, tmp_path):
    old.save("new", NEW)
    old.rename("new", "newer")
    assert_content(old, "newer")
    assert {row for (row,) in sql(old, "SELECT text FROM note")} == CONTENT.keys()
    assert set(sql(old, "SELECT mood FROM save")) == {("calm",)}
    assert is_sound(old.path)
    assert version_of(copy_of(old)) == 1
    assert_content(Library(copy_of(old)))
    fresh = Library(tmp_path / "fresh.sqlite")
    fresh.save("new", NEW)
    shape = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"
    assert sql(fresh, shape) == sql(old, shape)
    assert version_of(fresh.path) == version_of(old.path) == 2


def test_a_refused_write_does_not_upgrade_it(old):
    with unchanged(old.path), pytest.raises(NameTaken):
        old.save("boxes", NEW)


def test_without_space_for_a_copy_it_is_not_upgraded(old, monkeypatch):
    def full(*_args, **_options):
        raise LibraryError("no room")

    monkeypatch.setattr("saves.backups.write_bytes", full)
    with unchanged(old.path), pytest.raises(LibraryError, match="no room"):
        old.save("new", NEW)


def test_a_damaged_one_is_not_upgraded(old):
    sql(old, "UPDATE memory SET save = 99 WHERE save = 1")
    for attempt in (old.entries, lambda: old.save("new", NEW)):
        with unchanged(old.path), pytest.raises(LibraryError, match="is damaged"):
            attempt()


def test_an_interruption_after_the_upgrade_leaves_the_copy(old, monkeypatch):
    commit = database._commit

    def interrupted(db, path):
        commit(db, path)
        raise KeyboardInterrupt

    monkeypatch.setattr(database, "_commit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        old.save("new", NEW)
    assert version_of(copy_of(old)) == 1
    assert_content(old, "new")


def upgrade_until_killed(path, kill_at):
    """Save in a library of version 1; die at this call that reaches a file."""
    schema_versions.STEPS = (STEP,)
    with faulty() as faults, faults.on(KILL, kill_at):
        Library(path).save("new", NEW)


@pytest.mark.long
def test_a_kill_during_the_upgrade_loses_nothing(tmp_path, monkeypatch):
    whole, versions = written_by_version_1(tmp_path / "whole.sqlite").path.read_bytes(), []
    monkeypatch.setattr(schema_versions, "STEPS", (STEP,))
    for kill_at in count(0, 5):
        library = Library(tmp_path / f"library {kill_at}.sqlite")
        library.path.write_bytes(whole)
        process = Forked(upgrade_until_killed, library.path, kill_at)
        assert process.stderr.read() == ""
        status = process.wait()
        versions.append(version_of(library.path))
        assert_content(library, *() if versions[-1] == 1 else ("new",))
        library.save("later", NEW)
        assert version_of(library.path) == 2
        assert is_sound(library.path)
        if status == 0:
            break
    assert versions[-1] == 2
    assert versions.count(1) > 10


@pytest.mark.parametrize("version", [2, 100, 2**31 - 1])
def test_a_later_one_is_refused_and_not_changed(tmp_path, version):
    library = written_by_version_1(tmp_path / "library.sqlite")
    sql(library, f"PRAGMA user_version = {version}")
    for attempt in (library.entries, lambda: library.save("b", NEW), lambda: library.back_up(tmp_path / "copy")):
        with unchanged(library.path), pytest.raises(LibraryError, match="newer version of Noughts"):
            attempt()


def test_a_later_version_in_the_log_is_recognized(tmp_path):
    """A killed program may have left the new version in the log, and the old one in the file."""
    library = written_by_version_1(tmp_path / "library.sqlite")
    with closing(sqlite3.connect(library.path, isolation_level=None)) as other:
        other.execute("PRAGMA wal_autocheckpoint = 0")
        other.execute("PRAGMA user_version = 2")
        assert library.path.read_bytes()[60:64] == (1).to_bytes(4)
        for attempt in (library.entries, lambda: library.save("new", NEW)):
            with pytest.raises(LibraryError, match="newer version of Noughts"):
                attempt()
