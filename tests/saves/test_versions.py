"""The version of the library: a later one is refused; an earlier one is read without a change, and upgraded by a write.

There is one version so far. A second one is made up here, by a step from the first.
"""

import signal
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from engine.games import parse_game
from saves.errors import LibraryError, NameTaken
from saves.library.library import Library
from saves.library.recovery import is_sound
from saves.sqlite import database, schema_versions
from tests.saves.brains import boxed, made_up, same
from tests.saves.forks import KillAtCall
from tests.saves.tampering import run_sql, unchanged

STEP = """
ALTER TABLE save ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
CREATE TABLE note (text TEXT NOT NULL, PRIMARY KEY (text)) STRICT, WITHOUT ROWID;
INSERT INTO note SELECT name FROM save;
"""
HEXAPAWN = parse_game("hexapawn")
CONTENT = {"boxes": boxed(), **{f"b {seed}": made_up(HEXAPAWN, 100 + seed, seed) for seed in range(6)}}
NEW = made_up(HEXAPAWN, 40)
say = partial(print, flush=True)
TICK = 500
"""Instructions of SQLite's virtual machine between two ticks."""


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
    return run_sql(path, "PRAGMA user_version")[0][0]


def assert_content(library, *more):
    assert {entry.name for entry in library.entries() if not entry.gallery} == {*CONTENT, *more}
    for name, snapshot in {**CONTENT, **dict.fromkeys(more, NEW)}.items():
        assert same(library.load(name), snapshot)


def test_an_earlier_one_is_read_without_a_change(old):
    with unchanged(old.path):
        assert_content(old)
        assert is_sound(old.path)
        assert old.player("save:boxes", HEXAPAWN).label == "save:boxes"
    assert [*old.path.parent.iterdir()] == [old.path]


def test_the_first_write_copies_and_upgrades_it(old, tmp_path):
    old.save("new", NEW)
    old.rename("new", "newer")
    assert_content(old, "newer")
    assert {row for (row,) in run_sql(old.path, "SELECT text FROM note")} == CONTENT.keys()
    assert set(run_sql(old.path, "SELECT mood FROM save")) == {("calm",)}
    assert is_sound(old.path)
    assert version_of(copy_of(old)) == 1
    assert_content(Library(copy_of(old)))
    fresh = Library(tmp_path / "fresh.sqlite")
    fresh.save("new", NEW)
    shape = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"
    assert run_sql(fresh.path, shape) == run_sql(old.path, shape)
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
    run_sql(old.path, "UPDATE memory SET save = 99 WHERE save = 1")
    with unchanged(old.path):
        for attempt in (old.entries, lambda: old.save("new", NEW)):
            with pytest.raises(LibraryError, match="is damaged"):
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


def upgrade_until_killed(path, last):
    """Save in a library of version 1; die at this tick, or print how many there were."""
    tick = KillAtCall(last)

    class Ticking(sqlite3.Connection):
        def __init__(self, *args, **kwargs) -> None:
            super().__init__(*args, **kwargs)
            self.set_progress_handler(tick, TICK)

        def execute(self, *args):
            tick()
            return super().execute(*args)

    connect = sqlite3.connect
    sqlite3.connect = lambda *args, **kwargs: connect(*args, factory=Ticking, **kwargs)
    schema_versions.STEPS = (STEP,)
    Library(Path(path)).save("new", NEW)
    say(tick.calls)


def die_at(forks, path, tick):
    process = forks.start(upgrade_until_killed, path, tick)
    said = process.stdout.read()
    assert process.stderr.read() == ""
    assert process.wait() == (-signal.SIGKILL if tick else 0)
    return int(said or 0)


@pytest.mark.long
def test_a_kill_during_the_upgrade_loses_nothing(tmp_path, forks, monkeypatch):
    kills, whole = 14, written_by_version_1(tmp_path / "whole.sqlite").path.read_bytes()
    (tmp_path / "first.sqlite").write_bytes(whole)
    total, versions = die_at(forks, tmp_path / "first.sqlite", 0), []
    monkeypatch.setattr(schema_versions, "STEPS", (STEP,))
    for kill in range(1, kills + 1):
        library = Library(tmp_path / f"library {kill}.sqlite")
        library.path.write_bytes(whole)
        die_at(forks, library.path, kill * total // kills)
        versions.append(version_of(library.path))
        assert_content(library, *() if versions[-1] == 1 else ("new",))
        library.save("later", NEW)
        assert version_of(library.path) == 2
        assert is_sound(library.path)
    assert versions.count(1) >= kills // 2


@pytest.mark.parametrize("version", [2, 100, 2**31 - 1])
def test_a_later_one_is_refused_and_not_changed(tmp_path, version):
    library = written_by_version_1(tmp_path / "library.sqlite")
    run_sql(library.path, f"PRAGMA user_version = {version}")
    with unchanged(library.path):
        for attempt in (library.entries, lambda: library.save("b", NEW), lambda: library.back_up(tmp_path / "copy")):
            with pytest.raises(LibraryError, match="newer version of Noughts"):
                attempt()
    assert [*tmp_path.iterdir()] == [library.path]


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
