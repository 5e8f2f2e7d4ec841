"""The result codes of SQLite, and their messages for a person."""

import sqlite3
from pathlib import Path
from typing import Final

from saves.paths import path_text

BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
FULL: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
DENIED: Final = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
TEMPORARY: Final = (*BUSY, *FULL, *DENIED)
"""The codes that do not mean that the library is damaged."""
ANOTHER: Final = "choose another library with --library PATH"
RECOVER: Final = "noughts saves recover (V in the Library)"


def code_of(error: sqlite3.Error) -> int:
    """Return the primary result code of an error; 0 if the error comes from Python, not from SQLite."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def message_for(code: int, path: Path) -> str:
    """Return the message for a result code of SQLite, with the path of the library."""
    name = path_text(path)
    if code in BUSY:
        return f"another program is writing {name}: nothing was changed, try again in a moment"
    if code in FULL:
        return (
            f"{name} could not be read or written: the disk is full or failing. "
            "Nothing was changed; free some space and try again"
        )
    if code == sqlite3.SQLITE_INTERRUPT:
        return (
            f"reading {name} took longer than its size explains; it may have been made to do harm. Nothing was "
            f"changed: try again, {ANOTHER}, or let {RECOVER} copy what it holds"
        )
    if code in DENIED:
        return f"{name} or its folder is read-only: nothing was changed. Allow writing, free some space, or {ANOTHER}"
    return (
        f"{name} is damaged, cut off or overwritten. Nothing was changed: "
        f"{RECOVER} takes the newest backup and what can still be read"
    )
