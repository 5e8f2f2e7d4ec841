# ruff: noqa: S608  all SQL here is made of constants
"""Libraries made to hang a program, to fill its memory or to delete saves: refused in bounded time and memory."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from zlib import compress

import numpy as np
import pytest

from engine.game import BadText
from engine.games import GAMES, parse_game
from learners.ntuple.learner import NTuple
from saves.encoding.memory import MAX_BYTES, compress_parameters
from saves.errors import LibraryError
from saves.library.library import Library
from saves.library.recovery import recover
from saves.sqlite.error_codes import message_for
from saves.sqlite.guard import foreign_object, guard
from saves.sqlite.schema_versions import schema
from tests.libraries import recovered, sql
from tests.saves.brains import made_up, same
from tests.saves.forks import say

ROOT = Path(__file__).parents[2]
BRAIN = made_up(parse_game("hexapawn"), 40)
SLOW = "hex(zeroblob(9999999))"
ENDLESS = "WITH RECURSIVE e (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM e)"
SCHEMAS = {
    "recursive view as table": f"""
        ALTER TABLE save RENAME TO other; CREATE VIEW save AS {ENDLESS} SELECT n AS id, n AS name FROM e""",
    "trigger called save": "CREATE TRIGGER save AFTER INSERT ON save BEGIN DELETE FROM save; END",
    "trigger on deletion": f"CREATE TRIGGER t BEFORE DELETE ON save BEGIN {ENDLESS} SELECT * FROM e; END",
    "generated column": f"ALTER TABLE save ADD COLUMN more TEXT AS ({SLOW})",
    "index over an expression": f"CREATE INDEX i ON save (length({SLOW}))",
    "table with a check": f"CREATE TABLE t (a CHECK ({SLOW} > 0)); INSERT INTO t VALUES (1)",
    "a schema of megabytes": f"CREATE TABLE t (a TEXT DEFAULT '{'x' * 3_000_000}')",
    "a changed check": """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'seed >= 0', 'seed >= hex(zeroblob(9999999))')
        WHERE name = 'save'""",
    "statistics for the planner": "ANALYZE",
}
"""Statements that turn a good library into an attack, by its kind."""


def attacked(path, edit):
    """A library with two saves, after these statements."""
    library = Library(path)
    for name in ("a", "b"):
        library.save(name, BRAIN)
    library.keep_backup()
    sql(path, f"{edit};")
    return library


@pytest.mark.parametrize("kind", SCHEMAS)
def test_nothing_in_a_foreign_schema_is_run(tmp_path, kind):
    """Every way to use the library is refused, and a recovery takes the saves out of it."""
    library = attacked(tmp_path / "library.sqlite", SCHEMAS[kind])
    before = library.path.read_bytes()
    for attempt in (
        lambda: Library(library.path).load("a"),
        lambda: Library(library.path).delete("a"),
        lambda: Library(library.path).back_up(tmp_path / "copy"),
    ):
        with pytest.raises(LibraryError, match="is damaged") as caught:
            attempt()
        assert len(str(caught.value)) - len(str(library.path)) < 300
        assert str(caught.value).isprintable()
    assert library.path.read_bytes() == before
    recovery = recovered(library.path)
    assert recovery.aside.read_bytes() == before
    assert same(library.load("a"), BRAIN)
    assert same(library.load("b"), BRAIN)


def bomb(path):
    """A network with a hundred checkpoints of 16 MiB each, in two megabytes."""
    library = Library(path)
    library.save("a", NTuple(parse_game("tictactoe"), "small", 5, {"tuples": 4, "length": 4}).snapshot())
    zeros = compress_parameters(np.zeros(MAX_BYTES // 4, np.int32))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM checkpoint")
        db.execute("DELETE FROM parameters")
        stats, generator = db.execute("SELECT stats, generator FROM save").fetchone()
        for rounds in range(1, 120):
            row = (1, rounds, json.dumps({**json.loads(stats), "games": rounds}), generator)
            db.execute("INSERT INTO checkpoint VALUES (?, ?, ?, 1, ?, 'self')", row)
            db.execute("INSERT INTO parameters VALUES (1, ?, ?)", (rounds, zeros))


def larger_bomb(path):
    """A bulk that unpacks to 128 MiB."""
    Library(path).save("a", BRAIN)
    sql(path, "UPDATE save SET bulk = ?", compress(bytes(2**27), 1))


LIMITS = (60, 2**29)
"""Processor seconds and bytes of memory for a process that tries everything, with its imports."""


def try_everything(path):
    """Use a library in every way; print what each raised, and the largest amount of memory in use."""
    library = Library(path)
    for attempt in (
        library.entries,
        library.deleted_entries,
        lambda: library.load("a"),
        library.games.tally,
        lambda: library.games.beaten_opponents(GAMES[0]),
        lambda: library.games.read(library.games.numbers()),
        lambda: library.save("c", BRAIN),
        lambda: library.rename("a", "d"),
        lambda: library.back_up(path.with_name("copy")),
        lambda: recover(path),
    ):
        try:
            attempt()
        except (LibraryError, BadText) as error:
            say(str(error)[:200].replace("\n", " "))
    peak = next(line for line in Path("/proc/self/status").read_text("ascii").splitlines() if line.startswith("VmHWM"))
    say(int(peak.split()[1]) * 1024)  # the peak in getrusage would include that of the process that started this one


PROGRAM = """
import resource, sys
from pathlib import Path
from tests.saves.test_attacks import LIMITS, try_everything
resource.setrlimit(resource.RLIMIT_CPU, (LIMITS[0], LIMITS[0]))
try_everything(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("make", [pytest.param(bomb, marks=pytest.mark.long), larger_bomb])
def test_crafted_rows_take_bounded_time_and_memory(tmp_path, make):
    path = tmp_path / "library.sqlite"
    make(path)
    command = [sys.executable, "-c", PROGRAM, str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    *messages, memory = done.stdout.splitlines()
    assert messages, "something was refused"
    assert int(memory) < LIMITS[1]


def test_a_query_that_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr("saves.sqlite.guard.SECONDS", -1.9)
    with closing(sqlite3.connect(":memory:")) as db:
        guard(db, 0)
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            db.execute(f"{ENDLESS} SELECT max(n) FROM e").fetchone()


def test_texts_of_more_than_the_file_are_refused():
    with closing(sqlite3.connect(":memory:")) as db:
        guard(db, 0)
        rows = db.execute(f"{ENDLESS} SELECT printf('%.*c', 100000, 'x') FROM e")
        with pytest.raises(sqlite3.DatabaseError, match="more text than the file"):
            for _ in rows:
                pass


def test_the_schema_is_ours_whatever_its_comments():
    ours = schema(1)
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(ours.replace("-- A learner under a name.", "/* of a person */"))
        assert foreign_object(db, ours) is None
        db.execute("CREATE TABLE mine (a)")
        assert foreign_object(db, ours) == "table 'mine'"
        db.execute("DROP TABLE mine")
        db.execute("DROP TABLE game")
        assert foreign_object(db, ours) == "no table 'game'"


def test_a_query_that_was_ended_is_explained_by_the_file(tmp_path):
    message = message_for(sqlite3.SQLITE_INTERRUPT, tmp_path / "library.sqlite")
    assert "took longer than its size explains; it may have been made to do harm" in message
