"""Write a snapshot to the tables of a library, and read it from them.

A digest of each save detects any change of its content. SQLite detects only damage to its own structure.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

import numpy as np

from engine.game import BadText, Game, quoted
from engine.games import parse_game
from engine.plural import counted_noun
from learners import find_kind, kind_of
from learners.core.snapshot import ITSELF, Checkpoint, Memory, Snapshot, checkpoint_of
from saves.encoding.check import check_snapshot
from saves.encoding.memory import (
    LARGEST_NUMBER,
    add_change,
    changes,
    compress,
    compress_parameters,
    decompress,
    decompress_parameters,
    empty_memory,
    from_double_rows,
    has_parameters,
    require_few_checkpoints,
    to_double_rows,
)
from saves.strict_json import parse_array, parse_object


def insert_save(db: sqlite3.Connection, name: str, created: str, updated: str, snapshot: Snapshot) -> None:
    """Insert a save. No other save may have its name; `created` and `updated` are times as text."""
    fields = (
        name,
        snapshot.learner,
        snapshot.game.name,
        snapshot.preset,
        snapshot.opponent,
        json.dumps(dict(snapshot.settings)),
        snapshot.seed,
        json.dumps(snapshot.generator),
        json.dumps(dict(snapshot.stats)),
        compress(snapshot.bulk),
    )
    spec = kind_of(snapshot).spec
    counted = spec.round_statistic
    times = np.zeros_like(snapshot.memory) if snapshot.times is None else snapshot.times
    memory = [] if spec.parameters else sorted(to_double_rows(snapshot.game, snapshot.memory, times))
    moments = [
        (stats[counted], json.dumps(dict(stats)), *_checkpoint_columns(snapshot.checkpoints.get(stats[counted])))
        for stats in snapshot.history
    ]
    parameters = _parameter_rows(snapshot.stats[counted], snapshot) if spec.parameters else []
    differences = [] if spec.parameters else sorted(_change_rows(snapshot.game, snapshot.checkpoints))
    digest = digest_of(([fields], memory, moments, differences, parameters))
    key = db.execute(
        "INSERT INTO save (created, updated, digest, "
        "name, learner, game, preset, opponent, settings, seed, generator, stats, bulk) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (created, updated, digest, *fields),
    ).lastrowid
    for table, columns, rows in (
        ("memory", "position, move, number, times", memory),
        ("checkpoint", "rounds, stats, kept, generator, opponent", moments),
        ("change", "rounds, position, move, number, times", differences),
        ("parameters", "rounds, numbers", parameters),
    ):
        places = ", ?" * len(columns.split())
        db.executemany(
            f"INSERT INTO {table} (save, {columns}) VALUES (?{places})",  # noqa: S608  constants
            ((key, *row) for row in rows),
        )


def _parameter_rows(rounds: int, snapshot: Snapshot) -> list[tuple[int, bytes]]:
    """Return rows of `parameters`, (rounds, parameters): one for each checkpoint, then one for the save itself."""
    rows = [(rounds, compress_parameters(snapshot.memory))]
    for at, checkpoint in snapshot.checkpoints.items():
        if at != rounds and checkpoint.memory is not None:
            rows.append((at, compress_parameters(checkpoint.memory)))
    return sorted(rows)


def rename(db: sqlite3.Connection, save: int, name: str) -> None:
    """Rename the save with the number `save`.

    If its digest was correct, compute the digest anew. A wrong digest is left alone, since it proves that the save was
    damaged.
    """
    (stored_digest,) = db.execute("SELECT digest FROM save WHERE id = ?", (save,)).fetchone()
    is_unchanged = stored_digest == digest_in(db, save)
    db.execute("UPDATE save SET name = ? WHERE id = ?", (name, save))
    if is_unchanged:
        db.execute("UPDATE save SET digest = ? WHERE id = ?", (digest_in(db, save), save))


def _checkpoint_columns(checkpoint: Checkpoint | None) -> tuple[int, str, str]:
    if checkpoint is None:
        return 0, "[]", ITSELF
    return int(checkpoint.packed_memory is not None), json.dumps(checkpoint.generator), checkpoint.opponent


def _change_rows(game: Game, checkpoints: Mapping[int, Checkpoint]) -> Iterator[tuple[int, str, str, int, int]]:
    """Yield rows of `change`: rounds, position, move, and the changes of number and times since the last checkpoint."""
    with_memory = {rounds: each for rounds, each in checkpoints.items() if each.packed_memory is not None}
    numbers = changes(game, (each.memory for each in with_memory.values()))
    times = changes(game, (each.times for each in with_memory.values()))
    for rounds, number_changes, times_changes in zip(with_memory, numbers, times, strict=True):
        for row in to_double_rows(game, number_changes, times_changes):
            yield rounds, *row


def read_save(db: sqlite3.Connection, row: sqlite3.Row) -> Snapshot:
    """Return the snapshot of a row of `save`. Raises `BadText`, and other errors of Python if the file is damaged."""
    return check_snapshot(read_unchecked(db, row))


def read_unchecked(db: sqlite3.Connection, row: sqlite3.Row, *, history: bool = True) -> Snapshot:
    """Return the snapshot of a row of `save`, without checks of its content. Raises the same errors as `read_save`.

    Without `history`, the history and the checkpoints are left out.
    """
    game, key = parse_game(row["game"]), (row["id"],)
    query = "SELECT rounds, stats, kept, generator, opponent FROM checkpoint WHERE save = ? ORDER BY rounds"
    moments = db.execute(query, key).fetchall() if history else []
    stats = parse_object(row["stats"])
    kept = [moment["rounds"] for moment in moments if moment["kept"]]
    require_few_checkpoints(len(kept))  # before anything is decompressed
    memory: Memory
    times: Memory | None
    if has_parameters(row["learner"]):
        if db.execute("SELECT 1 FROM memory WHERE save = ?", key).fetchone() is not None:
            raise BadText("its memory should hold parameters, but holds numbers of moves")
        memory, times = _read_parameters(db, row["id"], _rounds_of(row["learner"], stats)), None
        stored = {rounds: checkpoint_of(_read_parameters(db, row["id"], rounds)) for rounds in kept}
    else:
        memory, times = _read_numbers(db, game, "memory WHERE save = ?", key)
        stored = _read_checkpoints(db, row["id"], game, kept) if history else {}
    return Snapshot(
        learner=row["learner"],
        game=game,
        preset=row["preset"],
        opponent=row["opponent"],
        settings=parse_object(row["settings"]),
        seed=row["seed"],
        generator=tuple(parse_array(row["generator"])),
        stats=stats,
        history=tuple(parse_object(checkpoint["stats"]) for checkpoint in moments),
        memory=memory,
        times=times,
        checkpoints={
            moment["rounds"]: replace(
                stored.get(moment["rounds"], Checkpoint()),
                generator=tuple(parse_array(moment["generator"])),
                opponent=moment["opponent"],
            )
            for moment in moments
            if moment["kept"] or moment["generator"] != "[]"
        },
        bulk=decompress(row["bulk"]),
    )


def _read_numbers(
    db: sqlite3.Connection, game: Game, where: str, keys: tuple[int, ...], minimum: int = 1
) -> tuple[Memory, Memory]:
    """Return the numbers and the times in some rows of a table. Raises `BadText`."""
    query = f"SELECT position, move, number, times FROM {where}"  # noqa: S608  constants
    with closing(db.execute(query, keys)) as rows:
        return from_double_rows(game, rows, minimum=minimum)


def _rounds_of(learner: str, stats: Mapping[str, Any]) -> object:
    """Return the number of rounds in the statistics; `None` if it is missing, or the learner is unknown."""
    kind = find_kind(learner)
    return None if kind is None else stats.get(kind.spec.round_statistic)


def _read_parameters(db: sqlite3.Connection, save: int, rounds: object) -> Memory:
    row = db.execute("SELECT numbers FROM parameters WHERE save = ? AND rounds = ?", (save, rounds)).fetchone()
    if row is None:
        raise BadText(f"there are no parameters after {quoted(str(rounds))} rounds")
    return decompress_parameters(row["numbers"])


def _read_checkpoints(db: sqlite3.Connection, save: int, game: Game, kept: Sequence[int]) -> dict[int, Checkpoint]:
    """Return the checkpoints of a save after these numbers of rounds, with their memories. Raises `BadText`."""
    for (rounds,) in db.execute("SELECT DISTINCT rounds FROM change WHERE save = ?", (save,)).fetchall():
        if rounds not in kept:
            after = counted_noun(rounds, "round")
            raise BadText(f"there are changes after {after}, but no checkpoint with a memory")
    memory = times = empty_memory(game)
    stored: dict[int, Checkpoint] = {}
    before: Checkpoint | None = None
    for rounds in kept:
        keys, minimum = (save, rounds), -LARGEST_NUMBER
        number_changes, times_changes = _read_numbers(db, game, "change WHERE save = ? AND rounds = ?", keys, minimum)
        memory, times = add_change(game, memory, number_changes), add_change(game, times, times_changes)
        stored[rounds] = before = checkpoint_of(memory, times, before=before)
    return stored


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
"""The byte after each value, and after the rows of each query."""


def digest_of(results: Iterable[Iterable[Iterable[Value]]]) -> str:
    """Return the SHA-256 digest, in hexadecimal, of the rows that each query in `QUERIES` finds."""
    digest = sha256()
    for rows in results:
        for row in rows:
            for value in row:
                digest.update(value if isinstance(value, bytes) else str(value).encode())
                digest.update(SEPARATOR)
        digest.update(SEPARATOR)
    return digest.hexdigest()


def digest_in(db: sqlite3.Connection, save: int) -> str:
    """Return the digest of the save with the number `save`, computed from the rows of a library."""
    with ExitStack() as stack:

        def rows(query: str) -> Iterable[Iterable[Value]]:
            return stack.enter_context(closing(db.execute(query, (save,))))

        return digest_of(map(rows, QUERIES))
