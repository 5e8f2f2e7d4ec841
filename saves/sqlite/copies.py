"""Copies of a library that are put beside it before anything is done to it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from saves.errors import Unsure
from saves.files import is_there, write_bytes
from saves.sqlite.schema_versions import VERSION


@contextmanager
def kept_as_it_was(db: sqlite3.Connection, path: Path, version: int) -> Iterator[None]:
    """Keep a library of an earlier version beside what it becomes; not where it stays what it is after all."""
    copy, made = (path, False) if version == VERSION else _copied(path, f"version-{version}", db.serialize())
    try:
        yield
    except BaseException as error:
        told = isinstance(error, Exception) and not isinstance(error, Unsure)
        if made and (told or db.in_transaction):  # an interruption may come when all has just been committed
            with suppress(OSError):
                copy.unlink()
        raise


def _copied(path: Path, what: str, data: bytes) -> tuple[Path, bool]:
    """Write a copy beside a library, unless there is the same; where it is, and whether it was written."""
    copy = next(copy for copy in names_beside(path, what) if not is_there(copy) or copy.read_bytes() == data)
    if is_there(copy):
        return copy, False
    write_bytes(copy, data, replace=False, like=path)
    return copy, True


def names_beside(path: Path, what: str) -> Iterator[Path]:
    """`library-WHAT.sqlite`, `library-WHAT-2.sqlite` and so on, without end."""
    yield path.with_stem(f"{path.stem}-{what}")
    yield from (path.with_stem(f"{path.stem}-{what}-{number}") for number in count(2))
