"""Checks of a library before it is used: whether it is one of Noughts, and not damaged."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from saves.errors import Damaged
from saves.paths import path_text
from saves.sqlite.error_codes import ANOTHER, RECOVER, message_for
from saves.sqlite.guard import foreign_object, guard
from saves.sqlite.schema_versions import latest_version, schema

DAMAGE_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""What `sqlite3` raises for a damaged file."""
FIRST_ROW: Final = 1
LAST_ROW: Final = 2**63 - 1
"""SQLite numbers the rows of our tables from 1; this is its largest number."""
TAIL: Final = 500
"""How many numbers to search after the first damaged page if the last page is damaged, too."""
MAX_RANGES: Final = 20_000
"""How many ranges of a damaged table to try: some seconds."""


def require_our_schema(db: sqlite3.Connection, path: Path, version: int) -> None:
    """Raise `Damaged` unless the schema is exactly that of a library of this version. Call it before any data query."""
    if not 1 <= version <= latest_version():
        raise Damaged(message_for(sqlite3.SQLITE_CORRUPT, path))
    foreign = foreign_object(db, schema(version))
    if foreign is not None:
        raise Damaged(
            f"{path_text(path)} is damaged, or another program changed it: its schema has {foreign}, unlike ours. "
            f"Nothing was changed: {ANOTHER}, or let {RECOVER} copy what it holds"
        )


def require_sound(db: sqlite3.Connection, path: Path) -> None:
    """Raise `LibraryError` if a library in a write transaction is damaged anywhere: new data might be lost."""
    sound = _passes_integrity_check(db)
    if sound and not _is_table_checked_first(db):
        with _without_views(db):  # only now: the check above also finds damage in the rows that define views
            sound = _passes_integrity_check(db)
    if not sound or db.execute("PRAGMA foreign_key_check").fetchone():
        raise Damaged(message_for(sqlite3.SQLITE_CORRUPT, path))


def sound_copy(db: sqlite3.Connection, path: Path) -> bytes:
    """Return a copy of the library as bytes, checked by `require_sound`. Raises `LibraryError`.

    The check runs on the copy, through a new connection: `db` may be read-only, and SQLite would not parse the schema
    again in it. `db` may be in a write transaction, for which `Connection.backup` would wait for ever.
    """
    with closing(in_memory(db.serialize())) as copy:
        copy.execute("BEGIN")
        require_sound(copy, path)
        copy.execute("ROLLBACK")
        return copy.serialize()


def in_memory(data: bytes) -> sqlite3.Connection:
    """Return a library in memory with the bytes of a file as its content, guarded as the file would be."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    try:
        guard(db, len(data))
        db.deserialize(data[:18] + bytes((1, 1)) + data[20:])  # turns off the write-ahead log
    except BaseException:
        db.close()
        raise
    return db


def _passes_integrity_check(db: sqlite3.Connection) -> bool:
    return bool(db.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok")


def _is_table_checked_first(db: sqlite3.Connection) -> bool:
    """Return whether `integrity_check`, which goes from the last table or view to the first, begins with a table.

    If it begins with a view, as after `VACUUM`, SQLite 3.40 does not check the free pages: it takes the root page of
    the view, 0, for a request to check a single table. Then the next write would overwrite a page that is both free and
    in use.
    """
    query = "SELECT type FROM main.sqlite_schema WHERE type IN ('table', 'view') ORDER BY rowid DESC LIMIT 1"
    return bool(db.execute(query).fetchone()[0] == "table")


@contextmanager
def _without_views(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("SAVEPOINT without_views")
    try:
        for (view,) in db.execute("SELECT name FROM main.sqlite_schema WHERE type = 'view'").fetchall():
            db.execute(f'DROP VIEW main."{view}"')
        yield
    finally:
        if db.in_transaction:  # if the disk fails, SQLite itself rolls back the transaction
            db.execute("ROLLBACK TO without_views")
            db.execute("RELEASE without_views")


def readable_rows(db: sqlite3.Connection, table: str, *order: str, columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a damaged table, except those on damaged pages; some rows may come twice.

    `order` is the table's primary key, whose first column is a number from 1, and also the first of `columns`. A range
    of such numbers is read from both ends up to the first damaged page; the rest between them is halved, until each
    half can be read, or has one number.
    """
    select = f"SELECT {columns} FROM {table} WHERE {order[0]} BETWEEN ? AND ? ORDER BY "  # noqa: S608  constants
    upwards, downwards = select + ", ".join(order), select + ", ".join(f"{each} DESC" for each in order)
    ranges = [(FIRST_ROW, LAST_ROW)]
    for _ in range(MAX_RANGES):
        if not ranges:
            return
        low, high = ranges.pop()
        below, above, is_whole = low - 1, high + 1, False
        with suppress(*DAMAGE_ERRORS), closing(db.execute(upwards, (low, high))) as rows:
            for row in rows:
                below = row[0]
                yield tuple(row)
            is_whole = True
        if is_whole:
            continue
        with suppress(*DAMAGE_ERRORS), closing(db.execute(downwards, (low, high))) as rows:
            for row in rows:
                above = row[0]
                yield tuple(row)
        if low == high or type(below) is not int or type(above) is not int:
            continue
        first, last = below + 1, min(high, below + TAIL) if above > high else above - 1
        middle = (first + last) // 2
        for start, end in ((middle + 1, last), (first, middle), (below, below), (above, above)):
            if low <= start <= end <= high and (start, end) != (low, high):
                ranges.append((start, end))
