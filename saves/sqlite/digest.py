"""A short number for all that a save consists of: whether it still is what was kept.

Anything may change in a file that nobody meant to change, and SQLite notices only what breaks its own structure.
"""

import sqlite3
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

Value = str | int | bytes | None

PARTS: Final = (
    "SELECT name, learner, game, preset, opponent, settings, seed, generator, stats, bulk FROM save WHERE id = ?",
    "SELECT position, move, number, times FROM memory WHERE save = ? ORDER BY position, move",
    "SELECT rounds, stats, kept, generator, opponent FROM checkpoint WHERE save = ? ORDER BY rounds",
    "SELECT rounds, position, move, number, times FROM change WHERE save = ? ORDER BY rounds, position, move",
)
"""What a save consists of, but for its dates and its number in the library; the rows in order."""
BETWEEN: Final = b"\x1f"


def digest_of(parts: Iterable[Iterable[Iterable[Value]]]) -> str:
    """The digest of rows as `PARTS` gives them."""
    digest = sha256()
    for rows in parts:
        for row in rows:
            for value in row:
                digest.update(value if isinstance(value, bytes) else str(value).encode())
                digest.update(BETWEEN)
        digest.update(BETWEEN)
    return digest.hexdigest()


def digest_in(db: sqlite3.Connection, save: int) -> str:
    """The digest of what stands in a library as the save of that number."""
    return digest_of(db.execute(part, (save,)) for part in PARTS)
