"""The SQLite file of a library: one connection and one transaction at a time, every fault told in words.

A file that is no library of ours is refused by its first bytes, before SQLite opens it, so nothing ever changes it.
A library is in write-ahead mode: readers and one writer work side by side, and a writer that is killed loses only what
it had not committed. One of an earlier version is read without a change; the first write brings it up to date.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from stat import S_ISREG
from typing import Final

from saves.errors import LibraryError
from saves.paths import shown
from saves.versions import VERSION, bring_up_to_date, look_like_today, schema

APPLICATION: Final = 0x6E6F_7567
"""Stands in the header of every library; `schema.sql` writes it."""
PATIENCE: Final = 10.0
"""Seconds to wait while another program writes."""
OLDEST_SQLITE: Final = (3, 37)
"""The first with strict tables."""

MAGIC: Final = b"SQLite format 3\0"
VERSION_AT: Final = slice(60, 64)
APPLICATION_AT: Final = slice(68, 72)
HEADER_SIZE: Final = 100
"""The header of an SQLite file, numbers big-endian (https://www.sqlite.org/fileformat.html, section 1.3)."""
LOGS: Final = ("-wal", "-journal")
"""Files beside a library whose content belongs to it, most of all after a crash."""

BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
FULL: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
DENIED: Final = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
ANOTHER: Final = "choose another library with --library PATH"


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A library in a transaction that reads; an empty one where there is none yet. Raises `LibraryError`."""
    with _in_words(path), closing(_open_to_read(path) if _is_library(path) else _empty_library()) as db:
        yield db


@contextmanager
def writing(path: Path, *, create: bool = False) -> Iterator[sqlite3.Connection]:
    """A library in a transaction that writes, kept when the block ends well. Raises `LibraryError`.

    Where there is none yet, it is created; or else, unless `create`, an empty one is given that leaves no trace.
    """
    with _in_words(path):
        there = _is_library(path)
        if there and not _writable(path):
            raise LibraryError(_told(sqlite3.SQLITE_READONLY, path))
        if not there and not create:
            with closing(_empty_library()) as db:
                yield db
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(_connect(path, "mode=rwc")) as db:
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA synchronous = FULL")
            if not _version(db, path):
                db.executescript(f"BEGIN EXCLUSIVE; {schema()} COMMIT;")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("BEGIN IMMEDIATE")
            _refuse_cut_off(db, path)
            _refuse_unsound(db, path)
            bring_up_to_date(db, _version(db, path))
            yield db
            db.execute("COMMIT")  # where it is not reached, closing takes everything back


def _is_library(path: Path) -> bool:
    """Whether a library is there: an empty file is none yet. Raises `LibraryError` for anything else."""
    try:
        if not S_ISREG(path.stat().st_mode):
            raise LibraryError(f"{shown(path)} is not a file: {ANOTHER}")
        with path.open("rb") as file:
            header = file.read(HEADER_SIZE)
    except FileNotFoundError:
        return False
    if not header:
        return False
    if not header.startswith(MAGIC) or int.from_bytes(header[APPLICATION_AT]) != APPLICATION:
        raise LibraryError(f"{shown(path)} is no library of Noughts and stays as it is: {ANOTHER}")
    if int.from_bytes(header[VERSION_AT]) > VERSION:
        raise _newer(path)
    return True


def _newer(path: Path) -> LibraryError:
    return LibraryError(
        f"{shown(path)} was written by a newer Noughts and stays as it is: update Noughts, or {ANOTHER}"
    )


def _open_to_read(path: Path) -> sqlite3.Connection:
    """A library in a transaction that reads: also on a full disk, and where nothing may be written."""
    logged = any(_size(path, log) for log in LOGS)
    if _writable(path):
        try:
            return _begin_to_read(path, "mode=rw")
        except sqlite3.Error as error:
            if logged or _code(error) not in (*FULL, *DENIED):
                raise
    return _begin_to_read(path, "mode=ro" if logged else "mode=ro&immutable=1")


def _begin_to_read(path: Path, way: str) -> sqlite3.Connection:
    db = _connect(path, way)
    try:
        db.execute("BEGIN")
        if version := _version(db, path):
            _refuse_cut_off(db, path)
            look_like_today(db, version)
            return db
    except BaseException:
        db.close()
        raise
    db.close()  # whoever began it was killed at that
    return _empty_library()


def _empty_library() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.row_factory = sqlite3.Row
    db.executescript(schema())
    return db


def _connect(path: Path, way: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{way}"
    db = sqlite3.connect(uri, timeout=PATIENCE, isolation_level=None, uri=True)
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA trusted_schema = OFF")  # a library may come from anyone
    return db


def _refuse_cut_off(db: sqlite3.Connection, path: Path) -> None:
    """Raise `LibraryError` for a file that is cut off within its last page, which SQLite would fill with zeros."""
    whole = _pragma(db, "page_count") * _pragma(db, "page_size")
    if path.stat().st_size < whole and not any(_size(path, log) for log in LOGS):
        raise LibraryError(_told(sqlite3.SQLITE_CORRUPT, path))


def _refuse_unsound(db: sqlite3.Connection, path: Path) -> None:
    """Raise `LibraryError` for a damage anywhere: what is written into a damaged library may never be read again."""
    sound = db.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
    if not sound or db.execute("PRAGMA foreign_key_check").fetchone():
        raise LibraryError(_told(sqlite3.SQLITE_CORRUPT, path))


def _version(db: sqlite3.Connection, path: Path) -> int:
    """The version that the transaction sees, 0 for an empty file: the header may be older than the log beside it."""
    version = _pragma(db, "user_version")
    if version > VERSION:
        raise _newer(path)
    return version


def _pragma(db: sqlite3.Connection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK)


def _size(path: Path, log: str) -> int:
    try:
        return path.with_name(path.name + log).stat().st_size
    except FileNotFoundError:
        return 0


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 where Python's own layer raised."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        wanted = ".".join(map(str, OLDEST_SQLITE))
        raise LibraryError(
            f"{shown(path)} needs SQLite {wanted}, this Python has {sqlite3.sqlite_version}: update Python"
        )
    try:
        yield
    except sqlite3.Error as error:
        raise LibraryError(_told(_code(error), path)) from error
    except UnicodeDecodeError as error:  # SQLite's message quotes what it found
        raise LibraryError(_told(sqlite3.SQLITE_CORRUPT, path)) from error
    except OSError as error:
        raise LibraryError(f"{shown(path)} cannot be used: {error.strerror}. Nothing was changed") from error


def _told(code: int, path: Path) -> str:
    """What a result code of SQLite means to a person."""
    name = shown(path)
    if code in BUSY:
        return f"{name} is being written by another program: nothing was changed, try again in a moment"
    if code in FULL:
        return f"{name} could not be written: the disk is full or failing. Nothing was changed; make room and try again"
    if code in DENIED:
        return f"{name} or its folder is read-only: nothing was changed. Allow writing, or {ANOTHER}"
    return (
        f"{name} is damaged, cut off or overwritten. Nothing was changed: "
        "put back a copy of it, or move it away and a new library begins"
    )
