"""The result codes of SQLite, and what they mean to a person."""

import sqlite3
from pathlib import Path
from typing import Final

from saves.paths import shown

BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
FULL: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
DENIED: Final = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
PASSING: Final = (*BUSY, *FULL, *DENIED, sqlite3.SQLITE_INTERRUPT)
"""Those of which the library itself is not the cause."""
ANOTHER: Final = "choose another library with --library PATH"


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 where Python's own layer raised."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def told(code: int, path: Path) -> str:
    """What a result code of SQLite means to a person."""
    name = shown(path)
    if code in BUSY:
        return f"{name} is being written by another program: nothing was changed, try again in a moment"
    if code in FULL:
        return (
            f"{name} could not be read or written: the disk is full or failing. "
            "Nothing was changed; make room and try again"
        )
    if code == sqlite3.SQLITE_INTERRUPT:
        return f"{name} could not be read to the end: nothing was changed, try again"
    if code in DENIED:
        return f"{name} or its folder is read-only: nothing was changed. Allow writing, make room, or {ANOTHER}"
    return (
        f"{name} is damaged, cut off or overwritten, or its disk fails. Nothing was changed: "
        "put back a copy, or try noughts saves recover (s in the Library)"
    )
