"""Protection against libraries that are damaged, or that somebody prepared as an attack."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from saves.errors import Damaged
from saves.sqlite.error_codes import message_for
from saves.sqlite.schema_versions import TABLES

MAX_VALUE_BYTES: Final = 32 * 2**20
"""The size limit of a value to read, in bytes: twice the limit of an uncompressed bulk."""
LISTED: Final = 8
"""SQLite checks tables and views from the last to the first only if there are at most this many."""

DROPS: Final = """SELECT printf('DROP VIEW main."%w"', name) FROM main.sqlite_schema WHERE type = 'view'"""
"""A query for the statements that drop the views. SQLite itself quotes their names, which may not even be text."""


def harden(db: sqlite3.Connection) -> None:
    """Restrict a connection to what a library contains, since the file may come from anyone."""
    db.execute("PRAGMA trusted_schema = OFF")
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    db.set_authorizer(_allowed)


def _allowed(action: int, *names: str | None) -> int:
    """The authorizer of a connection: deny what triggers and unknown views do, since they could run for ever."""
    unknown = names[-1] is not None and names[-1] not in TABLES
    return sqlite3.SQLITE_DENY if unknown or action == sqlite3.SQLITE_RECURSIVE else sqlite3.SQLITE_OK


def require_sound(db: sqlite3.Connection, path: Path) -> None:
    """Raise `LibraryError` if the library is damaged anywhere, since new data in it might be lost.

    The connection must be in a write transaction.
    """
    sound = passes_integrity_check(db)
    if sound and not _is_table_checked_first(db):
        with _without_views(db):  # only now: the check above also finds damage in the rows that define views
            sound = passes_integrity_check(db)
    if not sound or db.execute("PRAGMA foreign_key_check").fetchone():
        raise Damaged(message_for(sqlite3.SQLITE_CORRUPT, path))


def sound_copy(db: sqlite3.Connection, path: Path) -> bytes:
    """A copy of the library as bytes, checked by `require_sound`.

    The check runs on the copy, through a new connection: the given one may be read-only, and SQLite would not parse
    the schema again in it. Raises `LibraryError`.
    """
    data = db.serialize()
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        harden(copy)
        copy.deserialize(data[:18] + bytes((1, 1)) + data[20:])  # turns off the write-ahead log
        copy.execute("BEGIN")
        require_sound(copy, path)
    return data


def passes_integrity_check(db: sqlite3.Connection) -> bool:
    """Whether SQLite's own check finds no damage. Raises `sqlite3.Error`."""
    return bool(db.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok")


def _is_table_checked_first(db: sqlite3.Connection) -> bool:
    """Whether `integrity_check`, which goes from the last table or view to the first, begins with a table.

    If it begins with a view, SQLite 3.40 does not check the free pages: it takes the root page of the view, 0, for a
    request to check a single table. Then a page that is both free and in use would be overwritten by the next write.
    """
    kinds = db.execute("SELECT type FROM main.sqlite_schema WHERE type IN ('table', 'view') ORDER BY rowid").fetchall()
    return 0 < len(kinds) <= LISTED and kinds[-1][0] == "table"


@contextmanager
def _without_views(db: sqlite3.Connection) -> Iterator[None]:
    """Drop all views for the duration of the block."""
    db.execute("SAVEPOINT without_views")
    try:
        for (drop,) in db.execute(DROPS).fetchall():
            db.execute(drop)
        yield
    finally:
        if db.in_transaction:  # if the disk fails, SQLite itself rolls back the transaction
            db.execute("ROLLBACK TO without_views")
            db.execute("RELEASE without_views")
