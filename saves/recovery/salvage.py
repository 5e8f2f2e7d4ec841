"""A library made anew from what can still be read of a damaged one: rows first, then the saves that they make up.

A save is taken as it was kept, which its digest proves; or without its earlier moments; or at the latest of them that
can be a moment of it. Which of these, or that it is lost, is told of each.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import Final

from engine.game import BadText
from engine.space import TooLarge
from learners import parse_learner
from learners.core.plural import plural
from learners.core.snapshot import Snapshot
from learners.rewind import moments, rewound
from saves.encoding.check import checked
from saves.library.library_file import now
from saves.library.rows import insert_save, read_unchecked, rename
from saves.names import numbered, parse_name
from saves.recovery.file_work import FileWork
from saves.sqlite.database import empty_library
from saves.sqlite.digest import digest_in
from saves.sqlite.pages import Data, Found, Row, rows_of
from saves.times import is_time

KINDS: Final[dict[str, tuple[type, ...]]] = {
    "k": (type(None),),  # the key, which is the number of the row
    "n": (int,),
    "t": (str,),
    "o": (str, type(None)),
    "b": (bytes,),
}
SHAPES: Final = {
    "save": ("ktttttnttttotbt", 12),
    "memory": ("nttnn", 4),
    "checkpoint": ("nntntt", 3),
    "change": ("nnttnn", 5),
    "game": ("ktttttt", 7),
}
"""What the columns of each table hold, and how many of them the first version had."""
NAMED: Final = "tn"
"""A row of the index of names: the name, and the number of the save."""
NAMELESS: Final = "recovered"
"""What a save is called whose name cannot be one."""
OF_SAVES: Final = ("memory", "checkpoint", "change")
UNUSABLE: Final = (BadText, TooLarge, ValueError, TypeError, AttributeError, KeyError)
"""What making a snapshot of odd rows may raise."""


@dataclass(frozen=True)
class Salvaged:
    """What has become of one save."""

    name: str
    trouble: str = ""
    """What of it is not as it was kept."""
    lost: bool = False
    unproven: bool = False
    """Whether its memory can be used, and nothing tells how that was kept: a program that wrote no digest kept it."""
    deleted: bool = False
    """Whether it had been deleted, and can still be brought back."""


@dataclass(frozen=True)
class Salvage:
    """A new library and what is in it."""

    library: bytes
    """As a file, of today's version."""
    saves: tuple[Salvaged, ...]
    games: int
    pages: int
    """How many the damaged file has, or had before it was cut off."""
    damaged: int
    """How many of them are not there, or hold something that could not be read."""


def salvage(data: Data, work: FileWork | None = None) -> Salvage:
    """The library made of what can be read of `data`: an empty one, if need be. Raises `Stopped`."""
    found = Found()
    with closing(empty_library()) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("DROP INDEX save_name")
        named = _take_rows(db, data, found, work or FileWork())
        for table in OF_SAVES:
            db.execute(f"DELETE FROM {table} WHERE save NOT IN (SELECT id FROM save)")  # noqa: S608  our own words
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
    """A library without gaps, made where nothing can still be in the middle of reading it."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.deserialize(data)
        db.execute("VACUUM")
        return db.serialize()


def _take_rows(db: sqlite3.Connection, data: Data, found: Found, work: FileWork) -> dict[int, str]:
    """Put every row into its table, the first where two are of one key; returns the names in the index of names."""
    columns = {table: [each["name"] for each in db.execute(f"PRAGMA table_info({table})")] for table in SHAPES}
    named = {}
    for row in rows_of(data, found, work.advance):
        if _fits(row, NAMED):
            name, number = row.values
            named[int(str(number))] = str(name)
        for table, (kinds, least) in SHAPES.items():
            if least <= len(row.values) and _fits(row, kinds[: len(row.values)]):
                values = [row.rowid if kind == "k" else value for kind, value in zip(kinds, row.values, strict=False)]
                written = ", ".join(columns[table][: len(values)])
                db.execute(
                    f"INSERT OR IGNORE INTO {table} ({written}) VALUES ({', '.join('?' * len(values))})",  # noqa: S608
                    values,
                )
    # what the first versions did not tell of a checkpoint
    db.execute(
        "UPDATE checkpoint SET opponent = coalesce((SELECT opponent FROM save WHERE id = save), opponent) "
        "WHERE generator = '[]' AND kept"
    )
    return named


def _fits(row: Row, kinds: str) -> bool:
    return len(row.values) == len(kinds) and all(
        isinstance(value, KINDS[kind]) for value, kind in zip(row.values, kinds, strict=True)
    )


def _saves(db: sqlite3.Connection, named: dict[int, str]) -> Iterator[Salvaged]:
    """What becomes of each save, while the library is made to hold that."""
    taken: set[str] = set()
    numbers = [number for (number,) in db.execute("SELECT id FROM save ORDER BY id")]
    yield from (
        Salvaged(name, "nothing but its name can be read", lost=True)
        for number, name in sorted(named.items())
        if number not in numbers
    )
    for number in numbers:
        name, updated, when = db.execute("SELECT name, updated, deleted FROM save WHERE id = ?", (number,)).fetchone()
        deleted = when is not None
        known = _known(name)
        if not known or (name in taken and not deleted):
            name = numbered(name if known else NAMELESS, taken)
            rename(db, number, name)
        if not deleted or not known:
            taken.add(name)
        dated = is_time(updated)
        if not dated:
            db.execute("UPDATE save SET updated = ? WHERE id = ?", (now(), number))
        try:
            trouble = _keep(db, number)
        except UNUSABLE as error:
            _take_out(db, number)
            yield Salvaged(name, str(error), lost=True, deleted=deleted)
        else:
            unmarked = db.execute("SELECT 1 FROM save WHERE id = ? AND digest = ''", (number,)).fetchone() is not None
            if unmarked:
                db.execute("UPDATE save SET digest = ? WHERE id = ?", (digest_in(db, number), number))
            beside = ("" if known else "its name could not be read", "" if dated else "its date could not be read")
            told = "; ".join(filter(None, (*beside, trouble)))
            yield Salvaged(name, told, unproven=unmarked and not trouble, deleted=deleted)


def _known(name: str) -> bool:
    """Whether a save can be called so."""
    with suppress(BadText):
        return parse_name(name) == name
    return False


def _keep(db: sqlite3.Connection, number: int) -> str:
    """Let the library hold of a save what is sound of it; returns what is not as it was kept. Raises `UNUSABLE`."""
    row = db.execute("SELECT * FROM save WHERE id = ?", (number,)).fetchone()
    if is_unharmed(db, row):
        return ""
    try:
        trouble, snapshot = "something in it is not as it was kept", checked(read_unchecked(db, row))
    except UNUSABLE:
        trouble, snapshot = _sound_part(db, row)
    _take_out(db, number)
    insert_save(db, row["name"], row["created"], row["updated"], snapshot)
    db.execute("UPDATE save SET deleted = ? WHERE id = last_insert_rowid()", (row["deleted"],))
    return trouble


def _take_out(db: sqlite3.Connection, number: int) -> None:
    """Remove a save with all that belongs to it: another may get its number."""
    db.execute("DELETE FROM save WHERE id = ?", (number,))
    for table in OF_SAVES:
        db.execute(f"DELETE FROM {table} WHERE save = ?", (number,))  # noqa: S608  our own words


def is_unharmed(db: sqlite3.Connection, row: sqlite3.Row) -> bool:
    """Whether a row of `save`, and what belongs to it, is as it was kept, as far as that was written down."""
    try:
        checked(read_unchecked(db, row))
    except UNUSABLE:
        return False
    return row["digest"] in ("", digest_in(db, row["id"]))


def _sound_part(db: sqlite3.Connection, row: sqlite3.Row) -> tuple[str, Snapshot]:
    """What is not as it was kept, and the latest that is. Raises `UNUSABLE`."""
    try:
        snapshot = read_unchecked(db, row)
    except UNUSABLE:  # its memories do not fit together
        db.execute("DELETE FROM change WHERE save = ?", (row["id"],))
        db.execute("DELETE FROM checkpoint WHERE save = ?", (row["id"],))
        snapshot = read_unchecked(db, row)
    noun = parse_learner(snapshot.learner).spec.round_noun
    try:
        part = checked(replace(snapshot, history=(), checkpoints={}))
    except UNUSABLE as error:
        why = error
    else:
        return "its earlier moments are lost, and the rest may differ from what was kept", part
    try:
        known = moments(snapshot)[1:-1]
    except KeyError as error:
        raise BadText("its history cannot be read") from error
    for rounds in reversed(known):
        with suppress(*UNUSABLE):
            part = checked(rewound(snapshot, rounds))
            after = f"{rounds:,} {plural(noun, rounds)}"
            return f"what came after {after} is lost, and the rest may differ from what was kept", part
    raise why
