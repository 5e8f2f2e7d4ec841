"""Libraries in tests: that of a test, and what other programs see of one and do to it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from saves.library.library import Library
from saves.library.recovery import Recovery, recover
from saves.paths import library_path


def library() -> Library:
    """Open the library that a test has for itself, as a command or the app does: `tests/conftest.py` sets its path."""
    return Library(library_path())


def own_names(library: Library) -> list[str]:
    """The names of the saves, the newest first, without those of the gallery."""
    return [entry.name for entry in library.entries() if not entry.gallery]


def sql(library: Library | Path, statements: str, *values: object) -> list[Any]:
    """Run a statement with these values, or several without any, as another program would; return the rows."""
    with closing(sqlite3.connect(library.path if isinstance(library, Library) else library)) as db, db:
        if ";" in statements and not values:
            db.executescript(statements)
            return []
        return db.execute(statements, values).fetchall()


def files(path: Path) -> dict[str, bytes]:
    """The files beside a file, and itself, by name."""
    return {each.name: each.read_bytes() for each in path.parent.iterdir() if each.is_file()}


@contextmanager
def unchanged(path: Path) -> Iterator[None]:
    """Expect that a block changes, adds and removes no file beside this one."""
    before = files(path)
    yield
    assert files(path) == before


def recovered(path: Path) -> Recovery:
    """Recover a damaged library, and return the report."""
    recovery = recover(path)
    assert recovery is not None
    return recovery
