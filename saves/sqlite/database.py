"""Transactions on the SQLite file of a library, with every error translated to a message for a person.

A file that is not a library is rejected by its first bytes, before SQLite opens it, so it is never changed. A library
uses a write-ahead log: readers and one writer work at the same time, and a writer that is killed loses only what it has
not committed. A library of an earlier version is not changed until the first write transaction, which upgrades it.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Final

from saves.backups import Backups
from saves.errors import UNCHANGED, CommitUnknown, Damaged, LibraryError, file_errors
from saves.files import LOGS
from saves.open_libraries import register_connection
from saves.paths import path_text
from saves.sqlite.damage_check import in_memory, require_our_schema, require_sound, sound_copy
from saves.sqlite.error_codes import BUSY, DENIED, FULL, TEMPORARY, code_of, message_for
from saves.sqlite.guard import guard, unlimited_time
from saves.sqlite.header import is_library, newer_version_error, page_size_in_log
from saves.sqlite.schema_versions import latest_version, upgrade

PATIENCE: Final = 10.0
"""Seconds to wait while another program writes."""
BUSY_TIMEOUT: Final = 0.02
"""Seconds that SQLite itself waits for a lock, before this module asks again.

SQLite polls less and less often, so in one long wait other programs would get the lock first."""
OLDEST_SQLITE: Final = (3, 37)
"""The first version with strict tables."""

LOCK_PAGE: Final = 65536
"""The number of bytes that may be missing in both the library and its log: SQLite never writes its lock page."""


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a read transaction; if the file does not exist, on an empty library. Raises `LibraryError`."""
    with _translate_errors(path):
        exists = is_library(path)
        with register_connection(path), _closing(_open_to_read(path) if exists else empty_library()) as db:
            yield db


@contextmanager
def writing(path: Path, *, create: bool = False, check: bool = True) -> Iterator[sqlite3.Connection]:
    """Yield a write transaction, which is committed if the block ends without an exception. Raises `LibraryError`.

    A file that does not exist is created with `create`; otherwise the block gets an empty library in memory, which is
    dropped. With `check`, the whole library is checked for damage first, which takes longer the larger it is.
    """
    with _translate_errors(path):
        exists = is_library(path)
        if exists and not _is_writable(path):
            raise LibraryError(message_for(sqlite3.SQLITE_READONLY, path))
        if not exists and not create:
            with _closing(empty_library()) as db:
                yield db
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with register_connection(path), _closing(_begin_to_write(path)) as db:
            identity = _identity(path)
            version = _version(db, path)
            _require_complete(db, path)
            require_our_schema(db, path, version)
            outdated = version < latest_version()
            if check or outdated:
                require_sound(db, path)
            unlimited_time(db)
            if outdated:
                Backups(path).add(sound_copy(db, path))
                upgrade(db, version)
                sound_copy(db, path)
            yield db
            _commit(db, path)
            if _was_replaced(path, identity):
                name = path_text(path)
                raise CommitUnknown(f"{name} was replaced by another file: your change is not in it, try again")
            with suppress(sqlite3.Error):  # in case another tool has turned it off; errors do not affect the commit
                _use_write_ahead_log(db)


def _use_write_ahead_log(db: sqlite3.Connection) -> None:
    """Turn on the write-ahead log, unless another connection is open, for which SQLite does not wait here."""
    try:
        db.execute("PRAGMA journal_mode = WAL")
    except sqlite3.Error as error:
        if code_of(error) not in BUSY:
            raise


def _open_to_read(path: Path) -> sqlite3.Connection:
    """Open a library in a read transaction, even if the disk is full or read-only."""
    logged = any(_size(path, log) for log in LOGS)
    if _is_writable(path):
        try:
            return _begin_to_read(path, "mode=rw")
        except sqlite3.Error as error:
            if logged or code_of(error) not in (*FULL, *DENIED):
                raise
    return _begin_to_read(path, "mode=ro" if logged else "mode=ro&immutable=1")


def _begin_to_write(path: Path) -> sqlite3.Connection:
    while True:
        before = _identity(path)
        db = _connect(path, "mode=rwc")
        try:
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA synchronous = FULL")
            if _is_empty(db, path):
                db.execute("BEGIN EXCLUSIVE")
                if not _version(db, path):  # no other program has created it meanwhile
                    upgrade(db, 0)
                db.execute("COMMIT")
                _use_write_ahead_log(db)
            _begin_write_transaction(db)
            if before in (None, _identity(path)):
                return db
        except BaseException:
            _roll_back_and_close(db)
            raise
        _roll_back_and_close(db)  # another file has replaced the one that was opened


def _begin_write_transaction(db: sqlite3.Connection) -> None:
    """Begin a write transaction once no other program has one. Raises `sqlite3.Error` after `PATIENCE` seconds."""
    deadline = monotonic() + PATIENCE
    db.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT * 1000:.0f}")
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
            raise  # nothing was committed
        raise CommitUnknown(
            f"{path_text(path)} may or may not have been written: the disk is failing. "
            "Check whether your change is there, and try again"
        ) from error


def _begin_to_read(path: Path, mode: str) -> sqlite3.Connection:
    db = _connect(path, mode)
    try:
        db.execute("BEGIN")
        version = _version(db, path)
        if version:
            _require_complete(db, path)
            require_our_schema(db, path, version)
        if version == latest_version():
            return db
        # version 0: the program that created the file was killed before it wrote the schema
        other = _upgrade_copy(db, path, version) if version else empty_library()
    except BaseException:
        _roll_back_and_close(db)
        raise
    _roll_back_and_close(db)
    return other


def _upgrade_copy(db: sqlite3.Connection, path: Path, version: int) -> sqlite3.Connection:
    """Return an upgraded copy in memory of a library of an earlier version. Raises `LibraryError` if it is damaged."""
    copy = in_memory(sound_copy(db, path))
    try:
        copy.row_factory = sqlite3.Row
        copy.execute("PRAGMA foreign_keys = ON")
        upgrade(copy, version)
    except BaseException:
        copy.close()
        raise
    return copy


def empty_library() -> sqlite3.Connection:
    """Return a new library in memory."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    try:
        db.row_factory = sqlite3.Row
        upgrade(db, 0)
    except BaseException:
        db.close()
        raise
    return db


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{mode}"
    db = sqlite3.connect(uri, timeout=PATIENCE, isolation_level=None, uri=True)
    db.row_factory = sqlite3.Row
    try:
        guard(db, sum(_size(path, part) for part in ("", *LOGS)))
    except BaseException:
        _roll_back_and_close(db)
        raise
    return db


@contextmanager
def _closing(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield db
    finally:
        _roll_back_and_close(db)


def _roll_back_and_close(db: sqlite3.Connection) -> None:
    """Roll back and close, ignoring errors, since any commit is done. Without a rollback, closing waits for cursors."""
    for step in (db.rollback, db.close):
        with suppress(sqlite3.Error):
            step()


def _require_complete(db: sqlite3.Connection, path: Path) -> None:
    """Raise `LibraryError` if the file is shorter than its header says, or the log belongs to another library.

    SQLite does not check this: it fills a page that is cut off with zeros, reads as many pages as a log claims, and, if
    the log has another page size, writes data to places where it will not look for them.
    """
    page_size = _pragma(db, "page_size")
    logged = sum(_size(path, log) for log in LOGS)
    available = path.stat().st_size
    if logged:
        available += logged + LOCK_PAGE
    is_log_wrong = logged > 0 and page_size_in_log(path) not in (None, page_size)
    if is_log_wrong or available < _pragma(db, "page_count") * page_size:
        raise Damaged(message_for(sqlite3.SQLITE_CORRUPT, path))


def _is_empty(db: sqlite3.Connection, path: Path) -> bool:
    """Return whether the file has no schema yet. Raises `Damaged` for a file with content but no schema version."""
    db.execute("BEGIN")  # another program may be writing the schema
    version, pages = _version(db, path), _pragma(db, "page_count")
    db.execute("COMMIT")
    if pages and not version:
        raise Damaged(message_for(sqlite3.SQLITE_CORRUPT, path))
    return not version


def _version(db: sqlite3.Connection, path: Path) -> int:
    """Return the schema version in the transaction, 0 for an empty file; the file's header may have an older one."""
    version = _pragma(db, "user_version")
    if version > latest_version():
        raise newer_version_error(path)
    return version


def _pragma(db: sqlite3.Connection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a file, by which it differs from any that replaces it; `None` without one."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _was_replaced(path: Path, identity: tuple[int, int] | None) -> bool:
    """Return whether the file with this identity was replaced by another; false if that cannot be determined."""
    with suppress(OSError):
        return _identity(path) != identity
    return False


def _is_writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK)


def _size(path: Path, log: str) -> int:
    try:
        return path.with_name(path.name + log).stat().st_size
    except FileNotFoundError:
        return 0


@contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        wanted = ".".join(map(str, OLDEST_SQLITE))
        raise LibraryError(
            f"{path_text(path)} needs SQLite {wanted}, this Python has {sqlite3.sqlite_version}: update Python"
        )
    try:
        with file_errors(f"{path_text(path)} cannot be used", UNCHANGED):
            yield
    except sqlite3.Error as error:
        kind = Damaged if code_of(error) not in TEMPORARY else LibraryError
        raise kind(message_for(code_of(error), path)) from error
    except (UnicodeDecodeError, MemoryError) as error:  # from damaged text, or a row with a damaged size
        raise Damaged(message_for(sqlite3.SQLITE_CORRUPT, path)) from error
