"""Libraries of earlier versions: read as if they were of today, and brought up to date by the first write."""

import sqlite3
from importlib import resources
from typing import Final

VERSION: Final = 3
"""Of the schema; `schema.sql` writes it."""

SEEN: Final = {
    1: (
        "CREATE TEMP VIEW save AS SELECT *, 'self' AS opponent, x'' AS bulk FROM main.save",
        "CREATE TEMP VIEW memory AS SELECT *, 0 AS times FROM main.memory",
        "CREATE TEMP VIEW checkpoint AS SELECT *, 0 AS kept FROM main.checkpoint",
        "CREATE TEMP TABLE change (save, games, position, move, number)",
    ),
    2: ("CREATE TEMP VIEW save AS SELECT *, x'' AS bulk FROM main.save",),
}
"""For each earlier version, what stands before its tables so that they look like those of today."""


def look_like_today(db: sqlite3.Connection, version: int) -> None:
    """Let a connection that reads see the tables of today; the file stays as it is."""
    for statement in SEEN.get(version, ()):
        db.execute(statement)


def bring_up_to_date(db: sqlite3.Connection, version: int) -> None:
    """Change the tables to those of today, within a transaction that has begun."""
    if version == 1:
        db.execute("ALTER TABLE save ADD COLUMN opponent TEXT NOT NULL DEFAULT 'self'")
        db.execute("ALTER TABLE checkpoint ADD COLUMN kept INTEGER NOT NULL DEFAULT 0 CHECK (kept IN (0, 1))")
        # a CHECK cannot be altered
        db.execute("CREATE TEMP TABLE numbers AS SELECT * FROM memory")
        db.execute("DROP TABLE memory")
        db.execute("DROP VIEW IF EXISTS remembered")
        _run(db, schema())
        db.execute("INSERT INTO memory (save, position, move, number) SELECT * FROM numbers")
        db.execute("DROP TABLE numbers")
    if version in (1, 2):
        db.execute("ALTER TABLE save ADD COLUMN bulk BLOB NOT NULL DEFAULT x''")
        db.execute(f"PRAGMA user_version = {VERSION}")


def schema() -> str:
    return resources.files("saves").joinpath("schema.sql").read_text("utf-8")


def _run(db: sqlite3.Connection, script: str) -> None:
    """Run a script within the transaction that has begun; `executescript` would end that first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""
