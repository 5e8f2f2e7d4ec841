"""Saves edited with another tool are refused in one line if no learner can have made them."""

import re
import sqlite3
from contextlib import closing
from datetime import datetime

import pytest

from engine.games import parse_game
from saves.errors import LibraryError
from saves.library.library import Library
from tests.saves.brains import boxed, made_up, same
from tests.saves.tampering import recovered, run_sql


def refuse_edited(folder, brain, sql):
    """Expect a library with this save, edited by `sql`, to refuse to load it."""
    library = Library(folder / "library.sqlite")
    library.save("a", brain)
    with closing(sqlite3.connect(library.path)) as db, db:
        db.executescript(sql)
    with pytest.raises(LibraryError, match=r"the save 'a' in .* cannot be used: |is damaged") as caught:
        library.load("a")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE save SET settings = '{\"pick\": NaN}'",
        "UPDATE save SET generator = '{}'",
        "UPDATE save SET game = 'tictactoe'",
        "UPDATE save SET updated = 'now', stats = 'x'",
        "UPDATE memory SET number = number + 1",
        "UPDATE memory SET position = 'x' WHERE number = 1",
        "INSERT INTO checkpoint VALUES (1, 1, '{}', 0, '[]', 'self')",
        "DROP VIEW remembered; DROP TABLE memory",
        "ALTER TABLE save RENAME COLUMN learner TO other",
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'CREATE TABLE \x1b[31m' WHERE name = 'memory'",
    ],
)
def test_an_edited_save_is_refused(tmp_path, sql):
    refuse_edited(tmp_path, made_up(parse_game("hexapawn"), 40), sql)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE save SET opponent = 'nobody'",
        "INSERT INTO memory VALUES (1, 'BBB/W../.WW B', 'c3c2', 0, 1)",
        "UPDATE memory SET times = 1000000000000001 WHERE times > 0",
        "UPDATE memory SET number = number + 1",
        "UPDATE change SET number = 2 WHERE number = -1",
        "UPDATE change SET number = 9223372036854775807 WHERE rounds = 1",
        "UPDATE change SET position = 'x' WHERE rounds = 1 AND move = 'b2a1'",
        "INSERT INTO change VALUES (1, 1, 'BBB/.../WWW W', 'a1a2', 1, 0)",
        "DELETE FROM change WHERE rounds = 2",
        "UPDATE checkpoint SET kept = 0 WHERE rounds = 2",
        "DELETE FROM checkpoint WHERE rounds = 1",
        "DROP TABLE change",
    ],
)
def test_an_edited_menace_is_refused(tmp_path, sql):
    refuse_edited(tmp_path, boxed(), sql)


@pytest.mark.parametrize("moment", ["now", "0001-01-01T00:00:00+23:59"])
def test_a_save_with_a_wrong_time_is_reported_and_recovered(tmp_path, moment):
    library = Library(tmp_path / "library.sqlite")
    library.save("a", boxed())
    snapshot = library.load("a")
    run_sql(library.path, "UPDATE save SET updated = ?", moment)
    library.save("b", boxed())
    sound, *_, damaged = (entry for entry in library.entries() if not entry.gallery)
    assert (sound.name, sound.trouble, damaged.name) == ("b", "", "a")
    assert re.search(r"^'.*' is not (a date|between)", damaged.trouble)
    assert len(damaged.trouble) < 300
    library.delete("b")
    recovery = recovered(library.path)
    assert [(each.name, each.trouble) for each in recovery.saves] == [("a", "its date could not be read"), ("b", "")]
    assert library.entries()[0].name == "a"
    assert same(library.load("a"), snapshot)


@pytest.mark.parametrize("column", ["learner", "game", "settings", "stats", "updated", "deleted", "bulk", "digest"])
@pytest.mark.parametrize("value", ["[" * 3000, b"\xff\xfe"])
def test_no_field_of_a_save_hides_the_other_saves(tmp_path, column, value):
    library = Library(tmp_path / "library.sqlite")
    for name in ("a", "b", "c"):
        library.save(name, boxed())
    with closing(sqlite3.connect(library.path)) as db, db:
        kind = "BLOB" if column == "bulk" else "TEXT"
        db.execute(f"UPDATE save SET {column} = CAST(? AS {kind}) WHERE name = 'b'", (value,))  # noqa: S608
        db.execute("UPDATE checkpoint SET stats = '{}' WHERE save = 1")
    listed = library.deleted() + [entry for entry in library.entries() if not entry.gallery]
    assert sorted(entry.name for entry in listed) == ["a", "b", "c"]
    assert not any(entry.trouble for entry in listed if entry.name != "b")
    assert same(library.load("c"), boxed())
    assert all(len(entry.trouble) < 300 for entry in listed)


def test_a_damaged_row_hides_no_other_save(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    for name in ("a", "b", "c"):
        library.save(name, boxed())
    data = library.path.read_bytes()
    header = data.rindex(b"\x13\x00\x0f", 0, data.index(b"bmenace"))  # its size, the NULL of `id`, a text of one letter
    library.path.write_bytes(data[:header] + b"\xff\x7f" + data[header + 2 :])  # larger than the whole row
    listed = {entry.name: entry.trouble for entry in library.entries() if not entry.gallery}
    assert listed == {"a": "", "b": "its row is damaged", "c": ""}


@pytest.mark.parametrize("year", [2, 9999])
def test_a_save_can_be_listed_whatever_the_clock_says(tmp_path, monkeypatch, year):
    class Clock(datetime):
        @classmethod
        def now(cls, zone) -> datetime:
            return datetime(year, 1, 1, 0, 0, 1, tzinfo=zone)

    monkeypatch.setattr("saves.times.datetime", Clock)
    library = Library(tmp_path / "library.sqlite")
    library.save("a", boxed())
    library.save("b", boxed())
    library.delete("b")
    assert [(entry.name, entry.trouble) for entry in library.entries() if not entry.gallery] == [("a", "")]
    assert [(entry.name, entry.trouble) for entry in library.deleted()] == [("b", "")]
