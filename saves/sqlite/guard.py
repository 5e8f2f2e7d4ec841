"""Protection against SQLite files made by others: nothing that such a file contains is run.

A connection to a file first goes through `guard`, which bounds its costs; then `foreign_object` compares the schema
with that of a library, before any query of data. Only rows remain then, and reading them is bounded, too.
"""

import re
import sqlite3
from collections import Counter
from contextlib import closing
from functools import cache
from time import thread_time
from typing import Final

MEGABYTE: Final = 2**20
MAX_VALUE_BYTES: Final = 32 * MEGABYTE
"""The size limit of a value to read, in bytes: twice the limit of an uncompressed bulk."""
LIMITS: Final = {
    sqlite3.SQLITE_LIMIT_LENGTH: MAX_VALUE_BYTES,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 3,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 8,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 50,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 10,
}
"""SQLite's own limits: bytes of a value, characters of a statement, columns … (https://www.sqlite.org/security.html)."""
TICK: Final = 1000
"""Instructions of SQLite's virtual machine between two looks at the clock."""
SECONDS: Final = 10.0
SECONDS_A_MEGABYTE: Final = 2.0
"""The processor time that a connection may take, for any file and for each megabyte: ten times the time needed."""
LONGEST_TICK: Final = 1.0
"""The maximum of seconds to count between two looks at the clock: our own work between two rows may take longer."""
READINGS: Final = 16
"""A connection may read this many times the size of the file as text. In a crafted file, rows share their pages."""
TEXT_COST: Final = 50
"""The memory that a text takes besides its own bytes."""
TOKEN: Final = re.compile(
    r"""--[^\n]*|/\*.*?(?:\*/|\Z)|('(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^]]*\]|\w+|[^\w\s])""",
    re.DOTALL | re.ASCII,
)
"""A comment, which is in no group, or a word, a quotation or a sign of SQL, which is in group 1."""
Objects = Counter[tuple[str, str, str, tuple[str, ...]]]
"""The objects of a schema: type, name, table, and the tokens of the SQL."""


def guard(db: sqlite3.Connection, size: int) -> None:
    """Bound the costs of a connection to a file of `size` bytes, whatever the file contains.

    Beyond the limits, a query raises `sqlite3.Error`. Text that is not valid UTF-8 is read with replacement characters,
    so that it makes only its own row unusable.
    """
    db.execute("PRAGMA trusted_schema = OFF").close()
    for limit, most in LIMITS.items():
        db.setlimit(limit, most)
    megabytes = 1 + size / MEGABYTE
    seconds, texts = SECONDS + SECONDS_A_MEGABYTE * megabytes, READINGS * MEGABYTE * megabytes
    last_look = thread_time()

    def is_over() -> bool:
        nonlocal seconds, last_look
        now = thread_time()
        seconds -= min(LONGEST_TICK, max(0.0, now - last_look))
        last_look = now
        return seconds < 0

    def text_of(data: bytes) -> str:
        nonlocal texts
        texts -= len(data) + TEXT_COST
        if texts < 0:
            raise sqlite3.DatabaseError("the rows hold more text than the file")
        return data.decode("utf-8", "replace")

    db.set_progress_handler(is_over, TICK)
    db.text_factory = text_of


def unlimited_time(db: sqlite3.Connection) -> None:
    """Remove the time limit of a connection, to write to a file that has been checked."""
    db.set_progress_handler(None, 0)


def foreign_object(db: sqlite3.Connection, script: str) -> str | None:
    """Return an object of the schema that `script` does not create, such as `view 'save'`; `None` if there is none.

    An object of `script` that is missing in the schema is returned as `no table 'save'`. Raises `sqlite3.Error`.
    """
    expected = _objects_of(script)
    with closing(db.execute("SELECT type, name, tbl_name, sql FROM main.sqlite_schema")) as rows:
        objects: Objects = Counter()
        for row in rows:
            schema_object = _object(*row)
            objects[schema_object] += 1
            if objects[schema_object] > expected[schema_object]:
                kind, name, *_ = schema_object
                return f"{kind} {name!r}"
    return next((f"no {kind} {name!r}" for kind, name, *_ in expected - objects), None)


@cache
def _objects_of(script: str) -> Objects:
    """Return the objects of the schema that a script creates."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(script)
        with closing(db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema")) as rows:
            return Counter(_object(*row) for row in rows)


def _object(kind: object, name: object, table: object, sql: object) -> tuple[str, str, str, tuple[str, ...]]:
    """Return an object of a schema; its SQL is split into tokens, without spaces and comments, which may differ."""
    text = "" if sql is None else str(sql)
    tokens = filter(None, TOKEN.findall(text)) if len(text) <= LIMITS[sqlite3.SQLITE_LIMIT_SQL_LENGTH] else [text]
    return str(kind), str(name), str(table), tuple(tokens)
