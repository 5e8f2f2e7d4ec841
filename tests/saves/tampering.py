"""Change a library behind the back of the program, and hold what the program may do with it then."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from saves.library.recovery import Recovery, recover


def run_sql(path: Path, statement: str, *values: object) -> list[tuple]:
    """Run one statement on a library, and return the rows."""
    with closing(sqlite3.connect(path)) as db, db:
        return db.execute(statement, values).fetchall()


@contextmanager
def unchanged(path: Path) -> Iterator[None]:
    """Expect a file to have the same bytes afterwards."""
    before = path.read_bytes()
    yield
    assert path.read_bytes() == before


def recovered(path: Path) -> Recovery:
    """Recover a damaged library, and return the report."""
    recovery = recover(path)
    assert recovery is not None
    return recovery
