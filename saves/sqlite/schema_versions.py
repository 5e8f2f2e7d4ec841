"""Libraries of earlier schema versions: views show them in the current schema, and the first write upgrades them."""

import sqlite3
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

from saves.sqlite.digest import digest_in

VERSION: Final = 6
"""The current schema version, SQLite's `user_version`. `schema.sql` writes it."""

TABLES: Final = ("save", "memory", "checkpoint", "change", "parameters")
"""The tables that have changed since version 1; each refers only to earlier ones."""
VIEW_NAMES: Final = ("remembered", "changed")
"""The views for people, which the program itself does not read."""

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
PARAMETERS: Final = "CREATE TEMP TABLE parameters (save, rounds, numbers)"
SAVE: Final = "CREATE TEMP VIEW save AS SELECT *, {} FROM main.save"
VIEWS: Final = {
    1: (
        SAVE.format("'self' AS opponent, x'' AS bulk, '' AS digest"),
        "CREATE TEMP VIEW memory AS SELECT *, 0 AS times FROM main.memory",
        CHECKPOINT.format(kept=0, opponent="'self'"),
        "CREATE TEMP TABLE change (save, rounds, position, move, number, times)",
        PARAMETERS,
    ),
    2: (SAVE.format("x'' AS bulk, '' AS digest"), KEPT, CHANGE, PARAMETERS),
    3: (SAVE.format("'' AS digest"), KEPT, CHANGE, PARAMETERS),
    4: (SAVE.format("'' AS digest"), PARAMETERS),
    5: (PARAMETERS,),
}
"""For each earlier version, temporary views that hide its tables and show their rows in the current schema."""

LATER_STATS: Final = {"menace": ("gained_first", "gained_second")}
"""The statistics that a learner did not count at first, by learner."""


def with_later_stats(learner: str, stats: Mapping[str, Any]) -> Mapping[str, Any]:
    """Stored statistics, with 0 for those that the learner did not count when they were stored."""
    return {**stats, **{key: 0 for key in LATER_STATS.get(learner, ()) if key not in stats}}


def show_current_schema(db: sqlite3.Connection, version: int) -> None:
    """Let a connection see the tables in the current schema. The file is not changed."""
    for statement in VIEWS.get(version, ()):
        db.execute(statement)


def upgrade(db: sqlite3.Connection, version: int) -> None:
    """Rebuild the tables in the current schema and copy their rows, within the current transaction."""
    show_current_schema(db, version)
    for table in TABLES:
        db.execute(f"CREATE TEMP TABLE seen_{table} AS SELECT * FROM {table}")  # noqa: S608  constants
    for kind, name in db.execute("SELECT type, tbl_name FROM temp.sqlite_schema").fetchall():
        if name in TABLES:
            db.execute(f"DROP {kind} temp.{name}")
    for view in VIEW_NAMES:
        db.execute(f"DROP VIEW IF EXISTS {view}")
    for table in reversed(TABLES):
        db.execute(f"DROP TABLE IF EXISTS {table}")
    _run(db, schema())
    for table in TABLES:
        columns = ", ".join(row["name"] for row in db.execute(f"PRAGMA main.table_info({table})").fetchall())
        db.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM seen_{table}")  # noqa: S608  constants
        db.execute(f"DROP TABLE seen_{table}")
    for (save,) in db.execute("SELECT id FROM save WHERE digest = ''").fetchall():
        db.execute("UPDATE save SET digest = ? WHERE id = ?", (digest_in(db, save), save))


@cache
def schema(version: int = VERSION) -> str:
    """The SQL script that creates an empty library of a version."""
    name = "schema.sql" if version == VERSION else f"schema-{version}.sql"
    return resources.files("saves.sqlite").joinpath(name).read_text("utf-8")


def _run(db: sqlite3.Connection, script: str) -> None:
    """Run a script within the current transaction; `executescript` would commit it first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""
