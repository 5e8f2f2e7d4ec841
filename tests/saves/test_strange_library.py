"""Libraries that the program never writes: with endless views, no version, another journal mode, huge rows."""

import sqlite3
from contextlib import closing

import pytest

from engine.games import parse_game
from saves.errors import LibraryError
from saves.library.library import Library
from tests.saves.brains import made_up

BRAIN = made_up(parse_game("hexapawn"), 40)
ENDLESS = "(WITH RECURSIVE e (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM e) SELECT n FROM e)"


@pytest.fixture
def library(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    library.save("a", BRAIN)
    return Library(library.path)  # it has not checked the file yet


def refuse(library, *attempts):
    """Expect these operations to be refused as damage, without a change."""
    before = library.path.read_bytes()
    for attempt in attempts:
        with pytest.raises(LibraryError, match="is damaged"):
            attempt()
        assert library.path.read_bytes() == before
        assert [file.name for file in library.path.parent.iterdir()] == ["library.sqlite"]


@pytest.mark.parametrize(
    "sql",
    [
        f"DROP TABLE game; CREATE VIEW game AS SELECT n AS id, n AS game, n AS first, n AS second FROM {ENDLESS}",  # noqa: S608
        "DROP TABLE game; CREATE VIEW game AS SELECT 1 AS id, '' AS game, '' AS first, '' AS second",
    ],
)
def test_an_endless_view_in_place_of_a_table_is_not_run(library, sql):
    with closing(sqlite3.connect(library.path)) as db, db:
        db.executescript(sql)
    refuse(library, library.tally, library.game_numbers)


def test_an_endless_trigger_is_not_run(library):
    with closing(sqlite3.connect(library.path)) as db, db:
        db.executescript(f"CREATE TRIGGER t BEFORE INSERT ON save BEGIN SELECT count(*) FROM {ENDLESS}; END")  # noqa: S608
    refuse(library, lambda: library.save("b", BRAIN))


@pytest.mark.parametrize(("place", "data"), [(60, bytes(4)), (18, b"\1\1")])
def test_no_schema_is_written_into_a_damaged_library(library, place, data):
    """The header says that there is no version, as in a new file, or no log, as if another tool had turned it off."""
    damaged = bytearray(library.path.read_bytes())
    damaged[place : place + len(data)] = data
    damaged[4096:8192] = b"\xff" * 4096
    library.path.write_bytes(damaged)
    refuse(library, library.require_writable, lambda: library.save("b", BRAIN))


def test_a_write_turns_the_log_on_again(library):
    with closing(sqlite3.connect(library.path)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
    before = library.path.read_bytes()
    with pytest.raises(LibraryError, match="no save 'nobody'"):
        library.delete("nobody")
    assert library.path.read_bytes() == before
    library.save("b", BRAIN)
    assert library.path.read_bytes()[18:20] == b"\2\2"


def test_a_row_that_claims_gigabytes(library):
    damaged = bytearray(library.path.read_bytes())
    first = int.from_bytes(damaged[108:110])
    damaged[first : first + 5] = b"\x8f\xff\xff\xff\x7f"
    library.path.write_bytes(damaged)
    refuse(library, library.entries, library.tally, lambda: library.save("b", BRAIN))
