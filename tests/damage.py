"""A save for a library, and damage to a table of it."""

import sqlite3
from contextlib import closing

from engine.games import parse_game
from saves.library.library import Library
from tests.saves.brains import made_up

BRAIN = made_up(parse_game("hexapawn"), 60)
PAGE = 4096


def overwrite(library: Library, table: str) -> bytes:
    """Overwrite the first page of a table; return the whole file."""
    with closing(sqlite3.connect(library.path)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    data = bytearray(library.path.read_bytes())
    data[(page - 1) * PAGE : page * PAGE] = bytes(PAGE)
    library.path.write_bytes(data)
    return bytes(data)
