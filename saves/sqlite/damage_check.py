"""What protects from what a library may hold: of anybody else's making, or damaged."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from saves.errors import Damaged
from saves.sqlite.error_codes import told
from saves.sqlite.schema_versions import TABLES

LONGEST: Final = 32 * 2**20
"""Bytes of the longest value that is read: twice those of the largest population."""
LISTED: Final = 8
"""With so many tables and views SQLite still goes through them from the last to the first."""

DROPS: Final = """SELECT printf('DROP VIEW main."%w"', name) FROM main.sqlite_schema WHERE type = 'view'"""
"""What puts each view away; its name, which may not even be a text, is quoted by SQLite itself."""


def harden(db: sqlite3.Connection) -> None:
    """Let a connection run nothing and read nothing that a library of ours has not: it may come from anyone."""
    db.execute("PRAGMA trusted_schema = OFF")
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    db.set_authorizer(_allowed)


def _allowed(action: int, *names: str | None) -> int:
    """Whether SQLite may do something: nothing for a trigger or view of anybody else, which could go on for ever."""
    strange = names[-1] is not None and names[-1] not in TABLES
    return sqlite3.SQLITE_DENY if strange or action == sqlite3.SQLITE_RECURSIVE else sqlite3.SQLITE_OK


def refuse_unsound(db: sqlite3.Connection, path: Path) -> None:
    """Raise `LibraryError` for a damage anywhere: what is written into a damaged library may never be read again.

    The connection is in a transaction that writes.
    """
    sound = _is_in_order(db)
    if sound and not _is_a_table_first(db):
        with _without_views(db):  # which would also do away with what is wrong with where they stand
            sound = _is_in_order(db)
    if not sound or db.execute("PRAGMA foreign_key_check").fetchone():
        raise Damaged(told(sqlite3.SQLITE_CORRUPT, path))


def refuse_unsound_copy(db: sqlite3.Connection, path: Path) -> bytes:
    """Do so with a copy in memory, which is returned: SQLite looks at a schema just once, and may only read here."""
    data = db.serialize()
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as again:
        harden(again)
        again.deserialize(data[:18] + bytes((1, 1)) + data[20:])  # without a log: there is none in memory
        again.execute("BEGIN")
        refuse_unsound(again, path)
    return data


def _is_in_order(db: sqlite3.Connection) -> bool:
    return bool(db.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok")


def _is_a_table_first(db: sqlite3.Connection) -> bool:
    """Whether SQLite comes to a table before any view, from the last of them to the first.

    SQLite 3.40 leaves the free pages out of its `integrity_check` otherwise: it takes the root page of a view, 0, for
    the sign of a check of one table. A page may be free and in use at once, and what is written next destroys what it
    held.
    """
    kinds = db.execute("SELECT type FROM main.sqlite_schema WHERE type IN ('table', 'view') ORDER BY rowid").fetchall()
    return 0 < len(kinds) <= LISTED and kinds[-1][0] == "table"


@contextmanager
def _without_views(db: sqlite3.Connection) -> Iterator[None]:
    """Put the views away meanwhile."""
    db.execute("SAVEPOINT without_views")
    try:
        for (drop,) in db.execute(DROPS).fetchall():
            db.execute(drop)
        yield
    finally:
        if db.in_transaction:  # SQLite itself takes it back where the disk fails
            db.execute("ROLLBACK TO without_views")
            db.execute("RELEASE without_views")
