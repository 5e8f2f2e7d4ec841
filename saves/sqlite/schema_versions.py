"""The versions of the library's schema: `schema.sql` creates the first one, and steps lead to the later ones.

The first write to a library of an earlier version copies the library and takes the missing steps, in one transaction.
Until then it is not changed: reading uses a copy in memory, on which the steps were taken.
"""

import sqlite3
from functools import cache
from importlib import resources
from typing import Final

STEPS: Final[tuple[str, ...]] = ()
"""The SQL of each step; the first one makes version 2 of version 1.

A released step never changes. Foreign keys are enforced meanwhile: dropping a table deletes the rows that refer to its
rows. A step that changes what `saves.library.snapshot_rows` reads must keep the digests valid."""


def latest_version() -> int:
    """Return the version of the libraries that this program writes: SQLite's `user_version`."""
    return 1 + len(STEPS)


def schema(version: int) -> str:
    """Return the SQL script that creates the schema of a version."""
    return "\n".join((_first_schema(), *STEPS[: version - 1]))


def upgrade(db: sqlite3.Connection, version: int) -> None:
    """Upgrade a library of this version to the latest version, within the current transaction; 0 is an empty file."""
    statement = ""
    script = "\n".join((_first_schema(), *STEPS)[version:])
    for line in f"{script}\nPRAGMA user_version = {latest_version()};\n".splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):  # `executescript` would commit first
            db.execute(statement).close()
            statement = ""


@cache
def _first_schema() -> str:
    return resources.files("saves.sqlite").joinpath("schema.sql").read_text("utf-8")
