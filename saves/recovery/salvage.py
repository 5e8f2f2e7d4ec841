"""Build a new library from the readable rows of a damaged one.

Each save is recovered unchanged, as its digest proves; or without its checkpoints; or at its latest consistent
checkpoint; or it is lost. The result says which.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import Final

from engine.game import BadText
from engine.space import TooLarge
from learners import kind_of
from learners.core.plural import counted_noun
from learners.core.snapshot import Snapshot
from learners.rewind import moments, rewound
from saves.encoding.check import checked
from saves.encoding.parameters import has_parameters, unpacked_parameters
from saves.library.rows import insert_save, read_unchecked, rename, rounds_of
from saves.names import numbered, parse_name
from saves.recovery.file_work import FileWork
from saves.sqlite.database import empty_library
from saves.sqlite.digest import digest_in
from saves.sqlite.pages import Data, PageCounts, Row, rows_of
from saves.strict_json import parse_object
from saves.times import is_time, now

KINDS: Final[dict[str, tuple[type, ...]]] = {
    "k": (type(None),),  # the primary key, which SQLite stores as the row's number
    "n": (int,),
    "t": (str,),
    "o": (str, type(None)),
    "b": (bytes,),
}
"""The types of a value, by kind of column."""
SHAPES: Final = {
    "save": "ktttttnttttotbt",
    "memory": "nttnn",
    "checkpoint": "nntntt",
    "change": "nnttnn",
    "parameters": "nnb",
    "game": "ktttttt",
}
"""The kinds of the columns of each table."""
NAMED: Final = "tn"
"""The kinds of the columns of the index `save_name`: the name and the number of the save."""
DEFAULT_NAME: Final = "recovered"
"""The name of a save whose own name is damaged."""
TABLES_OF_SAVES: Final = ("memory", "checkpoint", "change", "parameters")
"""The tables with rows that belong to a save."""
UNUSABLE: Final = (BadText, TooLarge, ValueError, TypeError, AttributeError, KeyError)
"""What may be raised when damaged rows are read as a snapshot."""


@dataclass(frozen=True)
class SalvagedSave:
    """The result for one save."""

    name: str
    trouble: str = ""
    """What is lost or may differ, for a message; empty if nothing is."""
    lost: bool = False
    deleted: bool = False
    """Whether it had been deleted, and can still be restored."""


@dataclass(frozen=True)
class Salvage:
    """A new library, and what was recovered."""

    library: bytes
    """The content of the new file."""
    saves: tuple[SalvagedSave, ...]
    games: int
    """The number of recovered finished games."""
    pages: int
    """The number of pages of the damaged file, including those that were cut off."""
    damaged: int
    """The number of pages that are missing or could not be read completely."""


def salvage(data: Data, work: FileWork | None = None) -> Salvage:
    """Build a new library from what can be read of `data`, possibly an empty one. Raises `Stopped`."""
    found = PageCounts()
    with closing(empty_library()) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("DROP INDEX save_name")
        named = _insert_rows(db, data, found, work or FileWork())
        for table in TABLES_OF_SAVES:
            db.execute(f"DELETE FROM {table} WHERE save NOT IN (SELECT id FROM save)")  # noqa: S608  constants
        saves = list(_saves(db, named))
        with closing(empty_library()) as fresh:
            (index,) = fresh.execute("SELECT sql FROM sqlite_schema WHERE name = 'save_name'").fetchone()
        db.execute(index)
        games = db.execute("SELECT count(*) FROM game").fetchone()[0]
        return Salvage(
            _compact(db.serialize()),
            tuple(saves),
            games,
            found.pages + found.missing,
            found.unreadable + found.missing,
        )


def _compact(data: bytes) -> bytes:
    """The library without unused pages. A second connection, since open cursors would block `VACUUM` on the first."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.deserialize(data)
        db.execute("VACUUM")
        return db.serialize()


def _insert_rows(db: sqlite3.Connection, data: Data, found: PageCounts, work: FileWork) -> dict[int, str]:
    """Insert every row into each table that it fits. Of several rows with the same key, the first is kept.

    Returns the names of saves, by number, in the index `save_name`.
    """
    named = {}
    for row in rows_of(data, found, work.advance):
        if _fits(row, NAMED):
            name, number = row.values
            named[int(str(number))] = str(name)
        for table, kinds in SHAPES.items():
            if _fits(row, kinds):
                values = [row.rowid if kind == "k" else value for kind, value in zip(kinds, row.values, strict=True)]
                places = ", ".join("?" * len(values))
                db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({places})", values)  # noqa: S608  constants
    return named


def _fits(row: Row, kinds: str) -> bool:
    return len(row.values) == len(kinds) and all(
        isinstance(value, KINDS[kind]) for value, kind in zip(row.values, kinds, strict=True)
    )


def _saves(db: sqlite3.Connection, named: dict[int, str]) -> Iterator[SalvagedSave]:
    """Repair or delete each save in the library, and yield the result for it."""
    taken: set[str] = set()
    numbers = [number for (number,) in db.execute("SELECT id FROM save ORDER BY id").fetchall()]
    yield from (
        SalvagedSave(name, "only its name can be read", lost=True)
        for number, name in sorted(named.items())
        if number not in numbers
    )
    for number in numbers:
        name, updated, when = db.execute("SELECT name, updated, deleted FROM save WHERE id = ?", (number,)).fetchone()
        deleted = when is not None
        known = _is_valid_name(name)
        if not known or (name in taken and not deleted):
            name = numbered(name if known else DEFAULT_NAME, taken)
            rename(db, number, name)
        if not deleted or not known:
            taken.add(name)
        dated = is_time(updated)
        if not dated:
            db.execute("UPDATE save SET updated = ? WHERE id = ?", (now(), number))
        try:
            trouble = _repair(db, number)
        except UNUSABLE as error:
            _delete_save(db, number)
            yield SalvagedSave(name, str(error), lost=True, deleted=deleted)
        else:
            parts = ("" if known else "its name could not be read", "" if dated else "its date could not be read")
            troubles = "; ".join(filter(None, (*parts, trouble)))
            yield SalvagedSave(name, troubles, deleted=deleted)


def _is_valid_name(name: str) -> bool:
    with suppress(BadText):
        return parse_name(name) == name
    return False


def _repair(db: sqlite3.Connection, number: int) -> str:
    """Reduce a save to its consistent part; return what is lost or may differ, if anything. Raises `UNUSABLE`."""
    row = db.execute("SELECT * FROM save WHERE id = ?", (number,)).fetchone()
    if is_unchanged(db, row):
        return ""
    try:
        trouble, snapshot = "something in it has changed", checked(read_unchecked(db, row))
    except UNUSABLE:
        trouble, snapshot = _consistent_part(db, row)
    _delete_save(db, number)
    insert_save(db, row["name"], row["created"], row["updated"], snapshot)
    db.execute("UPDATE save SET deleted = ? WHERE id = last_insert_rowid()", (row["deleted"],))
    return trouble


def _delete_save(db: sqlite3.Connection, number: int) -> None:
    """Delete a save with its rows in other tables, since another save may get its number."""
    db.execute("DELETE FROM save WHERE id = ?", (number,))
    for table in TABLES_OF_SAVES:
        db.execute(f"DELETE FROM {table} WHERE save = ?", (number,))  # noqa: S608  constants


def is_unchanged(db: sqlite3.Connection, row: sqlite3.Row) -> bool:
    """Whether the save of a row is consistent, and matches its digest."""
    try:
        checked(read_unchecked(db, row))
    except UNUSABLE:
        return False
    return bool(row["digest"] == digest_in(db, row["id"]))


def _last_parameters(db: sqlite3.Connection, row: sqlite3.Row) -> int | None:
    """The rounds of the last checkpoint with readable parameters.

    `None` if there is none, or if the present parameters of the save are readable.
    """
    if not has_parameters(row["learner"]):
        return None
    readable = set()
    with closing(db.execute("SELECT rounds, numbers FROM parameters WHERE save = ?", (row["id"],))) as rows:
        for rounds, numbers in rows:
            with suppress(BadText):
                unpacked_parameters(numbers)
                readable.add(rounds)
    if rounds_of(row["learner"], parse_object(row["stats"])) in readable:
        return None
    query = "SELECT rounds FROM checkpoint WHERE save = ? AND kept ORDER BY rounds DESC"
    return next((rounds for (rounds,) in db.execute(query, (row["id"],)).fetchall() if rounds in readable), None)


def _earlier_parameters(db: sqlite3.Connection, row: sqlite3.Row, rounds: int) -> tuple[str, Snapshot]:
    """What is lost of a save whose parameters are damaged, and the save as it was after `rounds`. Raises `UNUSABLE`.

    Earlier checkpoints are left out: they may be damaged as well.
    """
    db.execute(
        "UPDATE save SET (stats, generator, opponent) = "
        "(SELECT stats, generator, opponent FROM checkpoint WHERE save = :save AND rounds = :rounds) WHERE id = :save",
        {"save": row["id"], "rounds": rounds},
    )
    db.execute("DELETE FROM checkpoint WHERE save = ?", (row["id"],))
    moment = db.execute("SELECT * FROM save WHERE id = ?", (row["id"],)).fetchone()
    snapshot = checked(read_unchecked(db, moment))
    after = counted_noun(rounds, kind_of(snapshot).spec.round_noun)
    return f"what came after {after} is lost, and the rest may have changed", snapshot


def _consistent_part(db: sqlite3.Connection, row: sqlite3.Row) -> tuple[str, Snapshot]:
    """What is lost of a save or may differ, and its latest consistent state. Raises `UNUSABLE`."""
    try:
        snapshot = read_unchecked(db, row)
    except UNUSABLE:  # its checkpoints contradict each other, or parameters are damaged
        if (rounds := _last_parameters(db, row)) is not None:
            return _earlier_parameters(db, row, rounds)
        db.execute("DELETE FROM change WHERE save = ?", (row["id"],))
        db.execute("DELETE FROM checkpoint WHERE save = ?", (row["id"],))
        snapshot = read_unchecked(db, row)
    noun = kind_of(snapshot).spec.round_noun
    try:
        part = checked(replace(snapshot, history=(), checkpoints={}))
    except UNUSABLE as error:
        why = error
    else:
        return "its checkpoints are lost, and the rest may have changed", part
    try:
        known = moments(snapshot)[1:-1]
    except KeyError as error:
        raise BadText("its history cannot be read") from error
    for rounds in reversed(known):
        with suppress(*UNUSABLE):
            part = checked(rewound(snapshot, rounds))
            return f"what came after {counted_noun(rounds, noun)} is lost, and the rest may have changed", part
    raise why
