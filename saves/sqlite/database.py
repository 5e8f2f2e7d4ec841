"""The SQLite file of a library: one connection and one transaction at a time, every fault told in words.

A file that is no library of ours is refused by its first bytes, before SQLite opens it, so nothing ever changes it.
A library is in write-ahead mode: readers and one writer work side by side, and a writer that is killed loses only what
it had not committed. One of an earlier version is read without a change; the first write brings it up to date.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Final

from saves.errors import Damaged, LibraryError, Unsure, reason
from saves.handles import LOGS, opened
from saves.paths import shown
from saves.sqlite.copies import kept_as_it_was
from saves.sqlite.damage_check import harden, refuse_unsound, refuse_unsound_copy
from saves.sqlite.error_codes import BUSY, DENIED, FULL, PASSING, code_of, told
from saves.sqlite.header import is_library, newer, page_size_in_log
from saves.sqlite.schema_versions import VERSION, bring_up_to_date, look_like_today, schema

PATIENCE: Final = 10.0
"""Seconds to wait while another program writes."""
GLANCE: Final = 0.02
"""Seconds that SQLite itself waits before it is asked again: it looks less and less often, and many would starve."""
OLDEST_SQLITE: Final = (3, 37)
"""The first with strict tables."""

UNLOGGED: Final = 65536
"""Bytes that are neither in a library nor in its log: of the page that SQLite never writes (`walCheckpoint`)."""


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A library in a transaction that reads; an empty one where there is none yet. Raises `LibraryError`."""
    with _in_words(path):
        there = is_library(path)
        with opened(path), _ended(_open_to_read(path) if there else empty_library()) as db:
            yield db


@contextmanager
def writing(path: Path, *, create: bool = False, check: bool = True) -> Iterator[sqlite3.Connection]:
    """A library in a transaction that writes, kept when the block ends well. Raises `LibraryError`.

    Where there is none yet, it is created; or else, unless `create`, an empty one is given that leaves no trace. With
    `check` it is first gone through for damage, which takes the longer the larger it is.
    """
    with _in_words(path):
        there = is_library(path)
        if there and not _writable(path):
            raise LibraryError(told(sqlite3.SQLITE_READONLY, path))
        if not there and not create:
            with _ended(empty_library()) as db:
                yield db
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with opened(path), _ended(_begin_to_write(path)) as db:
            here = _identity(path)
            version = _version(db, path)
            _refuse_unfit(db, path)
            if check or version != VERSION:
                refuse_unsound(db, path)
            with kept_as_it_was(db, path, version):
                if version != VERSION:
                    bring_up_to_date(db, version)
                    refuse_unsound_copy(db, path)
                yield db
                _commit(db, path)
                if _is_another(path, here):
                    raise Unsure(f"{shown(path)} was replaced meanwhile: what was changed is not in it, try again")
            with suppress(sqlite3.Error):  # another tool turned it off
                _keep_a_log(db)


def _keep_a_log(db: sqlite3.Connection) -> None:
    """Let nobody who reads wait for who writes: at another time if somebody else is there now, SQLite does not wait."""
    try:
        db.execute("PRAGMA journal_mode = WAL")
    except sqlite3.Error as error:
        if code_of(error) not in BUSY:
            raise


def _open_to_read(path: Path) -> sqlite3.Connection:
    """A library in a transaction that reads: also on a full disk, and where nothing may be written."""
    logged = any(_size(path, log) for log in LOGS)
    if _writable(path):
        try:
            return _begin_to_read(path, "mode=rw")
        except sqlite3.Error as error:
            if logged or code_of(error) not in (*FULL, *DENIED):
                raise
    return _begin_to_read(path, "mode=ro" if logged else "mode=ro&immutable=1")


def _begin_to_write(path: Path) -> sqlite3.Connection:
    """A library, created where there is none, in a transaction in which nobody else writes."""
    while True:
        before = _identity(path)
        db = _connect(path, "mode=rwc")
        try:
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA synchronous = FULL")
            if _is_empty(db, path):
                db.executescript(f"BEGIN EXCLUSIVE; {schema()} COMMIT;")
                _keep_a_log(db)
            _take_turn(db)
            if before in (None, _identity(path)):
                return db
        except BaseException:
            _end(db)
            raise
        _end(db)  # another file was put in its place meanwhile


def _take_turn(db: sqlite3.Connection) -> None:
    """Begin to write as soon as no other program does."""
    deadline = monotonic() + PATIENCE
    db.execute(f"PRAGMA busy_timeout = {GLANCE * 1000:.0f}")
    while not db.in_transaction:
        try:
            db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            if code_of(error) not in BUSY or monotonic() > deadline:
                raise
    db.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")


def _commit(db: sqlite3.Connection, path: Path) -> None:
    try:
        db.execute("COMMIT")
    except sqlite3.Error as error:
        if code_of(error) != sqlite3.SQLITE_IOERR or error.sqlite_errorcode == sqlite3.SQLITE_IOERR_WRITE:
            raise  # nothing but the whole of it would count
        raise Unsure(
            f"{shown(path)} may or may not have been written: the disk is failing. "
            "Look whether what you changed is there, and try again"
        ) from error


def _begin_to_read(path: Path, way: str) -> sqlite3.Connection:
    db = _connect(path, way)
    try:
        db.execute("BEGIN")
        if version := _version(db, path):
            _refuse_unfit(db, path)
            look_like_today(db, version)
            return db
    except BaseException:
        _end(db)
        raise
    _end(db)  # whoever began it was killed at that
    return empty_library()


def empty_library() -> sqlite3.Connection:
    """A library in memory, as it is where there is none yet."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.row_factory = sqlite3.Row
    db.executescript(schema())
    return db


def _connect(path: Path, way: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{way}"
    db = sqlite3.connect(uri, timeout=PATIENCE, isolation_level=None, uri=True)
    db.row_factory = sqlite3.Row
    try:
        harden(db)
    except BaseException:
        _end(db)
        raise
    return db


@contextmanager
def _ended(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield db
    finally:
        _end(db)


def _end(db: sqlite3.Connection) -> None:
    """Close it, with what was not committed taken back: closing alone waits for every cursor that is still somewhere.

    Nothing that goes wrong here changes what was committed, and what was not.
    """
    for step in (db.rollback, db.close):
        with suppress(sqlite3.Error):
            step()


def _refuse_unfit(db: sqlite3.Connection, path: Path) -> None:
    """Raise `LibraryError` where there is less than a library says, or a log that is not of it: SQLite trusts both.

    It would fill a last page with zeros; go through as many pages as a log tells of; and where the pages of a log have
    another size, write what is kept next to where it would look for it.
    """
    size = _pragma(db, "page_size")
    logged = sum(_size(path, log) for log in LOGS)
    there = path.stat().st_size + (logged and logged + UNLOGGED)
    if there < _pragma(db, "page_count") * size or (logged and page_size_in_log(path) not in (None, size)):
        raise Damaged(told(sqlite3.SQLITE_CORRUPT, path))


def _is_empty(db: sqlite3.Connection, path: Path) -> bool:
    """Whether nobody has made a library of the file yet. Raises `Damaged` for one that is not empty, and no library."""
    db.execute("BEGIN")  # somebody may be about to
    version, pages = _version(db, path), _pragma(db, "page_count")
    db.execute("COMMIT")
    if pages and not version:
        raise Damaged(told(sqlite3.SQLITE_CORRUPT, path))
    return not version


def _version(db: sqlite3.Connection, path: Path) -> int:
    """The version that the transaction sees, 0 for an empty file: the header may be older than the log beside it."""
    version = _pragma(db, "user_version")
    if version > VERSION:
        raise newer(path)
    return version


def _pragma(db: sqlite3.Connection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from another that is put in its place; `None` where there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _is_another(path: Path, identity: tuple[int, int] | None) -> bool:
    """Whether another file is in its place by now, as far as that can be told."""
    with suppress(OSError):
        return _identity(path) != identity
    return False


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK)


def _size(path: Path, log: str) -> int:
    try:
        return path.with_name(path.name + log).stat().st_size
    except FileNotFoundError:
        return 0


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
        kind = Damaged if code_of(error) not in PASSING else LibraryError
        raise kind(told(code_of(error), path)) from error
    except (UnicodeDecodeError, MemoryError) as error:  # its message quotes what it found; a row tells of gigabytes
        raise Damaged(told(sqlite3.SQLITE_CORRUPT, path)) from error
    except OSError as error:
        raise LibraryError(f"{shown(path)} cannot be used: {reason(error)}. Nothing was changed") from error
