"""Saves edited with another tool are refused in one line if no learner can have made them."""

import sqlite3
from contextlib import closing

import pytest

from engine.games import parse_game
from saves.errors import LibraryError
from saves.library.library import Library
from saves.recovery.recovery import recover
from tests.saves.brains import boxed, made_up, same
from tests.saves.old_libraries import write_version


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
        "UPDATE save SET settings = '[]'",
        "UPDATE save SET settings = ''",
        "UPDATE save SET generator = '[0, 0]'",
        "UPDATE save SET generator = '{}'",
        "UPDATE save SET stats = '{}'",
        "UPDATE save SET game = 'chess'",
        "UPDATE save SET game = 'tictactoe'",
        "UPDATE save SET preset = ''",
        "UPDATE save SET updated = 'now', stats = 'x'",
        "UPDATE memory SET number = number + 1",
        "DELETE FROM memory WHERE number = 1",
        "UPDATE memory SET position = 'x' WHERE number = 1",
        "UPDATE memory SET move = 'x' WHERE number = 1",
        "INSERT INTO checkpoint VALUES (1, 1, '{}', 0, '[]', 'self')",
        "DROP VIEW remembered; DROP TABLE memory",
        "ALTER TABLE save RENAME COLUMN learner TO other",
        "ALTER TABLE checkpoint RENAME COLUMN stats TO other",
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'CREATE TABLE \x1b[31m' WHERE name = 'memory'",
    ],
)
def test_an_edited_save_is_refused(tmp_path, sql):
    refuse_edited(tmp_path, made_up(parse_game("hexapawn"), 40), sql)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE save SET opponent = 'nobody'",
        "UPDATE save SET opponent = 'save:[red]'",
        "UPDATE save SET opponent = ''",
        "INSERT INTO memory VALUES (1, 'BBB/W../.WW B', 'c3c2', 0, 1)",
        "UPDATE memory SET times = 1000000000000001 WHERE times > 0",
        "UPDATE memory SET number = number + 1",
        "UPDATE change SET number = 2 WHERE number = -1",
        "UPDATE change SET number = -2 WHERE number = -1",
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


@pytest.mark.parametrize("moment", ["now", "[" * 1000, "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59+00:00"])
def test_a_save_with_a_wrong_time_is_reported_and_recovered(tmp_path, moment):
    library = Library(tmp_path / "library.sqlite")
    library.save("a", boxed())
    snapshot = library.load("a")
    with closing(sqlite3.connect(library.path)) as db, db:
        db.execute("UPDATE save SET updated = ?", (moment,))
    with pytest.raises(LibraryError, match=r"the save 'a' in .* cannot be used: .* is not (a date|between)") as caught:
        library.entries()
    assert len(str(caught.value)) < 300
    recovery = recover(library.path)
    assert recovery is not None
    assert [(each.name, each.trouble) for each in recovery.salvage.saves] == [("a", "its date could not be read")]
    assert library.entries()[0].name == "a"
    assert same(library.load("a"), snapshot)


def test_an_old_library_that_cannot_be_upgraded_is_not_changed(tmp_path):
    path = tmp_path / "library.sqlite"
    write_version(1, path, {"a": made_up(parse_game("hexapawn"), 6)})
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET tbl_name = 'memOry' WHERE name = 'memory'")
    library, before = Library(path), path.read_bytes()
    for attempt in (lambda: library.load("a"), lambda: library.save("b", boxed())):
        with pytest.raises(LibraryError, match="is damaged"):
            attempt()
    assert path.read_bytes() == before
