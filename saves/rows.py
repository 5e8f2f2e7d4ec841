"""A snapshot as rows of the library's tables, all but what names and dates it."""

import json
import sqlite3
from collections.abc import Iterator, Mapping

import numpy as np

from engine import parse_game
from engine.game import BadText, Game
from learners import parse_learner
from learners.snapshot import ITSELF, Checkpoint, Memory, Snapshot
from saves.bulk import packed, unpacked
from saves.check import checked
from saves.memory import LARGEST_NUMBER, Row, add_changed, edge_texts, empty_memory, from_rows, to_changes
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
    checkpoints = snapshot.checkpoints
    db.executemany(
        "INSERT INTO checkpoint (save, rounds, stats, kept, generator, opponent) VALUES (?, ?, ?, ?, ?, ?)",
        (
            (key, stats[counted], json.dumps(dict(stats)), *_kept(checkpoints.get(stats[counted])))
            for stats in snapshot.history
        ),
    )
    db.executemany(
        "INSERT INTO change (save, rounds, position, move, number, times) VALUES (?, ?, ?, ?, ?, ?)",
        ((key, *row) for row in _change_rows(game, checkpoints)),
    )


def _kept(checkpoint: Checkpoint | None) -> tuple[int, str, str]:
    """Of a moment of the history whether its memory is kept, its generator, and its opponent."""
    if checkpoint is None:
        return 0, "[]", ITSELF
    return int(checkpoint.memory is not None), json.dumps(checkpoint.generator), checkpoint.opponent


def _change_rows(game: Game, checkpoints: Mapping[int, Checkpoint]) -> Iterator[tuple[int, str, str, int, int]]:
    """Rounds, position, move, and by how much number and times changed, for all that did from one to the next."""
    kept = {rounds: each for rounds, each in checkpoints.items() if each.memory is not None}
    times = {rounds: empty_memory(game) if each.times is None else each.times for rounds, each in kept.items()}
    numbers = {rounds: each.memory for rounds, each in kept.items() if each.memory is not None}
    chosen = dict(to_changes(game, times))
    for rounds, rows in to_changes(game, numbers):
        changed = {(position, move): (number, 0) for position, move, number in rows}
        for position, move, more in chosen[rounds]:
            changed[position, move] = (changed.get((position, move), (0, 0))[0], more)
        for (position, move), (number, more) in changed.items():
            yield rounds, position, move, number, more


def read_save(db: sqlite3.Connection, row: sqlite3.Row) -> Snapshot:
    """The snapshot of a row of `save`. Raises `BadText`; where the file is damaged, also other errors of Python."""
    game, key = parse_game(row["game"]), (row["id"],)
    numbers = db.execute("SELECT position, move, number FROM memory WHERE save = ? AND number IS NOT 0", key)
    times = db.execute("SELECT position, move, times FROM memory WHERE save = ? AND times IS NOT 0", key)
    history = db.execute("SELECT * FROM checkpoint WHERE save = ? ORDER BY rounds", key).fetchall()
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
            checkpoints=_checkpoints(db, row["id"], game, history),
            bulk=unpacked(row["bulk"]),
        )
    )


def _checkpoints(db: sqlite3.Connection, save: int, game: Game, history: list[sqlite3.Row]) -> dict[int, Checkpoint]:
    """What is kept of a save, of the moments of its history. Raises `BadText`."""
    kept = [moment["rounds"] for moment in history if moment["kept"]]
    changes: dict[int, tuple[list[Row], list[Row]]] = {rounds: ([], []) for rounds in kept}
    changed = db.execute("SELECT rounds, position, move, number, times FROM change WHERE save = ?", (save,))
    for rounds, position, move, *both in changed:
        if rounds not in changes:
            raise BadText(f"the memory after {rounds:,} rounds changed, but was not kept")
        for rows, number in zip(changes[rounds], both, strict=True):
            if number != 0:
                rows.append((position, move, number))
    memories: dict[int, Memory] = {}
    times: dict[int, Memory] = {}
    for rounds, (numbers, chosen) in changes.items():
        add_changed(game, memories, rounds, from_rows(game, numbers, least=-LARGEST_NUMBER))
        add_changed(game, times, rounds, from_rows(game, chosen, least=-LARGEST_NUMBER))
    return {
        moment["rounds"]: Checkpoint(
            generator=tuple(parse_array(moment["generator"])),
            opponent=moment["opponent"],
            memory=memories.get(moment["rounds"]),
            times=times.get(moment["rounds"]),
        )
        for moment in history
        if moment["kept"] or moment["generator"] != "[]"
    }
