"""The library: saves and finished games, together with the gallery."""

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Final, TypeVar

from engine.game import BadText, Game, quoted
from engine.plural import nearest_text
from learners import is_player, parse_player, revive
from learners.core.learner import PERSON
from learners.core.player import Player
from learners.core.save_ref import SAVE, first_free_name, is_save, parse_name, parse_save, short_label, split_filter
from learners.core.snapshot import ITSELF, Snapshot
from learners.players.filtered import FilteredPlayer, require_failures
from learners.rewind import rewind_to
from saves import gallery
from saves.encoding.check import check_snapshot
from saves.entry import Entry, make_entry, unreadable_entry
from saves.errors import LibraryError, NameTaken, NoSuchSave
from saves.library.game_record import ROW_ERRORS, PlayedGames
from saves.library.library_file import LibraryFile
from saves.library.snapshot_rows import insert_save, read_save, rename
from saves.paths import path_text
from saves.sqlite.database import reading
from saves.sqlite.error_codes import code_of
from saves.strict_json import parse_object
from saves.times import now

__all__ = ["Entry", "Library"]

T = TypeVar("T")

DELETED_FOR: Final = timedelta(days=30)
"""How long a deleted save can be restored."""
SELECT_ENTRY: Final = "SELECT name, learner, preset, game, updated, stats, deleted FROM save WHERE id = ?"
SELECT_NAMES: Final = "SELECT name FROM save INDEXED BY save_name WHERE deleted IS NULL"
"""A query that reads only the index, since rows may be damaged."""
SELECT_NAME: Final = f"{SELECT_NAMES} AND id = ?"
DAMAGED_ROW: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_TOOBIG)
"""The codes of SQLite for a row that cannot be read, although others may be readable."""


class Library(LibraryFile):
    """A library of saves in one file. Every method is one transaction and raises `LibraryError`."""

    def __init__(self, path: Path) -> None:
        """Use the library at a path, where no file needs to exist yet, without touching the disk."""
        super().__init__(path)
        self.games = PlayedGames(self)

    def entries(self) -> list[Entry]:
        """Return the entries of all saves, the newest first, then those of the gallery; no file means no saves."""
        saves = self._entries(deleted=False)
        names = {entry.name for entry in saves}
        return [*saves, *(entry for entry in gallery.entries() if entry.name not in names)]

    def deleted_entries(self) -> list[Entry]:
        """Return the entries of the saves that can be restored; the one deleted last comes first."""
        return self._entries(deleted=True)

    def _entries(self, *, deleted: bool) -> list[Entry]:
        """Return the entries of the saves, or of the deleted ones, the latest first, except any that are unreadable."""
        with reading(self.path) as db:
            numbers = sorted({number for (number,) in db.execute("SELECT id FROM save").fetchall()}, reverse=True)
            entries = [_read_entry(db, number, deleted=deleted) for number in numbers]
        wanted = [entry for entry in entries if entry is not None]
        return sorted(wanted, key=lambda entry: entry.deleted or entry.updated, reverse=True)

    def load(self, name: str) -> Snapshot:
        """Return the save with this name, else that of the gallery; `NAME@50` is its checkpoint after 50 rounds.

        Raises `NoSuchSave`, also for a checkpoint that does not exist, and `LibraryError`.
        """
        reference = _parse_existing(parse_save, name)
        try:
            snapshot = self._load(reference.name)
        except LibraryError:
            if reference.name not in gallery.names():
                raise
            snapshot = gallery.load(reference.name)
        if reference.rounds is None:
            return snapshot
        try:
            return rewind_to(snapshot, reference.rounds)
        except BadText as error:
            raise NoSuchSave(f"{quoted(reference.name)}: {error}") from error

    def _load(self, name: str) -> Snapshot:
        try:
            with reading(self.path) as db:
                return read_save(db, _require_save(db, name, "*"))
        except ROW_ERRORS as error:
            raise self._unusable_error(name, error) from error

    def stamp(self, name: str) -> str | None:
        """Return a text that changes whenever the save with this name changes; `None` if there is no such save."""
        with reading(self.path) as db:
            row = _row_of(db, name, "updated")
        return None if row is None else str(row["updated"])

    def save(self, name: str, snapshot: Snapshot, *, replace: bool = False, since: str | None = None) -> str:
        """Save a learner under a name; return its stamp. Raises `NameTaken`, `BadText`, `LibraryError`.

        A save with that name is replaced only with `replace` and, if `since` is given, only if its stamp is still
        `since`, so that the work of another program is not overwritten.
        """
        name, snapshot = parse_name(name), check_snapshot(snapshot)
        with self.writing(create=True) as db:
            if not replace or name in gallery.names():
                _refuse_taken(db, name)
            return _put_save(db, name, snapshot, since)

    def save_free(self, stem: str, snapshot: Snapshot) -> tuple[str, str]:
        """Save a learner under a free name, as `free_name` finds it; no other program can take the name meanwhile.

        Return the name and the stamp. Raises `BadText`, `LibraryError`.
        """
        stem, snapshot = parse_name(stem), check_snapshot(snapshot)
        with self.writing(create=True) as db:
            name = first_free_name(stem, _names(db))
            return name, _put_save(db, name, snapshot, None)

    def change(self, name: str, make_change: Callable[[Snapshot], Snapshot]) -> None:
        """Replace a save by the result of `make_change`, which gets the present one, in one transaction.

        Raises `NoSuchSave`, `BadText`, `LibraryError`, and whatever `make_change` raises.
        """
        name = _parse_existing(parse_name, name)
        with self.writing() as db:
            row = _require_save(db, name, "*")
            try:
                snapshot = read_save(db, row)
            except ROW_ERRORS as error:
                raise self._unusable_error(name, error) from error
            _put_save(db, name, check_snapshot(make_change(snapshot)), None)

    def rename(self, old: str, new: str) -> None:
        """Rename a save. Raises `NoSuchSave`, `NameTaken`, `BadText`, `LibraryError`."""
        old, new = _parse_existing(parse_name, old), parse_name(new)
        with self.writing() as db:
            row = _require_save(db, old)
            if new != old:
                _refuse_taken(db, new)
            rename(db, row["id"], new)

    def delete(self, name: str) -> None:
        """Delete a save; it can be restored for 30 days. Raises `NoSuchSave`, `LibraryError`."""
        name = _parse_existing(parse_name, name)
        with self.writing() as db:
            db.execute("UPDATE save SET deleted = ? WHERE id = ?", (now(), _require_save(db, name)["id"]))
            db.execute("DELETE FROM save WHERE deleted < ?", (now(-DELETED_FOR),))

    def undelete(self, name: str, new: str | None = None) -> None:
        """Restore the last save that was deleted under this name; with `new`, give it that name.

        Raises `NoSuchSave`, `NameTaken`, `BadText`, `LibraryError`.
        """
        name = _parse_existing(parse_name, name)
        new = name if new is None else parse_name(new)
        with self.writing() as db:
            row = db.execute(
                "SELECT id FROM save WHERE name = ? AND deleted IS NOT NULL ORDER BY deleted DESC, id DESC", (name,)
            ).fetchone()
            if row is None:
                raise NoSuchSave(f"no deleted save {quoted(name)}: noughts saves list --deleted lists them")
            _refuse_taken(db, new)
            if new != name:
                rename(db, row["id"], new)
            db.execute("UPDATE save SET deleted = NULL WHERE id = ?", row)

    def names(self) -> set[str]:
        """Return the names that are taken: those of all saves and of the gallery."""
        with reading(self.path) as db:
            return _names(db)

    def free_name(self, stem: str) -> str:
        """Return `stem`, or the first of `stem 2`, `stem 3` … that no save has. Raises `BadText`, `LibraryError`."""
        return first_free_name(parse_name(stem), self.names())

    def player(self, label: str, game: Game) -> Player:
        """Return the player with this label: `save:NAME`, `save:NAME@ROUNDS`, or a player that needs no training.

        After any of these, `~NAME` adds a save with failures, which filters the player's moves. Raises `BadText`,
        `LibraryError`.
        """
        player, name = split_filter(label)
        if name is not None:
            return FilteredPlayer(self.player(player, game), require_failures(self.player(SAVE + name, game)))
        if not is_save(label):
            return self._untrained_player(label, game)
        reference = _parse_existing(parse_save, short_label(label))
        snapshot = self.load(str(reference))
        if snapshot.game != game:
            raise BadText(f"{quoted(label)} plays {snapshot.game.title}, not {game.title}")
        learner = revive(snapshot)
        learner.label = reference.label
        return learner

    def _untrained_player(self, label: str, game: Game) -> Player:
        if not is_player(label) and label.partition("@")[0] in self.names():
            raise BadText(f"no player {quoted(label)}; the save of this name is {quoted(SAVE + label)}")
        return parse_player(label, game)

    def opponent(self, label: str, game: Game) -> Player | None:
        """Return a training's opponent by its label; `None` for self-play. Raises `BadText`, also for a person."""
        if label == PERSON:
            raise BadText(
                f"{quoted(label)}: a person cannot be the opponent of a training: play against the save at the board"
            )
        return None if label == ITSELF else self.player(label, game)

    def _unusable_error(self, name: str, error: Exception) -> LibraryError:
        return LibraryError(f"the save {quoted(str(name))} in {path_text(self.path)} cannot be used: {error}")


def _read_entry(db: sqlite3.Connection, number: int, *, deleted: bool) -> Entry | None:
    """Return the entry of a save; `None` unless its state is the wanted one, deleted or not."""
    name = "?"
    try:
        row = db.execute(SELECT_ENTRY, (number,)).fetchone()
        if row is None or (row["deleted"] is not None) != deleted:
            return None
        name = row["name"]
        fields = {**dict(row), "stats": parse_object(row["stats"])}
        return make_entry(name, fields, row["updated"], row["deleted"])
    except ROW_ERRORS as error:
        return unreadable_entry(str(name), str(error))
    except sqlite3.Error as error:
        if code_of(error) not in DAMAGED_ROW:
            raise
        name_row = db.execute(SELECT_NAME, (number,)).fetchone()
        if deleted or name_row is None:
            raise
        return unreadable_entry(name_row["name"], "its row is damaged")


def _parse_existing(parse: Callable[[str], T], text: str) -> T:
    """Parse the name of a save that should exist. Raises `NoSuchSave` for a text that cannot be a name."""
    try:
        return parse(text)
    except BadText as error:
        raise NoSuchSave(f"no save with that name: {error}") from error


def _row_of(db: sqlite3.Connection, name: str, columns: str = "id") -> sqlite3.Row | None:
    """Return these columns of the row of a save; `None` if there is no such save, or it is deleted."""
    query = f"SELECT {columns} FROM save WHERE name = ? AND deleted IS NULL"  # noqa: S608  constants
    row: sqlite3.Row | None = db.execute(query, (name,)).fetchone()
    return row


def _require_save(db: sqlite3.Connection, name: str, columns: str = "id") -> sqlite3.Row:
    row = _row_of(db, name, columns)
    if row is not None:
        return row
    if name in gallery.names():
        raise NoSuchSave(f"{quoted(name)} belongs to the gallery and cannot be changed")
    rows = db.execute("SELECT name FROM save WHERE deleted IS NULL ORDER BY id").fetchall()
    known = [str(row["name"]) for row in rows]
    raise NoSuchSave(f"no save {quoted(name)} in the library{nearest_text(name, [*known, *gallery.names()])}")


def _names(db: sqlite3.Connection) -> set[str]:
    return {str(name) for (name,) in db.execute(SELECT_NAMES).fetchall()}.union(gallery.names())


def _put_save(db: sqlite3.Connection, name: str, snapshot: Snapshot, since: str | None) -> str:
    """Insert a save, or replace the one with this name; return its stamp. Raises `NameTaken`."""
    old = _row_of(db, name, "id, created, updated")
    if since is not None and old and old["updated"] != since:
        raise NameTaken(f"another program has changed {quoted(name)}: choose another name")
    stamp = now()
    if old:
        db.execute("DELETE FROM save WHERE id = ?", (old["id"],))
    insert_save(db, name, old["created"] if old else stamp, stamp, snapshot)
    return stamp


def _refuse_taken(db: sqlite3.Connection, name: str) -> None:
    if name in gallery.names():
        raise NameTaken(f"{quoted(name)} belongs to the gallery: choose another name")
    if _row_of(db, name):
        raise NameTaken(f"there is a save {quoted(name)} already: choose another name")
