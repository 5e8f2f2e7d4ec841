"""Libraries of earlier versions: read as if they were of today, and brought up to date by the first write."""

import sqlite3
from collections.abc import Mapping
from importlib import resources
from typing import Any, Final

from saves.sqlite.digest import digest_in

VERSION: Final = 5
"""Of the schema; `schema.sql` writes it."""

TABLES: Final = ("save", "memory", "checkpoint", "change")
"""Those that have changed since the first version, what refers to another behind it."""

CHECKPOINT: Final = (
    "CREATE TEMP VIEW checkpoint AS "
    "SELECT save, games AS rounds, stats, {kept} AS kept, '[]' AS generator, {opponent} AS opponent "
    "FROM main.checkpoint AS moment"
)
KEPT: Final = CHECKPOINT.format(
    kept="kept", opponent="(SELECT opponent FROM main.save AS of WHERE of.id = moment.save)"
)
CHANGE: Final = (
    "CREATE TEMP VIEW change AS SELECT save, games AS rounds, position, move, number, 0 AS times FROM main.change"
)
SAVE: Final = "CREATE TEMP VIEW save AS SELECT *, {} FROM main.save"
SEEN: Final = {
    1: (
        SAVE.format("'self' AS opponent, x'' AS bulk, '' AS digest"),
        "CREATE TEMP VIEW memory AS SELECT *, 0 AS times FROM main.memory",
        CHECKPOINT.format(kept=0, opponent="'self'"),
        "CREATE TEMP TABLE change (save, rounds, position, move, number, times)",
    ),
    2: (SAVE.format("x'' AS bulk, '' AS digest"), KEPT, CHANGE),
    3: (SAVE.format("'' AS digest"), KEPT, CHANGE),
    4: (SAVE.format("'' AS digest"),),
}
"""For each earlier version, what stands before its tables so that they look like those of today."""

LATER_STATS: Final = {"menace": ("gained_first", "gained_second")}
"""What the first programs of version 2 did not count yet, by learner."""


def with_later_stats(learner: str, stats: Mapping[str, Any]) -> Mapping[str, Any]:
    """Statistics that were kept, with those that their learner did not count at first."""
    return {**stats, **{key: 0 for key in LATER_STATS.get(learner, ()) if key not in stats}}


def look_like_today(db: sqlite3.Connection, version: int) -> None:
    """Let a connection that reads see the tables of today; the file stays as it is."""
    for statement in SEEN.get(version, ()):
        db.execute(statement)


def bring_up_to_date(db: sqlite3.Connection, version: int) -> None:
    """Make the tables anew as they are today, within a transaction that has begun, with what was in them."""
    look_like_today(db, version)
    for table in TABLES:
        db.execute(f"CREATE TEMP TABLE seen_{table} AS SELECT * FROM {table}")  # noqa: S608  our own names
    for kind, name in db.execute("SELECT type, tbl_name FROM temp.sqlite_schema").fetchall():
        if name in TABLES:
            db.execute(f"DROP {kind} temp.{name}")
    for view in ("remembered", "changed"):
        db.execute(f"DROP VIEW IF EXISTS {view}")
    for table in reversed(TABLES):
        db.execute(f"DROP TABLE IF EXISTS {table}")
    _run(db, schema())
    for table in TABLES:
        columns = ", ".join(row["name"] for row in db.execute(f"PRAGMA main.table_info({table})"))
        db.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM seen_{table}")  # noqa: S608  likewise
        db.execute(f"DROP TABLE seen_{table}")
    for (save,) in db.execute("SELECT id FROM save WHERE digest = ''").fetchall():
        db.execute("UPDATE save SET digest = ? WHERE id = ?", (digest_in(db, save), save))


def schema() -> str:
    return resources.files("saves.sqlite").joinpath("schema.sql").read_text("utf-8")


def _run(db: sqlite3.Connection, script: str) -> None:
    """Run a script within the transaction that has begun; `executescript` would end that first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""
