"""The library: what a person keeps, and the gallery beside it."""

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from engine.game import BadText, Game, quoted
from engine.games import parse_game
from learners import parse_player, revive
from learners.core.learner import PERSON
from learners.core.player import Player
from learners.core.snapshot import ITSELF, Snapshot
from learners.rewind import rewound
from saves import gallery
from saves.encoding.check import checked
from saves.entry import Entry, make_entry
from saves.errors import LibraryError, NameTaken, NoSuchSave
from saves.library.library_file import now
from saves.library.played_games import Played
from saves.library.rows import insert_save, read_save, rename
from saves.names import SAVE, Moment, numbered, parse_moment, parse_name
from saves.paths import shown
from saves.sqlite.database import reading
from saves.strict_json import parse_object

__all__ = ["SAVE", "Entry", "Library"]

KEPT_ASIDE: Final = timedelta(days=30)
"""How long a deleted save can be brought back."""
LISTED: Final = "SELECT name, learner, preset, game, updated, stats, deleted FROM save"
"""What an entry is made of."""
DAMAGES: Final = (ValueError, TypeError, AttributeError)
"""What reading a save may raise: a damaged page can hold anything, in columns of any type."""


class Library(Played):
    """The saves in one file, and the games played. Every method opens it, works in one transaction, and closes it."""

    def entries(self) -> list[Entry]:
        """Every save, the newest first, then the gallery. A missing file is an empty library, and stays missing."""
        with reading(self.path) as db:
            rows = db.execute(f"{LISTED} WHERE deleted IS NULL ORDER BY updated DESC, id DESC").fetchall()
        saves = [self._entry(row) for row in rows]
        names = {entry.name for entry in saves}
        return [*saves, *(entry for entry in self.gallery() if entry.name not in names)]

    def deleted(self) -> list[Entry]:
        """Every save that can be brought back, the one deleted last first."""
        with reading(self.path) as db:
            rows = db.execute(f"{LISTED} WHERE deleted IS NOT NULL ORDER BY deleted DESC, id DESC").fetchall()
        return [self._entry(row) for row in rows]

    def gallery(self) -> list[Entry]:
        """The brains that ship with the program: there whatever has become of the library."""
        return list(gallery.entries())

    def _entry(self, row: sqlite3.Row) -> Entry:
        try:
            fields = {name: row[name] for name in ("learner", "preset", "game")}  # whatever their case in the file
            fields["stats"] = parse_object(row["stats"])
            return make_entry(row["name"], fields, row["updated"], row["deleted"])
        except DAMAGES as error:
            raise self._unusable(row["name"], error) from error

    def load(self, name: str) -> Snapshot:
        """The save of that name, else the brain of the gallery; `NAME@50` is it as it was after 50 rounds.

        Raises `NoSuchSave`, also for a moment that is not known, `LibraryError`.
        """
        moment = _wanted_moment(name)
        try:
            snapshot = self._load(moment.name)
        except LibraryError:
            if moment.name not in gallery.names():
                raise
            snapshot = gallery.load(moment.name)
        if moment.rounds is None:
            return snapshot
        try:
            return rewound(snapshot, moment.rounds)
        except BadText as error:
            raise NoSuchSave(f"{quoted(moment.name)}: {error}") from error

    def _load(self, name: str) -> Snapshot:
        try:
            with reading(self.path) as db:
                row = db.execute("SELECT * FROM save WHERE name = ? AND deleted IS NULL", (name,)).fetchone()
                if row is None:
                    raise _no_save(name)
                return read_save(db, row)
        except DAMAGES as error:
            raise self._unusable(name, error) from error

    def stamp(self, name: str) -> str | None:
        """A text that changes whenever the save of that name does; `None` without one. Raises `LibraryError`."""
        with reading(self.path) as db:
            row = db.execute("SELECT updated FROM save WHERE name = ? AND deleted IS NULL", (name,)).fetchone()
        return None if row is None else str(row["updated"])

    def save(self, name: str, snapshot: Snapshot, *, replace: bool = False, since: str | None = None) -> str:
        """Keep a learner under a name; returns its stamp. Raises `NameTaken`, `BadText`, `LibraryError`.

        A save of that name is replaced only with `replace` and, where `since` is given, only if it still bears that
        stamp: what another program has saved meanwhile is not lost.
        """
        name, snapshot = parse_name(name), checked(snapshot)
        with self._writing(create=True) as db:
            if not replace or name in gallery.names():
                _refuse_taken(db, name)
            return _put(db, name, snapshot, since)

    def change(self, name: str, changed: Callable[[Snapshot], Snapshot]) -> None:
        """Put what `changed` makes of a save in its place, with nobody writing in between.

        Raises `NoSuchSave`, `BadText`, `LibraryError`, and whatever `changed` raises.
        """
        name = _wanted(name)
        with self._writing() as db:
            _require(db, name)
            row = db.execute("SELECT * FROM save WHERE name = ? AND deleted IS NULL", (name,)).fetchone()
            try:
                snapshot = read_save(db, row)
            except DAMAGES as error:
                raise self._unusable(name, error) from error
            _put(db, name, checked(changed(snapshot)), None)

    def rename(self, old: str, new: str) -> None:
        """Give a save another name. Raises `NoSuchSave`, `NameTaken`, `BadText`, `LibraryError`."""
        old, new = _wanted(old), parse_name(new)
        with self._writing() as db:
            _require(db, old)
            if new != old:
                _refuse_taken(db, new)
            (number,) = db.execute("SELECT id FROM save WHERE name = ? AND deleted IS NULL", (old,)).fetchone()
            rename(db, number, new)

    def delete(self, name: str) -> None:
        """Put a save aside, for 30 days at least. Raises `NoSuchSave`, `LibraryError`."""
        name = _wanted(name)
        with self._writing() as db:
            _require(db, name)
            db.execute("UPDATE save SET deleted = ? WHERE name = ? AND deleted IS NULL", (now(), name))
            db.execute("DELETE FROM save WHERE deleted < ?", (now(-KEPT_ASIDE),))

    def undelete(self, name: str, new: str | None = None) -> None:
        """Bring back the save of that name deleted last, under a new one where that is given.

        Raises `NoSuchSave`, `NameTaken`, `BadText`, `LibraryError`.
        """
        name = _wanted(name)
        new = name if new is None else parse_name(new)
        with self._writing() as db:
            row = db.execute(
                "SELECT id FROM save WHERE name = ? AND deleted IS NOT NULL ORDER BY deleted DESC, id DESC", (name,)
            ).fetchone()
            if row is None:
                raise NoSuchSave(f"no deleted save {quoted(name)}: noughts saves list --deleted tells which there are")
            _refuse_taken(db, new)
            if new != name:
                rename(db, row["id"], new)
            db.execute("UPDATE save SET deleted = NULL WHERE id = ?", row)

    def free_name(self, stem: str) -> str:
        """`stem`, or the first of `stem 2`, `stem 3` … that is free. Raises `BadText`, `LibraryError`."""
        return numbered(parse_name(stem), {entry.name for entry in self.entries()})

    def player(self, label: str, game: Game) -> Player:
        """The player of that label: `save:NAME`, it at a moment, or one that needs no training.

        Raises `BadText`, `LibraryError`.
        """
        if not label.startswith(SAVE):
            return parse_player(label, game)
        moment = _wanted_moment(label.removeprefix(SAVE))
        snapshot = self.load(str(moment))
        if snapshot.game != game.name:
            raise BadText(f"{quoted(label)} plays {parse_game(snapshot.game).title}, not {game.title}")
        learner = revive(snapshot, game)
        learner.label = f"{SAVE}{moment}"
        return learner

    def opponent(self, label: str, game: Game) -> Player | None:
        """Whom a learner trains against; `None` is self-play. Raises `BadText`, also for a person, `LibraryError`."""
        if label == PERSON:
            raise BadText(f"{quoted(label)}: a person's games are learned from at the board, one after another")
        return None if label == ITSELF else self.player(label, game)

    def _unusable(self, name: str, error: Exception) -> LibraryError:
        return LibraryError(f"the save {quoted(str(name))} in {shown(self.path)} cannot be used: {error}")


def _wanted(name: str) -> str:
    """A name as it stands in the library. Raises `NoSuchSave` for one that cannot."""
    try:
        return parse_name(name)
    except BadText as error:
        raise NoSuchSave(f"no save of that name: {error}") from error


def _wanted_moment(text: str) -> Moment:
    """A save, or a moment of it, as it is written. Raises `NoSuchSave` for one that cannot be."""
    try:
        return parse_moment(text)
    except BadText as error:
        raise NoSuchSave(f"no save of that name: {error}") from error


def _exists(db: sqlite3.Connection, name: str) -> bool:
    return db.execute("SELECT 1 FROM save WHERE name = ? AND deleted IS NULL", (name,)).fetchone() is not None


def _require(db: sqlite3.Connection, name: str) -> None:
    if not _exists(db, name):
        raise _no_save(name)


def _no_save(name: str) -> NoSuchSave:
    if name in gallery.names():
        return NoSuchSave(f"{quoted(name)} belongs to the gallery and stays as it is")
    return NoSuchSave(f"no save {quoted(name)} in the library")


def _put(db: sqlite3.Connection, name: str, snapshot: Snapshot, since: str | None) -> str:
    """Write a save in the place of the one of that name, if there is one; returns its stamp. Raises `NameTaken`."""
    old = db.execute("SELECT id, created, updated FROM save WHERE name = ? AND deleted IS NULL", (name,)).fetchone()
    if since is not None and old and old["updated"] != since:
        raise NameTaken(f"{quoted(name)} was changed by another program meanwhile: choose another name")
    stamp = now()
    if old:
        db.execute("DELETE FROM save WHERE id = ?", (old["id"],))
    insert_save(db, name, old["created"] if old else stamp, stamp, snapshot)
    return stamp


def _refuse_taken(db: sqlite3.Connection, name: str) -> None:
    if name in gallery.names():
        raise NameTaken(f"{quoted(name)} belongs to the gallery: choose another name")
    if _exists(db, name):
        raise NameTaken(f"there is a save {quoted(name)} already: choose another name")
