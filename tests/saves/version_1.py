"""Libraries as the first version of the program wrote them, and a process that dies while it writes to one.

`version_1.py LIBRARY TICK` brings the library up to date with a save called `new`, counts what SQLite does meanwhile,
and kills itself at that tick; prints how many there were where it lives to the end.
"""

import json
import os
import signal
import sqlite3
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

from engine import parse_game
from saves.library import Library
from saves.memory import to_rows
from tests.saves.brains import made_up

say = partial(print, flush=True)
SCHEMA = Path(__file__).parent.parent / "data" / "library-1.sql"
TICK = 500
"""Instructions of SQLite's virtual machine."""


def write_version_1(path, saves):
    """A library of version 1 with these snapshots of failure databases under their names."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(SCHEMA.read_text())
        db.execute("PRAGMA journal_mode = WAL")
        for name, snapshot in saves.items():
            texts = [json.dumps(value) for value in (snapshot.settings, snapshot.generator, snapshot.stats)]
            key = db.execute(
                "INSERT INTO save (name, learner, game, preset, seed, created, updated, settings, generator, stats) "
                "VALUES (?, ?, ?, ?, ?, '2026-01-02T03:04:05+00:00', '2026-01-02T03:04:05+00:00', ?, ?, ?)",
                (name, snapshot.learner, snapshot.game, snapshot.preset, snapshot.seed, *texts),
            ).lastrowid
            rows = to_rows(parse_game(snapshot.game), snapshot.memory)
            db.executemany("INSERT INTO memory VALUES (?, ?, ?, ?)", ((key, *row) for row in rows))
            db.executemany(
                "INSERT INTO checkpoint VALUES (?, ?, ?)",
                ((key, stats["games"], json.dumps(stats)) for stats in snapshot.history),
            )
        db.execute("INSERT INTO game (played, game, first, second, moves, outcome) VALUES ('', '', '', '', '', 'draw')")
        db.commit()


def main(path, last):
    passed = 0

    def tick():
        nonlocal passed
        passed += 1
        if passed == int(last):
            os.kill(os.getpid(), signal.SIGKILL)

    class Ticking(sqlite3.Connection):
        def __init__(self, *args, **kwargs) -> None:
            super().__init__(*args, **kwargs)
            self.set_progress_handler(tick, TICK)

        def execute(self, *args):
            tick()
            return super().execute(*args)

    connect = sqlite3.connect
    sqlite3.connect = lambda *args, **kwargs: connect(*args, factory=Ticking, **kwargs)
    Library(Path(path)).save("new", made_up(parse_game("hexapawn"), 40))
    say(passed)


if __name__ == "__main__":
    main(*sys.argv[1:])
