"""A checksum of a save, to detect any change of its content. SQLite detects only damage to its own structure."""

import sqlite3
from collections.abc import Iterable
from contextlib import ExitStack, closing
from hashlib import sha256
from typing import Final

Value = str | int | bytes | None

QUERIES: Final = (
    "SELECT name, learner, game, preset, opponent, settings, seed, generator, stats, bulk FROM save WHERE id = ?",
    "SELECT position, move, number, times FROM memory WHERE save = ? ORDER BY position, move",
    "SELECT rounds, stats, kept, generator, opponent FROM checkpoint WHERE save = ? ORDER BY rounds",
    "SELECT rounds, position, move, number, times FROM change WHERE save = ? ORDER BY rounds, position, move",
    "SELECT rounds, numbers FROM parameters WHERE save = ? ORDER BY rounds",
)
"""The queries for the content of a save, in order: everything but its number and its dates."""
SEPARATOR: Final = b"\x1f"
"""Follows each value, and the rows of each query."""


def digest_of(found: Iterable[Iterable[Iterable[Value]]]) -> str:
    """The SHA-256 digest, in hexadecimal, of the rows that each query in `QUERIES` finds."""
    digest = sha256()
    for rows in found:
        for row in rows:
            for value in row:
                digest.update(value if isinstance(value, bytes) else str(value).encode())
                digest.update(SEPARATOR)
        digest.update(SEPARATOR)
    return digest.hexdigest()


def digest_in(db: sqlite3.Connection, save: int) -> str:
    """The digest of the save with the number `save`, computed from the rows of a library."""
    with ExitStack() as stack:

        def rows(query: str) -> Iterable[Iterable[Value]]:
            return stack.enter_context(closing(db.execute(query, (save,))))

        return digest_of(map(rows, QUERIES))
