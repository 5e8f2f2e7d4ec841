"""Copies of a library that are put beside it before anything is done to it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from saves.errors import Unsure
from saves.files import is_there, write_bytes
from saves.versions import VERSION


@contextmanager
def kept_as_it_was(db: sqlite3.Connection, path: Path, version: int) -> Iterator[None]:
    """Keep a library of an earlier version beside what it becomes; not where it stays what it is after all."""
    copy, made = (path, False) if version == VERSION else copy_beside(path, f"version-{version}", db.serialize())
    try:
        yield
    except BaseException as error:
        if made and not isinstance(error, Unsure):
            copy.unlink()
        raise


def copy_beside(path: Path, what: str, data: bytes) -> tuple[Path, bool]:
    """Write `library-WHAT.sqlite`, or the first of `library-WHAT-2.sqlite` … that is free, unless one holds the same.

    Returns where it is, and whether it was written. Raises `LibraryError`.
    """
    number = 1
    while True:
        copy = path.with_stem(f"{path.stem}-{what}{'' if number == 1 else f'-{number}'}")
        if not is_there(copy):
            write_bytes(copy, data, replace=False)
            return copy, True
        if copy.read_bytes() == data:
            return copy, False
        number += 1
