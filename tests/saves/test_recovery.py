"""A library is recovered while no other program uses it, and the report is correct."""

import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from threading import Thread

import pytest

import saves.library.recovery
from engine.game import Outcome
from engine.games import parse_game
from engine.match import Record
from engine.stop import Stopped
from learners.failures.learner import Failures
from saves import gallery
from saves.errors import LibraryError
from saves.library.library import Library
from saves.library.recovery import is_sound, recover, restore
from saves.settings import change_settings
from tests.libraries import files, own_names, recovered, sql, unchanged
from tests.saves.brains import boxed, made_up, same, train

HEXAPAWN = parse_game("hexapawn")
BRAIN = made_up(HEXAPAWN, 40)
RECORD = Record(HEXAPAWN, ("human", "random"), (), Outcome.DRAW)
PAGE = 4096
IN_THE_WAY = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
db.execute("PRAGMA locking_mode = EXCLUSIVE")
db.execute("BEGIN EXCLUSIVE")
"""


@pytest.fixture
def library(library):
    library.save("a", BRAIN)
    library.save("b", boxed())
    return library


def damage(library):
    """Change a save in a way that only its digest detects."""
    sql(library, "UPDATE memory SET number = number + 1 WHERE save = 1 AND number > 0")


def is_kept_out(library):
    """Whether another program cannot lock the library now."""
    command = [sys.executable, "-c", IN_THE_WAY, library.path]
    return "database is locked" in subprocess.run(command, capture_output=True, text=True, check=False).stderr


def test_reading_in_other_threads_does_not_drop_the_lock(library):
    def look_in_the_middle(snapshot):
        thread = Thread(target=library.entries)
        thread.start()
        thread.join()
        assert is_kept_out(library)
        return snapshot

    library.change("a", look_in_the_middle)


def test_a_library_in_use_is_not_recovered(library, monkeypatch):
    damage(library)
    monkeypatch.setattr(saves.library.recovery, "PATIENCE", 0.1)
    with closing(sqlite3.connect(library.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE save SET name = 'c' WHERE name = 'b'")
        with pytest.raises(LibraryError, match="another program"):
            recover(library.path)
        other.execute("COMMIT")
    assert set(files(library.path)) == {"library.sqlite"}
    assert own_names(library) == ["c", "a"]
    recovered(library.path)


def test_nobody_writes_to_a_library_while_it_is_recovered(library, monkeypatch):
    damage(library)
    refused = []

    def newest_backup(_):
        refused.append(is_kept_out(library))
        return None, None

    monkeypatch.setattr("saves.library.recovery._newest_backup", newest_backup)
    recovered(library.path)
    assert refused == [True]


def test_one_of_two_simultaneous_recoveries_succeeds(library):
    damage(library)
    damaged = library.path.read_bytes()
    done = []
    threads = [Thread(target=lambda: done.append(recover(library.path))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each is None for each in done) == [False, True]
    assert files(library.path)["library-damaged.sqlite"] == damaged


def test_the_log_is_copied_aside_too_also_at_the_second_attempt(library, tmp_path, monkeypatch):
    with closing(sqlite3.connect(library.path, isolation_level=None)) as db:
        db.execute("UPDATE memory SET number = number + 1 WHERE save = 1 AND number > 0")
        before = files(library.path)
    for name in ("library.sqlite", "library.sqlite-wal"):
        (tmp_path / name).write_bytes(before[name])
    monkeypatch.setattr(saves.library.recovery, "is_sound", lambda *_: False)  # a check could change the log
    (tmp_path / "library-damaged.sqlite").write_bytes(library.path.read_bytes())  # left by a recovery that was killed
    recovery = recovered(library.path)
    assert recovery.aside.name == "library-damaged-2.sqlite"
    aside = {name.replace("-damaged-2", ""): data for name, data in files(library.path).items() if "-2" in name}
    assert aside == {name: before[name] for name in ("library.sqlite", "library.sqlite-wal")}
    assert is_sound(library.path)


def test_an_empty_file_cannot_be_recovered(tmp_path):
    (tmp_path / "library.sqlite").touch()
    with pytest.raises(LibraryError, match="is empty"):
        recover(tmp_path / "library.sqlite")


def test_an_empty_file_with_a_backup_is_damaged(library):
    library.keep_backup()
    library.path.write_bytes(b"")
    for use in (library.entries, lambda: library.save("c", BRAIN)):
        with pytest.raises(LibraryError, match="damaged, cut off"):
            use()
    assert library.path.read_bytes() == b""
    assert len(recovered(library.path).saves) == len(own_names(library)) == 2


def test_a_library_behind_a_link_has_the_same_backups(library):
    library.keep_backup()
    library.path.write_bytes(b"not a library")
    link = library.path.with_name("link.sqlite")
    link.symlink_to(library.path)
    assert Library(link).backups.entries() == library.backups.entries() != []
    assert len(recovered(link).saves) == 2


def test_an_unreadable_history_does_not_lose_the_memory(library):
    trained = train(Failures(HEXAPAWN, "literal", 1), 60)
    library.save("trained", trained)
    sql(library, "UPDATE checkpoint SET stats = replace(stats, 'games', 'gamez') WHERE save = 3")
    recovery = recovered(library.path)
    (told,) = (each for each in recovery.saves if each.trouble)
    assert told.trouble.startswith("its checkpoints are lost")
    assert (library.load("trained").memory == trained.memory).all()


def test_a_save_with_an_invalid_name_gets_a_valid_one(library):
    sql(library, "UPDATE save SET name = char(7) || 'a' WHERE name = 'a'")
    recovery = recovered(library.path)
    (told,) = (each for each in recovery.saves if each.trouble)
    assert (told.name, told.trouble.partition(";")[0]) == ("recovered", "its name could not be read")
    assert same(library.load("recovered"), BRAIN)
    library.delete("recovered")


def test_a_save_whose_digest_was_removed_is_reported_as_changed(library):
    sql(library, "UPDATE save SET digest = '' WHERE name = 'a'")
    recovery = recovered(library.path)
    assert {each.name: each.trouble for each in recovery.saves}["a"] == "something in it has changed"
    assert same(library.load("a"), BRAIN)
    assert is_sound(library.path)


@pytest.mark.parametrize("name", ["library.sqlite-wal", "copy-journal", "."])
def test_a_backup_cannot_have_the_name_of_a_log_or_folder(library, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LibraryError):
        library.back_up(type(tmp_path)(name))
    assert gallery.names()
    assert {path.name for path in tmp_path.iterdir()} == {"library.sqlite"}


def test_the_check_for_damage_can_be_stopped(library):
    with unchanged(library.path), pytest.raises(Stopped):
        recover(library.path, lambda: True)
    assert recover(library.path, lambda: False) is None


def zero_page(library, number):
    """Overwrite a page, the first one is 1."""
    sql(library, "SELECT 1")  # leaves no log
    with library.path.open("r+b") as file:
        file.seek((number - 1) * PAGE)
        file.write(bytes(PAGE))


def troubles(recovery):
    return {each.name: each.trouble for each in recovery.saves}


def test_without_the_schema_the_newest_sound_backup_is_all(library):
    library.keep_backup()
    library.save("since", BRAIN)
    library.keep_backup()
    library.backups.entries()[0].path.write_bytes(b"damaged as well")
    zero_page(library, 1)
    recovery = recovered(library.path)
    assert recovery.backup == library.backups.entries()[1].made
    assert all(each.trouble.startswith("as it was in the backup") for each in recovery.saves)
    assert set(troubles(recovery)) == {"a", "b"}
    assert same(library.load("b"), boxed())


def test_what_was_saved_since_the_backup_is_read_by_sql(library):
    library.games.add(RECORD)
    library.keep_backup()
    library.save("a", made_up(HEXAPAWN, 60), replace=True)
    library.rename("b", "c")
    library.save("since", BRAIN)
    library.games.add(RECORD)
    zero_page(library, sql(library, "SELECT rootpage FROM sqlite_schema WHERE name = 'parameters'")[0][0])
    recovery = recovered(library.path)
    assert troubles(recovery) == {"a": "", "c": "", "since": ""}
    assert recovery.games == 2
    assert same(library.load("a"), made_up(HEXAPAWN, 60))
    assert own_names(library) == ["since", "a", "c"]
    assert is_sound(library.path)


def test_a_save_that_has_changed_gives_way_to_the_backup(library):
    library.keep_backup()
    damage(library)
    recovery = recovered(library.path)
    assert [name for name, trouble in troubles(recovery).items() if trouble] == ["a"]
    assert same(library.load("a"), BRAIN)


def test_a_save_whose_time_is_damaged_is_not_added_beside_the_same_in_the_backup(library):
    library.keep_backup()
    damage(library)
    sql(library, "UPDATE save SET created = '2020-01-01T00:00:00+00:00' WHERE name = 'b'")
    recovery = recovered(library.path)
    assert troubles(recovery).keys() == {"a", "b"}
    assert same(library.load("b"), boxed())


def test_one_bad_page_loses_only_the_rows_on_it(library):
    library.games.add(RECORD)
    played = "'2001' || substr(played, 5, 16) || printf('%06d', n) || substr(played, 27)"
    same_again = f"SELECT n, {played}, game, first, second, moves, outcome FROM game, n"  # noqa: S608  constants
    count = "WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < 600)"
    sql(library, f"{count} INSERT INTO game {same_again}; VACUUM")
    leaves = sql(library, "SELECT pageno FROM dbstat WHERE name = 'game' AND pagetype = 'leaf'")
    pages = [page for (page,) in leaves]
    rows = sql(library, "SELECT ncell FROM dbstat WHERE name = 'game' AND pageno IN (?, ?)", *pages[1:4:2])
    for page in pages[1:4:2]:
        zero_page(library, page)
    recovery = recovered(library.path)
    assert recovery.games == 600 - sum(count for (count,) in rows)
    assert len(library.games.numbers()) == recovery.games


def test_a_restored_library_is_that_of_the_backup_and_the_present_one_stays(library):
    library.keep_backup()
    library.delete("a")
    present = library.load("b")
    aside = restore(library.path, library.backups.find("newest").path)
    assert aside is not None
    assert same(library.load("a"), BRAIN)
    assert same(Library(aside).load("b"), present)
    with pytest.raises(LibraryError):
        Library(aside).load("a")


def test_a_damaged_backup_is_not_restored(library):
    library.keep_backup()
    backup = library.backups.entries()[0].path
    backup.write_bytes(backup.read_bytes()[:-PAGE])
    with unchanged(library.path), pytest.raises(LibraryError, match="is damaged"):
        restore(library.path, backup)


def test_the_check_for_damage_does_not_lock_the_folder(library, monkeypatch):
    def look(path, stop):
        change_settings(path.parent / "settings.json", {"theme": "nord"})
        return is_sound(path, stop)

    monkeypatch.setattr(saves.library.recovery, "is_sound", look)
    monkeypatch.setattr("saves.files.sleep", lambda _: pytest.fail("it is waited for"))
    assert recover(library.path) is None


def test_permissions_are_kept(library):
    damage(library)
    library.path.chmod(0o600)
    recovery = recovered(library.path)
    assert {stat.S_IMODE(path.stat().st_mode) for path in (library.path, recovery.aside)} == {0o600}


def test_a_library_replaced_during_a_save_is_reported(library, tmp_path):
    other = tmp_path / "other.sqlite"
    library.back_up(other)

    def replace_it(snapshot):
        other.replace(library.path)
        return snapshot

    with pytest.raises(LibraryError, match="was replaced by another file"):
        library.change("a", replace_it)


def test_a_library_that_is_gone_can_be_restored(library):
    library.keep_backup()
    library.path.unlink()
    assert restore(library.path, library.backups.entries()[0].path) is None
    assert same(library.load("a"), BRAIN)
