"""Recognize a library by the first bytes of the file, before SQLite opens it."""

from contextlib import suppress
from pathlib import Path
from sqlite3 import SQLITE_CORRUPT
from stat import S_ISREG
from struct import Struct
from typing import Final

from saves.backups import Backups
from saves.errors import Damaged, LibraryError, NotALibrary
from saves.files import MAGIC
from saves.open_libraries import open_or
from saves.paths import path_text
from saves.sqlite.error_codes import ANOTHER, RECOVER, message_for
from saves.sqlite.schema_versions import latest_version

APPLICATION: Final = 0x6E6F_7567
"""The application id in the header of every library, "noug". `schema.sql` writes it."""
VERSION_AT: Final = slice(60, 64)
APPLICATION_AT: Final = slice(68, 72)
HEADER_SIZE: Final = 100
"""Bytes of the header of an SQLite file; numbers are big-endian (https://www.sqlite.org/fileformat.html, 1.3)."""
LOG_HEAD: Final = Struct(">III")
"""The start of a write-ahead log: magic number, format version, page size in bytes (section 4.1)."""
LOG_MARKS: Final = (0x377F_0682, 0x377F_0683)
"""The magic numbers. SQLite ignores a log without one of them."""


def is_library(path: Path) -> bool:
    """Return whether a library exists at `path`; an empty file counts as none, unless it has backups.

    Raises `LibraryError` if the path leads to something else.
    """
    try:
        status = path.stat()
        if not S_ISREG(status.st_mode):
            raise LibraryError(f"{path_text(path)} is not a file: {ANOTHER}")
        if not status.st_size and Backups(path).entries():
            raise Damaged(message_for(SQLITE_CORRUPT, path))
        return status.st_size > 0 and open_or(path, lambda: _has_our_header(path))
    except FileNotFoundError:
        return False


def _has_our_header(path: Path) -> bool:
    with path.open("rb") as file:
        header = file.read(HEADER_SIZE)
    if not header:
        return False
    if not header.startswith(MAGIC) or int.from_bytes(header[APPLICATION_AT]) != APPLICATION:
        raise NotALibrary(f"{path_text(path)} is not a library of Noughts: {ANOTHER}. If it was one, try {RECOVER}")
    if int.from_bytes(header[VERSION_AT]) > latest_version():
        raise newer_version_error(path)
    return True


def page_size_in_log(path: Path) -> int | None:
    """Return the page size in bytes according to the log beside a library; `None` if there is no valid log."""
    with suppress(FileNotFoundError), path.with_name(f"{path.name}-wal").open("rb") as log:
        head = log.read(LOG_HEAD.size)
        if len(head) == LOG_HEAD.size:
            mark, _, size = LOG_HEAD.unpack(head)
            return size if mark in LOG_MARKS else None
    return None


def newer_version_error(path: Path) -> LibraryError:
    """Return the error for a library that a later version of the program has written."""
    return LibraryError(f"{path_text(path)} was written by a newer version of Noughts: update Noughts, or {ANOTHER}")
