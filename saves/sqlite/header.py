"""What the first bytes of a file tell: whether it is a library of ours, before SQLite opens it."""

from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from struct import Struct
from typing import Final

from saves.errors import Foreign, LibraryError
from saves.handles import MAGIC, unless_opened
from saves.paths import shown
from saves.sqlite.error_codes import ANOTHER
from saves.sqlite.schema_versions import VERSION

APPLICATION: Final = 0x6E6F_7567
"""Stands in the header of every library; `schema.sql` writes it."""
VERSION_AT: Final = slice(60, 64)
APPLICATION_AT: Final = slice(68, 72)
HEADER_SIZE: Final = 100
"""The header of an SQLite file, numbers big-endian (https://www.sqlite.org/fileformat.html, section 1.3)."""
LOG_HEAD: Final = Struct(">III")
"""How a write-ahead log begins: its mark, the version of its format, the size of its pages (section 4.1)."""
LOG_MARKS: Final = (0x377F_0682, 0x377F_0683)
"""Without one of them SQLite takes no notice of a log."""
ONCE: Final = ". If it was one, try noughts saves recover (s in the Library)"


def is_library(path: Path) -> bool:
    """Whether a library is there: an empty file is none yet. Raises `LibraryError` for anything else."""
    try:
        status = path.stat()
        if not S_ISREG(status.st_mode):
            raise LibraryError(f"{shown(path)} is not a file: {ANOTHER}")
        return status.st_size > 0 and unless_opened(path, lambda: _has_our_header(path), otherwise=True)
    except FileNotFoundError:
        return False


def _has_our_header(path: Path) -> bool:
    with path.open("rb") as file:
        header = file.read(HEADER_SIZE)
    if not header:
        return False
    if not header.startswith(MAGIC) or int.from_bytes(header[APPLICATION_AT]) != APPLICATION:
        raise Foreign(f"{shown(path)} is no library of Noughts and stays as it is: {ANOTHER}{ONCE}")
    if int.from_bytes(header[VERSION_AT]) > VERSION:
        raise newer(path)
    return True


def page_size_in_log(path: Path) -> int | None:
    """Bytes of a page as the log beside a library has it; `None` where there is none."""
    with suppress(FileNotFoundError), path.with_name(f"{path.name}-wal").open("rb") as log:
        head = log.read(LOG_HEAD.size)
        if len(head) == LOG_HEAD.size:
            mark, _, size = LOG_HEAD.unpack(head)
            return size if mark in LOG_MARKS else None
    return None


def newer(path: Path) -> LibraryError:
    return LibraryError(
        f"{shown(path)} was written by a newer Noughts and stays as it is: update Noughts, or {ANOTHER}"
    )
