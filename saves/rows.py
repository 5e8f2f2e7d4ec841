"""A snapshot as rows of the library's tables, all but what names and dates it."""

import json
import sqlite3

import numpy as np

from engine import parse_game
from engine.game import BadText, Game
from learners import parse_learner
from learners.learner import Memory, Snapshot
from saves.bulk import packed, unpacked
from saves.check import checked
from saves.memory import LARGEST_NUMBER, Row, add_changed, edge_texts, from_rows, to_changes
from saves.strict import parse_array, parse_object


def insert_save(db: sqlite3.Connection, name: str, created: str, updated: str, snapshot: Snapshot) -> None:
    """Add a save of that name, which must be free."""
    key = db.execute(
        "INSERT INTO save "
        "(name, created, updated, learner, game, preset, opponent, settings, seed, generator, stats, bulk) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            name,
            created,
            updated,
            snapshot.learner,
            snapshot.game,
            snapshot.preset,
            snapshot.opponent,
            json.dumps(dict(snapshot.settings)),
            snapshot.seed,
            json.dumps(snapshot.generator),
            json.dumps(dict(snapshot.stats)),
            packed(snapshot.bulk),
        ),
    ).lastrowid
    game, memory = parse_game(snapshot.game), snapshot.memory
    counted = parse_learner(snapshot.learner).counted
    times = np.zeros_like(memory) if snapshot.times is None else snapshot.times
    edges = np.flatnonzero(memory | times)
    rows = zip(edge_texts(game, edges.tolist()), memory[edges].tolist(), times[edges].tolist(), strict=True)
    db.executemany(
        "INSERT INTO memory (save, position, move, number, times) VALUES (?, ?, ?, ?, ?)",
        ((key, *texts, number, count) for texts, number, count in rows),
    )
    db.executemany(
        "INSERT INTO checkpoint (save, games, stats, kept) VALUES (?, ?, ?, ?)",
        (
            (key, stats[counted], json.dumps(dict(stats)), stats[counted] in snapshot.memories)
            for stats in snapshot.history
        ),
    )
    db.executemany(
        "INSERT INTO change (save, games, position, move, number) VALUES (?, ?, ?, ?, ?)",
        ((key, rounds, *row) for rounds, rows in to_changes(game, snapshot.memories) for row in rows),
    )


def read_save(db: sqlite3.Connection, row: sqlite3.Row) -> Snapshot:
    """The snapshot of a row of `save`. Raises `BadText`; where the file is damaged, also other errors of Python."""
    game, key = parse_game(row["game"]), (row["id"],)
    numbers = db.execute("SELECT position, move, number FROM memory WHERE save = ? AND number IS NOT 0", key)
    times = db.execute("SELECT position, move, times FROM memory WHERE save = ? AND times IS NOT 0", key)
    history = db.execute("SELECT games, stats, kept FROM checkpoint WHERE save = ? ORDER BY games", key).fetchall()
    kept = [checkpoint["games"] for checkpoint in history if checkpoint["kept"]]
    return checked(
        Snapshot(
            learner=row["learner"],
            game=row["game"],
            preset=row["preset"],
            opponent=row["opponent"],
            settings=parse_object(row["settings"]),
            seed=row["seed"],
            generator=tuple(parse_array(row["generator"])),
            stats=parse_object(row["stats"]),
            history=tuple(parse_object(checkpoint["stats"]) for checkpoint in history),
            memory=from_rows(game, numbers),
            times=from_rows(game, times),
            memories=_memories(db, row["id"], game, kept),
            bulk=unpacked(row["bulk"]),
        )
    )


def _memories(db: sqlite3.Connection, save: int, game: Game, kept: list[int]) -> dict[int, Memory]:
    changes: dict[int, list[Row]] = {rounds: [] for rounds in kept}
    for rounds, *row in db.execute("SELECT games, position, move, number FROM change WHERE save = ?", (save,)):
        if rounds not in changes:
            raise BadText(f"the memory after {rounds:,} rounds changed, but was not kept")
        changes[rounds].append((row[0], row[1], row[2]))
    memories: dict[int, Memory] = {}
    for rounds, rows in changes.items():
        add_changed(game, memories, rounds, from_rows(game, rows, least=-LARGEST_NUMBER))
    return memories
