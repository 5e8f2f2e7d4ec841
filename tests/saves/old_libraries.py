"""Libraries written by earlier versions, and a process that is killed while it upgrades one.

`main(LIBRARY, TICK)` brings the library up to date with a save called `new`, counts what SQLite does
meanwhile, and kills itself at that tick; if it survives, it prints how many ticks there were.
"""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from engine.games import parse_game
from learners.core.snapshot import checkpoint_of
from saves.encoding.memory import to_changes, to_rows
from saves.library.library import Library
from saves.sqlite.schema_versions import TABLES, schema
from tests.saves.brains import made_up
from tests.saves.forks import KillAtCall

say = partial(print, flush=True)
TICK = 500
"""Instructions of SQLite's virtual machine between two ticks."""


def write_version(version, path, saves):
    """A library of that version with these snapshots; in version 1, of failure databases only."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(schema(version))
        db.execute("PRAGMA journal_mode = WAL")
        if version >= 4:
            add_since_4(db, path, saves)
        for name, snapshot in saves.items() if version < 4 else ():
            texts = [json.dumps(value) for value in (snapshot.settings, snapshot.generator, snapshot.stats)]
            key = db.execute(
                "INSERT INTO save (name, learner, game, preset, seed, created, updated, settings, generator, stats) "
                "VALUES (?, ?, ?, ?, ?, '2026-01-02T03:04:05+00:00', '2026-01-02T03:04:05+00:00', ?, ?, ?)",
                (name, snapshot.learner, snapshot.game, snapshot.preset, snapshot.seed, *texts),
            ).lastrowid
            rows = to_rows(parse_game(snapshot.game), snapshot.memory)
            add = "INSERT INTO memory (save, position, move, number) VALUES (?, ?, ?, ?)"
            db.executemany(add, ((key, *row) for row in rows))
            add = "INSERT INTO checkpoint (save, games, stats) VALUES (?, ?, ?)"
            db.executemany(add, ((key, stats["games"], json.dumps(stats)) for stats in snapshot.history))
            if version > 1:
                add_since_2(db, key, snapshot)
        db.execute("INSERT INTO game (played, game, first, second, moves, outcome) VALUES ('', '', '', '', '', 'draw')")
        db.commit()


def add_since_2(db, key, snapshot):
    """Add what version 2 added: the opponent of a save, its counts of chosen moves, and its checkpoints."""
    game = parse_game(snapshot.game)
    db.execute("UPDATE save SET opponent = ? WHERE id = ?", (snapshot.opponent, key))
    for position, move, times in () if snapshot.times is None else to_rows(game, snapshot.times):
        db.execute(
            "INSERT INTO memory VALUES (?, ?, ?, 0, ?) "
            "ON CONFLICT (save, position, move) DO UPDATE SET times = excluded.times",
            (key, position, move, times),
        )
    kept = {rounds: each.memory for rounds, each in snapshot.checkpoints.items() if each.memory is not None}
    for games, rows in zip(kept, to_changes(game, kept.values()), strict=True):
        db.execute("UPDATE checkpoint SET kept = 1 WHERE save = ? AND games = ?", (key, games))
        db.executemany("INSERT INTO change VALUES (?, ?, ?, ?, ?)", ((key, games, *row) for row in rows))


def add_since_4(db, path, saves):
    """Add saves as the current program writes them, without the columns that this version does not have."""
    today = path.with_name("today.sqlite")
    for name, snapshot in saves.items():
        Library(today).save(name, snapshot)
    db.execute("ATTACH ? AS today", (str(today),))
    for table in TABLES:
        columns = ", ".join(name for _, name, *_ in db.execute(f"PRAGMA main.table_info({table})"))
        if columns:
            db.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM today.{table}")  # noqa: S608
    db.execute("UPDATE save SET created = '2026-01-02T03:04:05+00:00'")
    db.commit()
    db.execute("DETACH today")
    today.unlink()


def as_kept(snapshot):
    """The snapshot as a library of that version returns it: checkpoints have only memories."""
    kept = {
        rounds: checkpoint_of(each.memory, np.zeros_like(each.memory), opponent=snapshot.opponent)
        for rounds, each in snapshot.checkpoints.items()
        if each.memory is not None
    }
    return replace(snapshot, checkpoints=kept)


def main(path, last):
    tick = KillAtCall(last)

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
    say(tick.calls)
