"""The copy of a library that is made before an upgrade, and names for all copies beside a library."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from saves.errors import CommitUnknown
from saves.files import is_there, write_bytes
from saves.sqlite.schema_versions import latest_version


@contextmanager
def copied_before_upgrade(db: sqlite3.Connection, path: Path, version: int) -> Iterator[None]:
    """Copy a library of an earlier version before the block upgrades it; remove the copy if the block fails."""
    copy, made = (path, False) if version == latest_version() else _copied(path, f"version-{version}", db.serialize())
    try:
        yield
    except BaseException as error:
        failed = isinstance(error, Exception) and not isinstance(error, CommitUnknown)
        if made and (failed or db.in_transaction):  # an interruption may come just after the commit
            with suppress(OSError):
                copy.unlink()
        raise


def _copied(path: Path, what: str, data: bytes) -> tuple[Path, bool]:
    """Write a copy beside a library unless an equal one exists; return its path, and whether it was written."""
    copy = next(copy for copy in paths_beside(path, what) if not is_there(copy) or copy.read_bytes() == data)
    if is_there(copy):
        return copy, False
    write_bytes(copy, data, replace=False, like=path)
    return copy, True


def paths_beside(path: Path, what: str) -> Iterator[Path]:
    """Paths beside a library, without end: `library-WHAT.sqlite`, `library-WHAT-2.sqlite`, `library-WHAT-3.sqlite` …"""
    yield path.with_stem(f"{path.stem}-{what}")
    yield from (path.with_stem(f"{path.stem}-{what}-{number}") for number in count(2))
