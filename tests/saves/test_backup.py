"""A backup is a consistent copy of the whole library, or it is not made."""

import sqlite3
from contextlib import closing, nullcontext

import pytest

from engine.games import parse_game
from saves.errors import LibraryError
from saves.library.library import Library
from saves.paths import settings_path
from saves.settings import change_settings
from tests.libraries import unchanged
from tests.saves.brains import boxed, made_up, same

DAY = "2026-01-{:02}T12:00:00.000000+00:00"
BRAIN = made_up(parse_game("hexapawn"), 40)


@pytest.fixture
def library(library):
    library.save("a", BRAIN)
    library.save("b", boxed())
    library.delete("a")
    return library


def test_a_backup_holds_everything_and_can_be_used_in_place_of_the_library(library, tmp_path):
    copy = Library(tmp_path / "copy.sqlite")
    library.back_up(copy.path)
    assert same(copy.load("b"), boxed())
    copy.undelete("a")
    assert same(copy.load("a"), BRAIN)
    assert library.path.exists()


def test_a_backup_is_made_in_the_middle_of_what_another_program_writes(library, tmp_path):
    with closing(sqlite3.connect(library.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE save SET name = 'half done'")
        library.back_up(tmp_path / "first")
        other.execute("COMMIT")
        library.back_up(tmp_path / "second")  # while the log still holds it
    assert same(Library(tmp_path / "first").load("b"), boxed())
    assert same(Library(tmp_path / "second").load("half done"), boxed())


@pytest.mark.parametrize("way", ["itself", "link", "one in use"])
def test_a_backup_never_takes_the_place_of_a_library_in_use(library, tmp_path, way):
    target = {"itself": library.path, "link": tmp_path / "link", "one in use": tmp_path / "other.sqlite"}[way]
    if way == "link":
        target.symlink_to(library.path)
    if way == "one in use":
        target.write_bytes(library.path.read_bytes())
        (tmp_path / "other.sqlite-wal").write_bytes(b"what was written last")
    with unchanged(library.path), pytest.raises(LibraryError, match="is a library in use"):
        library.back_up(target, replace=True)


@pytest.fixture
def clock(monkeypatch):
    """Set the time: `clock.append(text)`."""
    times = [DAY.format(1)]
    for module in ("backups", "library.library_file"):
        monkeypatch.setattr(f"saves.{module}.now", lambda: times[-1])
    return times


def test_a_backup_is_kept_after_the_first_change_of_each_day(library, clock):
    calls = []
    library.keep_daily_backups(pytest.fail, lambda work: calls.append(work()))
    library.require_writable()
    assert not calls  # nothing was changed yet
    library.save("c", BRAIN)
    library.save("d", BRAIN)
    assert len(calls) == len(library.backups.entries()) == 1
    assert same(Library(library.backups.entries()[0].path).load("c"), BRAIN)
    other = Library(library.path)  # another program, on the same day
    other.keep_backup(daily=True)
    assert len(library.backups.entries()) == 1
    clock.append(DAY.format(2))
    library.save("e", BRAIN)
    assert [each.name for each in library.backups.entries()] == [
        "2026-01-02T120000.000000Z",
        "2026-01-01T120000.000000Z",
    ]


def test_a_failed_daily_backup_harms_no_change(library):
    library.backups.folder.write_text("in the way")
    told = []
    library.keep_daily_backups(told.append)
    library.save("c", BRAIN)
    assert "the daily backup was not" in told[0]
    assert same(library.load("c"), BRAIN)


def test_the_last_ones_and_those_of_the_last_days_are_kept(library, clock):
    change_settings(settings_path(), {"backups": "2"})
    for number in range(1, 4):
        clock.append(DAY.format(number))
        library.save(f"day {number}", BRAIN)
        library.keep_backup()
    for minute in range(1, 4):
        clock.append(f"2026-01-03T12:0{minute}:00.000000+00:00")
        library.save(f"minute {minute}", BRAIN)
        library.keep_backup()
    kept = [f"{each.made:%d %H:%M}" for each in library.backups.entries()]
    assert kept == ["03 12:03", "03 12:02", "02 12:00"]
    library.keep_backup()  # the same again
    assert len(library.backups.entries()) == 3


@pytest.mark.parametrize(("setting", "refused"), [("0", False), ("-1", True), ("many", True), ("²", True)])
def test_the_setting_is_a_number_and_none_are_made_with_0(library, setting, refused):
    change_settings(settings_path(), {"backups": setting})
    with pytest.raises(LibraryError, match="must be a number") if refused else nullcontext():
        library.keep_backup()
    assert library.backups.entries() == []


def test_an_unwritable_target_is_reported(library, tmp_path):
    (tmp_path / "folder").write_text("")
    with pytest.raises(LibraryError, match="cannot be written"):
        library.back_up(tmp_path / "folder" / "copy")


def test_a_library_that_cannot_be_created_is_noticed_before_long_work(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LibraryError, match=r"cannot be created: nothing can be written in .*file$"):
        Library(tmp_path / "file" / "folder" / "library.sqlite").require_writable()
    Library(tmp_path / "new" / "folder" / "library.sqlite").require_writable()
    assert not (tmp_path / "new").exists()
