"""Programs that save again and again until the disk is full, or that keep a library open."""

import resource
import signal
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

from engine.games import parse_game
from saves.errors import LibraryError
from saves.library.library import Library
from tests.saves.brains import made_up

say = partial(print, flush=True)


def main(path: Path, prefix: str, count: int, limit: int | None = None) -> int:
    """Save again and again, and print each name once it is saved; no file may grow beyond `limit` bytes.

    Returns 3 after a `LibraryError`, whose message is printed.
    """
    library = Library(path)
    brains = [made_up(parse_game("hexapawn"), 160, seed) for seed in range(4)]
    say("ready")
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    for number in range(count):
        try:
            library.save(f"{prefix} {number}", brains[number % len(brains)])
        except LibraryError as error:
            say(error)
            return 3
        say(f"{prefix} {number}")
    return 0


def hold(path: Path) -> None:
    """Keep a library open until this process is killed."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("SELECT * FROM save").fetchall()
        say("ready")
        signal.pause()
