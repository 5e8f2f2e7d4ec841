"""Saves edited with another tool are refused in one line if no learner can have made them."""

import re
from datetime import datetime

import pytest

from engine.games import parse_game
from tests.libraries import recovered, sql
from tests.saves.brains import boxed, made_up, same
from tests.saves.refusing import refuse_edited

FAILURES, BOXED = made_up(parse_game("hexapawn"), 40), boxed()
EDITS = {
    "UPDATE save SET settings = '{\"pick\": NaN}'": FAILURES,
    "UPDATE save SET generator = '{}'": FAILURES,
    "UPDATE save SET game = 'tictactoe'": FAILURES,
    "UPDATE save SET updated = 'now', stats = 'x'": FAILURES,
    "UPDATE memory SET number = number + 1 WHERE number > 0": FAILURES,
    "UPDATE memory SET position = 'x' WHERE number = 1": FAILURES,
    "INSERT INTO checkpoint VALUES (1, 1, '{}', 0, '[]', 'self')": FAILURES,
    "DROP VIEW remembered; DROP TABLE memory": FAILURES,
    "ALTER TABLE save RENAME COLUMN learner TO other": FAILURES,
    "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'CREATE \x1b[31m' WHERE name = 'memory'": FAILURES,
    "UPDATE save SET opponent = 'nobody'": BOXED,
    "INSERT INTO memory VALUES (1, 'BBB/W../.WW B', 'c3c2', 0, 1)": BOXED,
    "UPDATE memory SET times = 1000000000000001 WHERE times > 0": BOXED,
    "UPDATE memory SET number = number + 1": BOXED,
    "UPDATE change SET number = 2 WHERE number = -1": BOXED,
    "UPDATE change SET number = 9223372036854775807 WHERE rounds = 1": BOXED,
    "UPDATE change SET position = 'x' WHERE rounds = 1 AND move = 'b2a1'": BOXED,
    "INSERT INTO change VALUES (1, 1, 'BBB/.../WWW W', 'a1a2', 1, 0)": BOXED,
    "DELETE FROM change WHERE rounds = 2": BOXED,
    "UPDATE checkpoint SET kept = 0 WHERE rounds = 2": BOXED,
    "DELETE FROM checkpoint WHERE rounds = 1": BOXED,
    "DROP TABLE change": BOXED,
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_save_is_refused(library, edit):
    library.save("a", EDITS[edit])
    refuse_edited(library, edit)


@pytest.mark.parametrize("moment", ["now", "0001-01-01T00:00:00+23:59"])
def test_a_save_with_a_wrong_time_is_reported_and_recovered(library, moment):
    library.save("a", BOXED)
    sql(library, "UPDATE save SET updated = ?", moment)
    library.save("b", BOXED)
    sound, *_, damaged = (entry for entry in library.entries() if not entry.gallery)
    assert (sound.name, sound.trouble, damaged.name) == ("b", "", "a")
    assert re.search(r"^'.*' is not (a date|between)", damaged.trouble)
    assert len(damaged.trouble) < 300
    library.delete("b")
    recovery = recovered(library.path)
    assert [(each.name, each.trouble) for each in recovery.saves] == [("a", "its date could not be read"), ("b", "")]
    assert library.entries()[0].name == "a"
    assert same(library.load("a"), BOXED)


@pytest.mark.parametrize("column", ["learner", "game", "settings", "stats", "updated", "deleted", "bulk", "digest"])
@pytest.mark.parametrize("value", ["[" * 3000, b"\xff\xfe"])
def test_no_field_of_a_save_hides_the_other_saves(library, column, value):
    for name in ("a", "b", "c"):
        library.save(name, BOXED)
    kind = "BLOB" if column == "bulk" else "TEXT"
    sql(library, f"UPDATE save SET {column} = CAST(? AS {kind}) WHERE name = 'b'", value)  # noqa: S608
    sql(library, "UPDATE checkpoint SET stats = '{}' WHERE save = 1")
    listed = library.deleted_entries() + [entry for entry in library.entries() if not entry.gallery]
    assert sorted(entry.name for entry in listed) == ["a", "b", "c"]
    assert not any(entry.trouble for entry in listed if entry.name != "b")
    assert same(library.load("c"), BOXED)
    assert all(len(entry.trouble) < 300 for entry in listed)


def test_a_damaged_row_hides_no_other_save(library):
    for name in ("a", "b", "c"):
        library.save(name, BOXED)
    data = library.path.read_bytes()
    header = data.rindex(b"\x13\x00\x0f", 0, data.index(b"bmenace"))  # its size, the NULL of `id`, a text of one letter
    library.path.write_bytes(data[:header] + b"\xff\x7f" + data[header + 2 :])  # larger than the whole row
    listed = {entry.name: entry.trouble for entry in library.entries() if not entry.gallery}
    assert listed == {"a": "", "b": "its row is damaged", "c": ""}


@pytest.mark.parametrize("year", [2, 9999])
def test_a_save_can_be_listed_whatever_the_clock_says(library, monkeypatch, year):
    class Clock(datetime):
        @classmethod
        def now(cls, zone) -> datetime:
            return datetime(year, 1, 1, 0, 0, 1, tzinfo=zone)

    monkeypatch.setattr("saves.times.datetime", Clock)
    library.save("a", BOXED)
    library.save("b", BOXED)
    library.delete("b")
    assert [(entry.name, entry.trouble) for entry in library.entries() if not entry.gallery] == [("a", "")]
    assert [(entry.name, entry.trouble) for entry in library.deleted_entries()] == [("b", "")]
