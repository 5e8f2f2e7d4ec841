"""What the first bytes of a file tell: whether it is a library of ours, before SQLite opens it."""

from pathlib import Path
from stat import S_ISREG
from typing import Final

from saves.codes import ANOTHER
from saves.errors import Foreign, LibraryError
from saves.handles import MAGIC, unless_opened
from saves.paths import shown
from saves.versions import VERSION

APPLICATION: Final = 0x6E6F_7567
"""Stands in the header of every library; `schema.sql` writes it."""
VERSION_AT: Final = slice(60, 64)
APPLICATION_AT: Final = slice(68, 72)
HEADER_SIZE: Final = 100
"""The header of an SQLite file, numbers big-endian (https://www.sqlite.org/fileformat.html, section 1.3)."""
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


def newer(path: Path) -> LibraryError:
    return LibraryError(
        f"{shown(path)} was written by a newer Noughts and stays as it is: update Noughts, or {ANOTHER}"
    )
