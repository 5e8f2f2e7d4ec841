"""A page that is both free and in use is detected before a write, wherever the views are."""

import sqlite3
from contextlib import closing

import pytest

from engine.games import parse_game
from saves.errors import Damaged
from saves.library.library import Library
from saves.library.recovery import is_sound
from tests.saves.brains import made_up

VIEWS = "SELECT name, sql FROM sqlite_schema WHERE type = 'view'"


def freed_though_in_use(path, table):
    """Put the root page of a table into the list of free pages."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript("DELETE FROM memory; PRAGMA journal_mode = DELETE")
        (root,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    data = bytearray(path.read_bytes())
    trunk = (int.from_bytes(data[32:36]) - 1) * size
    assert trunk > 0
    assert int.from_bytes(data[trunk + 4 : trunk + 8]) > 0
    data[trunk + 8 : trunk + 12] = root.to_bytes(4)
    path.write_bytes(data)


def views_last(db):
    """Move the views behind the tables, as `VACUUM` does."""
    for name, sql in db.execute(VIEWS).fetchall():
        db.executescript(f"DROP VIEW {name}; {sql}")


@pytest.mark.parametrize("changed", [lambda _: None, views_last])
@pytest.mark.parametrize("table", ["game", "change"])
def test_a_page_that_is_free_and_in_use_is_found_before_a_write_or_copy(tmp_path, changed, table):
    path = tmp_path / "library.sqlite"
    Library(path).save("a", made_up(parse_game("tictactoe"), 300))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        changed(db)
        views = db.execute(VIEWS).fetchall()
    Library(path).require_writable()
    assert is_sound(path)
    freed_though_in_use(path, table)
    before = path.read_bytes()
    library = Library(path)
    for write in (library.require_writable, lambda: library.delete("a"), lambda: library.back_up(tmp_path / "copy")):
        with pytest.raises(Damaged, match="Nothing was changed"):
            write()
    assert not is_sound(path)
    assert path.read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} == {"library.sqlite"}
    with closing(sqlite3.connect(path)) as db:
        assert db.execute(VIEWS).fetchall() == views


def test_damage_in_the_rows_of_views_is_found(tmp_path):
    path = tmp_path / "library.sqlite"
    Library(path).save("a", made_up(parse_game("tictactoe"), 300))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        views_last(db)
        db.execute("PRAGMA journal_mode = DELETE")
    data = bytearray(path.read_bytes())
    last = 108 + 2 * (int.from_bytes(data[103:105]) - 1)  # the place of the last row of the schema
    data[last - 2 : last], data[last : last + 2] = data[last : last + 2], data[last - 2 : last]
    path.write_bytes(data)
    with pytest.raises(Damaged, match="Nothing was changed"):
        Library(path).require_writable()
    assert path.read_bytes() == data
