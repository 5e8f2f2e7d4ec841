"""Damage to files: to a table of a library, with a save for it, and to the bytes of any file."""

import sqlite3
from contextlib import closing
from random import Random

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


def damages(data: bytes, random: Random) -> list[bytes]:
    """The data cut off, empty, overwritten with zeros or junk, with a bit flipped, a part moved, and a byte more."""
    place = random.randrange(len(data))
    return [
        data[:place],
        b"",
        bytes(len(data)),
        random.randbytes(len(data)),
        data[:place] + bytes([data[place] ^ 1 << random.randrange(8)]) + data[place + 1 :],
        data[:place] + data[place + 8 :] + data[place : place + 8],
        data + b"\0",
    ]
