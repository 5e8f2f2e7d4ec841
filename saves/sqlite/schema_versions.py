"""The versions of the library's schema: `schema.sql` creates the first, and steps lead to the later ones.

The first write to a library of an earlier version copies it and takes the missing steps, in one transaction. Until then
it is not changed: whoever reads it gets a copy in memory, for which the steps were taken.
"""

import sqlite3
from functools import cache
from importlib import resources
from typing import Final

STEPS: Final[tuple[str, ...]] = ()
"""The SQL of each step; the first one makes version 2 of version 1.

A released step never changes. Foreign keys are enforced meanwhile: dropping a table deletes the rows that refer to its
rows. A step that changes what `saves.library.snapshot_rows` reads must keep the digests valid.
"""


def latest_version() -> int:
    """Return the version of the libraries that this program writes, SQLite's `user_version`."""
    return 1 + len(STEPS)


def schema(version: int) -> str:
    """Return the SQL script that creates the schema of a version."""
    return "\n".join((_first_schema(), *STEPS[: version - 1]))


def upgrade(db: sqlite3.Connection, version: int) -> None:
    """Turn a library of this version, 0 for an empty file, into one of the latest, within the current transaction."""
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
