"""Libraries of earlier versions: read without a change, and upgraded by the first write."""

import signal
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from engine.games import parse_game
from saves.errors import LibraryError, NameTaken
from saves.library.library import Library
from saves.recovery.recovery import recover
from saves.sqlite import copies
from saves.sqlite.header import APPLICATION
from saves.sqlite.schema_versions import VERSION
from tests.saves import old_libraries
from tests.saves.brains import boxed, made_up, same
from tests.saves.old_libraries import as_kept, write_version

GAME = parse_game("hexapawn")
BRAIN = made_up(GAME, 40)
CHECKPOINT = {**BRAIN.stats, "games": 1, "draws": 1, "entries": 3}
FIRST = {
    "a": replace(BRAIN, history=(CHECKPOINT,), stats={**BRAIN.stats, "games": 2, "draws": 2}),
    **{f"b {seed}": made_up(GAME, 100 + seed, seed) for seed in range(12)},
}
SECOND = {**FIRST, "boxes": as_kept(boxed())}
OLD = {1: FIRST, 2: SECOND, 3: SECOND, 4: {**FIRST, "boxes": boxed()}, 5: {**FIRST, "boxes": boxed()}}
"""The content of the library of each version."""
NEW = made_up(GAME, 40)


@pytest.fixture(params=OLD)
def version(request):
    return request.param


@pytest.fixture
def old(tmp_path, version):
    path = tmp_path / "library.sqlite"
    write_version(version, path, OLD[version])
    return Library(path)


def copy_of(library, version):
    """The path of the unchanged copy of a library."""
    return library.path.with_stem(f"library-version-{version}")


def query(path, sql):
    with closing(sqlite3.connect(path)) as db:
        return db.execute(sql).fetchall()


def version_of(path):
    return query(path, "PRAGMA user_version")[0][0]


def shape(path):
    """Tables with the types of their columns, views and indexes."""
    columns = query(
        path,
        'SELECT t.type, t.name, t.wr, t.strict, c.cid, c.name, c.type, c."notnull", c.dflt_value, c.pk '
        "FROM pragma_table_list t JOIN pragma_table_info(t.name) c WHERE t.schema = 'main' ORDER BY t.name, c.cid",
    )
    keys = query(
        path,
        'SELECT t.name, k."table", k."from", k."to", k.on_delete '
        'FROM pragma_table_list t JOIN pragma_foreign_key_list(t.name) k ORDER BY t.name, k."from"',
    )
    others = query(path, "SELECT type, name, sql FROM sqlite_schema WHERE type NOT IN ('table') ORDER BY name")
    return columns, keys, others


def test_it_is_read_without_a_change(old, version):
    before = old.path.read_bytes()
    assert {entry.name for entry in old.entries() if not entry.gallery} == OLD[version].keys()
    for name, snapshot in OLD[version].items():
        assert same(old.load(name), snapshot)
    loaded = old.load("a")
    assert (loaded.opponent, loaded.times, loaded.checkpoints, loaded.bulk) == ("self", None, {}, b"")
    assert old.free_name("a") == "a 2"
    assert old.player("save:a", GAME).label == "save:a"
    assert old.path.read_bytes() == before
    assert list(old.path.parent.iterdir()) == [old.path]


def test_the_first_write_upgrades_it(old, version, tmp_path):
    old.save("new", boxed())
    fresh = Library(tmp_path / "fresh.sqlite")
    fresh.save("new", boxed())
    assert shape(old.path) == shape(fresh.path)
    assert query(old.path, "PRAGMA integrity_check") == [("ok",)]
    assert query(old.path, "PRAGMA foreign_key_check") == []
    assert query(old.path, "PRAGMA application_id") == [(APPLICATION,)]
    assert query(old.path, "SELECT count(*) FROM game") == [(1,)]
    assert query(old.path, "SELECT created FROM save WHERE name = 'a'") == [("2026-01-02T03:04:05+00:00",)]
    for name, snapshot in {**OLD[version], "new": boxed()}.items():
        assert same(old.load(name), snapshot)
    assert sorted(tmp_path.glob("library*")) == [copy_of(old, version), old.path]


@pytest.mark.parametrize(
    "write",
    [
        lambda library: library.rename("a", "c"),
        lambda library: library.delete("a"),
        lambda library: library.require_writable(),
    ],
)
def test_any_write_upgrades_it(old, write):
    write(old)
    assert version_of(old.path) == VERSION
    assert same(old.load("b 1"), FIRST["b 1"])


def test_a_refused_write_does_not_upgrade_it(old, version):
    before = old.path.read_bytes()
    with pytest.raises(NameTaken):
        old.save("a", NEW)
    assert old.path.read_bytes() == before
    assert version_of(old.path) == version


def test_it_is_copied_before_the_upgrade(old, version):
    before = old.path.read_bytes()
    old.save("new", NEW)
    copy = Library(copy_of(old, version))
    assert copy.path.read_bytes() == before
    for name, snapshot in OLD[version].items():
        assert same(copy.load(name), snapshot)
    old.save("newer", NEW)
    assert sorted(old.path.parent.iterdir()) == [copy.path, old.path]


def test_a_copy_never_replaces_another(old, version):
    taken = copy_of(old, version)
    taken.write_bytes(b"something else")
    before = old.path.read_bytes()
    with pytest.raises(NameTaken):
        old.save("a", NEW)
    assert sorted(old.path.parent.iterdir()) == [taken, old.path]
    old.save("new", NEW)
    assert taken.read_bytes() == b"something else"
    assert taken.with_stem(f"{taken.stem}-2").read_bytes() == before


def test_an_existing_copy_is_not_made_again(old, version):
    before = old.path.read_bytes()
    copy_of(old, version).write_bytes(before)
    old.save("new", NEW)
    assert sorted(old.path.parent.iterdir()) == [copy_of(old, version), old.path]


def test_without_space_for_a_copy_it_is_not_upgraded(old, monkeypatch):
    def full(*_args, **_options):
        raise LibraryError("no room")

    monkeypatch.setattr(copies, "write_bytes", full)
    before = old.path.read_bytes()
    with pytest.raises(LibraryError, match="no room"):
        old.save("new", NEW)
    assert old.path.read_bytes() == before


def test_what_a_person_added_is_refused_and_a_recovery_leaves_it_out(old, version):
    with closing(sqlite3.connect(old.path)) as db, db:
        db.execute("CREATE VIEW mine AS SELECT count(*) AS total FROM memory")
    for attempt in (old.entries, lambda: old.rename("a", "c")):
        with pytest.raises(LibraryError, match=r"its schema has view 'mine'.*noughts saves recover"):
            attempt()
    recovery = recover(old.path)
    assert recovery is not None
    assert {each.name for each in recovery.salvage.saves if not each.trouble} == OLD[version].keys()
    for name, snapshot in OLD[version].items():
        assert same(old.load(name), snapshot)


def test_a_damaged_one_is_not_upgraded(old):
    with closing(sqlite3.connect(old.path)) as db, db:
        db.execute("UPDATE memory SET save = 99 WHERE save = 1")
    before = old.path.read_bytes()
    with pytest.raises(LibraryError, match="is damaged"):
        old.save("new", NEW)
    assert old.path.read_bytes() == before


def die_at(forks, path, tick):
    """Upgrade in a process that is killed at a tick; with 0, let it survive, and return how many ticks there were."""
    process = forks.start(old_libraries.main, path, tick)
    said = process.stdout.read()
    assert process.stderr.read() == ""
    assert process.wait() == (-signal.SIGKILL if tick else 0)
    return int(said or 0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("version", "kills"),
    [(1, 14), (2, 5), (3, 5), (4, 5), (5, 5), *(pytest.param(version, 30, marks=pytest.mark.long) for version in OLD)],
)
def test_a_kill_during_the_upgrade_loses_nothing(tmp_path, forks, version, kills):
    path = tmp_path / "whole.sqlite"
    write_version(version, path, OLD[version])
    total = die_at(forks, path, 0)
    assert version_of(path) == VERSION
    unfinished = 0
    for kill in range(1, kills + 1):
        library = Library(tmp_path / f"library {kill}.sqlite")
        write_version(version, library.path, OLD[version])
        die_at(forks, library.path, kill * total // kills)
        names = {entry.name for entry in library.entries() if not entry.gallery}
        assert names - {"new"} == OLD[version].keys()
        for name, snapshot in OLD[version].items():
            assert same(library.load(name), snapshot)
        unfinished += version_of(library.path) == version
        library.save("later", NEW)
        assert version_of(library.path) == VERSION
        assert query(library.path, "PRAGMA integrity_check") == [("ok",)]
        for name, snapshot in {**OLD[version], "later": NEW}.items():
            assert same(library.load(name), snapshot)
    assert unfinished >= kills * 5 // 7


def test_two_programs_upgrade_it_at_once(old, forks, version):
    programs = [forks.start(old_libraries.main, old.path, 0) for _ in range(3)]
    said = [program.stderr.read() for program in programs]
    assert sum("NameTaken" in text for text in said) == 2
    assert sorted(program.wait() for program in programs) == [0, 1, 1]
    for name, snapshot in {**OLD[version], "new": NEW}.items():
        assert same(old.load(name), snapshot)
    assert query(old.path, "PRAGMA integrity_check") == [("ok",)]


def test_a_newer_version_in_the_log_is_recognized(old, version):
    """A killed program may have left the new version in the log, and the old one in the file."""
    with closing(sqlite3.connect(old.path, isolation_level=None)) as other:
        other.execute("PRAGMA wal_autocheckpoint = 0")
        other.execute(f"PRAGMA user_version = {VERSION + 1}")
        assert old.path.read_bytes()[60:64] == version.to_bytes(4)
        for attempt in (old.entries, lambda: old.save("new", NEW)):
            with pytest.raises(LibraryError, match="newer version of Noughts"):
                attempt()
