"""A process that saves again and again, and prints each name once it is saved: `saver.py LIBRARY PREFIX COUNT [LIMIT]`.

LIMIT is the most bytes that a file may have, as on a full disk. Ends with status 3 and the message of a `LibraryError`.
"""

import resource
import signal
import sqlite3
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

from engine.games import parse_game
from saves.errors import LibraryError
from saves.library.library import Library
from tests.saves.brains import made_up

say = partial(print, flush=True)


def main(path: str, prefix: str, count: str, limit: str | None = None) -> int:
    library = Library(Path(path))
    brains = [made_up(parse_game("hexapawn"), 160, seed) for seed in range(4)]
    say("ready")
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    for number in range(int(count)):
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


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
