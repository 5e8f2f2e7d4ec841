"""Replace a library by a backup, or a damaged library by its newest backup and what SQL can still read.

The replaced library stays beside the new one. Meanwhile other threads of this process wait; so do other programs, if
SQLite can still open the library. If it cannot, no other program can write to the library either.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, Final

from engine.game import BadText
from engine.space import TooLarge
from engine.stop import Stop, Stopped, never
from learners.core.save_ref import first_free_name, parse_name
from learners.core.snapshot import Snapshot
from saves.backups import Backups
from saves.encoding.check import check_snapshot
from saves.errors import UNCHANGED, Damaged, LibraryError, NotALibrary, file_errors
from saves.files import INDEX, LOGS, folder_lock, is_there, paths_beside, write_bytes
from saves.library.snapshot_rows import digest_in, insert_save, read_unchecked
from saves.open_libraries import reserve_files
from saves.paths import path_text
from saves.sqlite.damage_check import DAMAGE_ERRORS, in_memory, readable_rows, sound_copy
from saves.sqlite.database import PATIENCE, empty_library, reading
from saves.sqlite.error_codes import BUSY, code_of, message_for
from saves.sqlite.guard import guard, unlimited_time
from saves.times import is_time, now

UNUSABLE: Final = (BadText, TooLarge, ValueError, TypeError, AttributeError, KeyError, *DAMAGE_ERRORS)
"""The errors that damaged rows may raise when they are read as a snapshot."""
ALL_SUFFIXES: Final = (*LOGS, "")
"""The suffixes of the files of a library, its own last, so that an interrupted copy does not look complete."""
NAME_WITHOUT: Final = "recovered"
"""The name given to a save whose own name is damaged."""
PRIMARY_KEYS: Final = {
    "save": ("id",),
    "memory": ("save", "position", "move"),
    "checkpoint": ("save", "rounds"),
    "change": ("save", "rounds", "position", "move"),
    "parameters": ("save", "rounds"),
    "game": ("id",),
}
Files = Mapping[str, BinaryIO]
"""The files of a library, open for reading, by their suffix."""


@dataclass(frozen=True)
class RecoveredSave:
    """What was recovered of one save."""

    name: str
    trouble: str = ""
    """What is lost or may differ, for a message; empty if nothing is."""
    lost: bool = False
    deleted: bool = False
    """Whether the save had been deleted, and can still be restored."""


@dataclass(frozen=True)
class Recovery:
    """What was recovered of a damaged library."""

    aside: Path
    """The unchanged copy of the damaged library."""
    backup: datetime | None
    """The time, in UTC, of the backup with which the new library begins; `None` if there is no backup."""
    saves: tuple[RecoveredSave, ...]
    games: int


def restore(path: Path, backup: Path) -> Path | None:
    """Replace a library by a backup of it; return the path of the replaced library, `None` if there was none.

    Raises `LibraryError`, also for a backup that is damaged or not a library; then nothing was changed.
    """
    if not is_there(backup):
        raise LibraryError(f"there is no backup at {path_text(backup)}")
    with reading(backup) as db:
        data = sound_copy(db, backup)
    with _translate_errors(path, "restored"):
        path = path.resolve()
        with folder_lock(path.parent, PATIENCE), reserve_files(path):
            if not _parts(path):
                write_bytes(path, data, replace=True, like=backup)
                return None
            with _locked_files(path) as files:
                return _replace(path, files, data, "replaced")


def recover(path: Path, stop: Stop = never) -> Recovery | None:
    """Replace a damaged library by its newest backup and what can still be read of it; return `None` for a sound one.

    Raises `LibraryError` if there is no library, if there is no backup and nothing can be read, if a later version of
    the program wrote the library, or if another program keeps using it; raises `Stopped` soon after `stop()` is true.
    An error means that nothing was changed.
    """
    if not is_there(path):
        raise LibraryError(f"there is no library at {path_text(path)}: nothing to recover")
    with _translate_errors(path, "recovered"):
        path = path.resolve()
        if not any(part.stat().st_size for part in _parts(path)) and not Backups(path).entries():
            raise LibraryError(f"{path_text(path)} is empty: nothing to recover")
        if is_sound(path, stop):  # without the lock of the folder, which blocks changes of the settings in it
            return None
        with folder_lock(path.parent, PATIENCE), reserve_files(path), _locked_files(path) as files:
            made, data = _newest_backup(path)
            with _copy_files(files) as copy:
                with suppress(LibraryError):  # for another database
                    if is_sound(copy, stop):  # another program has recovered it meanwhile
                        return None
                with closing(empty_library() if data is None else in_memory(data)) as new:
                    merge = _Merge(new, made, stop)
                    merge.add_readable(copy)
                    if not merge.saves and not merge.games and data is None:
                        name = path_text(path)
                        raise LibraryError(f"{name} was not changed: it contains no readable data of a library")
                    library = sound_copy(new, path)
            return Recovery(_replace(path, files, library, "damaged"), made, tuple(merge.saves), merge.games)


@contextmanager
def _translate_errors(path: Path, what: str) -> Iterator[None]:
    try:
        with file_errors(f"{path_text(path)} cannot be {what}", UNCHANGED):
            yield
    except sqlite3.Error as error:
        raise LibraryError(message_for(code_of(error), path)) from error


@contextmanager
def _locked_files(path: Path) -> Iterator[Files]:
    """Yield the files of a library, open for reading; during the block no other program can open the library."""
    with ExitStack() as read, _lock_library(path):  # closing the files would drop the lock, so they are closed last
        files: dict[str, BinaryIO] = {}
        for part in ALL_SUFFIXES:
            with suppress(FileNotFoundError):
                file = Path(f"{path}{part}").open("rb")  # noqa: SIM115  closed by the callback
                read.callback(_run_ignoring_errors, file.close)
                files[part] = file
        yield {part: file for part, file in files.items() if not part or os.fstat(file.fileno()).st_size}


@contextmanager
def _lock_library(path: Path) -> Iterator[None]:
    """Lock all other programs out of a library during the block, if SQLite can open the library.

    Raises `sqlite3.Error` if another program keeps using it.
    """
    db = sqlite3.connect(f"{path.as_uri()}?mode=rw", timeout=PATIENCE, isolation_level=None, uri=True)
    try:
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("BEGIN EXCLUSIVE")
        except DAMAGE_ERRORS as error:
            if isinstance(error, sqlite3.Error) and code_of(error) in BUSY:
                raise
        yield
    finally:
        _run_ignoring_errors(db.rollback, db.close)


def _run_ignoring_errors(*steps: Callable[[], object]) -> None:
    """Run steps that close files and connections; ignore their errors, since all work is done."""
    for step in steps:
        with suppress(OSError, *DAMAGE_ERRORS):
            step()


def _replace(path: Path, files: Files, data: bytes, what: str) -> Path:
    """Copy a library aside, replace it by one with the content `data`, and return the path of the copy."""
    aside = next(each for each in paths_beside(path, what) if not _parts(each))
    try:
        for part, file in files.items():
            file.seek(0)
            write_bytes(Path(f"{aside}{part}"), partial(shutil.copyfileobj, file), replace=False, like=path)
        write_bytes(path, data, replace=True, before_rename=lambda: _remove_logs(path))
    except BaseException:
        for part in ALL_SUFFIXES:
            with suppress(OSError):
                Path(f"{aside}{part}").unlink(missing_ok=True)
        raise
    return aside


def _parts(path: Path) -> list[Path]:
    """Return the files of a library that exist."""
    parts = [Path(f"{path}{suffix}") for suffix in ALL_SUFFIXES]
    return [part for part in parts if is_there(part)]


def _remove_logs(path: Path) -> None:
    """Remove the logs of a library that is about to be replaced: SQLite would apply them to the new one."""
    for log in (*LOGS, INDEX):
        Path(f"{path}{log}").unlink(missing_ok=True)


@contextmanager
def _copy_files(files: Files) -> Iterator[Path]:
    """Yield a copy of the files of a library, since SQLite may change them when it reads them."""
    with TemporaryDirectory(prefix="noughts-") as folder:
        library = Path(folder) / "library.sqlite"
        for part, file in files.items():
            file.seek(0)
            with Path(f"{library}{part}").open("wb") as target:
                shutil.copyfileobj(file, target)
        yield library


def is_sound(path: Path, stop: Stop = never) -> bool:
    """Return whether a library is neither empty nor damaged, and each save matches its digest and has a valid date.

    Raises `LibraryError` for another database, and `Stopped` soon after `stop()` is true.
    """
    if not path.stat().st_size:
        return False
    try:
        with reading(path) as db:
            sound_copy(db, path)
            for row in db.execute("SELECT * FROM save").fetchall():
                if stop():
                    raise Stopped
                if not (_is_unchanged(db, row) and is_time(row["updated"])):
                    return False
            return True
    except Damaged:
        pass
    except NotALibrary:
        if _is_another_database(path):
            raise
    return False


def _is_another_database(path: Path) -> bool:
    """Return whether a file that is not a library is a readable database without the tables of a library."""
    with suppress(*DAMAGE_ERRORS), closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        guard(db, path.stat().st_size)
        with closing(db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")) as rows:
            return not {"save", "game"} <= {name for (name,) in rows}
    return False


def _is_unchanged(db: sqlite3.Connection, row: sqlite3.Row) -> bool:
    try:
        check_snapshot(read_unchecked(db, row))
    except UNUSABLE:
        return False
    return bool(row["digest"] == digest_in(db, row["id"]))


def _newest_backup(path: Path) -> tuple[datetime | None, bytes | None]:
    """Return the time and the content of the newest backup that is not damaged."""
    for backup in Backups(path).entries():
        with suppress(LibraryError), reading(backup.path) as db:
            return backup.made, sound_copy(db, backup.path)
    return None, None


def _copy_rows(damaged: Path, rows: sqlite3.Connection) -> None:
    """Copy every row of a damaged library that SQL can still read into an empty library.

    The names that its index of saves holds go into the table `named`.
    """
    rows.execute("PRAGMA foreign_keys = OFF")
    rows.execute("DROP INDEX save_name")  # damaged names may be the same
    rows.execute("CREATE TABLE named (name)")
    with suppress(*DAMAGE_ERRORS), closing(sqlite3.connect(damaged, isolation_level=None)) as old:
        guard(old, sum(part.stat().st_size for part in _parts(damaged)))
        old.execute("SELECT 1 FROM sqlite_schema").close()  # fails here, and not at each row, if the schema is damaged
        named = "SELECT name FROM save INDEXED BY save_name WHERE deleted IS NULL"
        with suppress(*DAMAGE_ERRORS), closing(old.execute(named)) as names:
            rows.executemany("INSERT INTO named VALUES (?)", names)
        for table, key in PRIMARY_KEYS.items():
            columns = ", ".join(column[1] for column in rows.execute(f"PRAGMA table_info({table})").fetchall())
            for row in readable_rows(old, table, *key, columns=columns):
                with suppress(sqlite3.Error):  # a damaged value that the schema forbids
                    rows.execute(f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608


class _Merge:
    """Adds to a library, empty or made from a backup, what can be read of a later and damaged state of this library."""

    def __init__(self, new: sqlite3.Connection, made: datetime | None, stop: Stop) -> None:
        new.row_factory = sqlite3.Row
        new.execute("PRAGMA foreign_keys = ON")
        unlimited_time(new)
        self._new, self._stop = new, stop
        self._earlier = f"as it was in the backup of {made:%Y-%m-%d %H:%M} UTC" if made else ""
        rows = new.execute("SELECT created, id, name, deleted, digest FROM save").fetchall()
        self._from_backup = {row["created"]: row for row in rows}
        """The saves of the backup that stay in the new library, by the time of their creation, which never changes."""
        self.saves: list[RecoveredSave] = []
        self.games = 0

    def add_readable(self, damaged: Path) -> None:
        """Add what can be read of a library. Raises `Stopped`."""
        with closing(empty_library()) as old:
            _copy_rows(damaged, old)
            self._add_saves(old)
            for row in old.execute("SELECT * FROM game").fetchall():
                self._add_game(row)
        for row in self._from_backup.values():
            self.saves.append(RecoveredSave(row["name"], self._earlier, deleted=_is_deleted(row)))
        self.saves.sort(key=lambda each: each.name)
        (self.games,) = self._new.execute("SELECT count(*) FROM game").fetchone()

    def _add_saves(self, old: sqlite3.Connection) -> None:
        """Add every readable save. A save of the backup is replaced only if its later state matches its digest."""
        rows = old.execute("SELECT * FROM save ORDER BY id").fetchall()
        for row in rows:  # all deletions first, so that an earlier state of another save takes no name
            if row["created"] in self._from_backup and not self._read(old, row)[0]:
                earlier = self._from_backup.pop(row["created"])
                self._new.execute("DELETE FROM save WHERE id = ?", (earlier["id"],))
        readable, kept = {row["created"] for row in rows}, self._from_backup.values()
        unseen = {(row["name"], _is_deleted(row)) for row in kept if row["created"] not in readable}
        same = {(row["name"], row["deleted"], row["digest"]) for row in kept}  # also if the time is damaged
        further = (row for row in rows if (row["name"], row["deleted"], row["digest"]) not in same)
        added = [self._add_save(old, row) for row in further if row["created"] not in self._from_backup]
        self.saves = [each for each in added if not each.lost or (each.name, each.deleted) not in unseen]
        there = {row["name"] for row in self._new.execute("SELECT name FROM save").fetchall()}
        there.update(each.name for each in self.saves)
        names = {_valid_name(name) for (name,) in old.execute("SELECT name FROM named").fetchall()}
        lost = "only its name can be read"
        self.saves += (RecoveredSave(name, lost, lost=True) for name in names if name is not None and name not in there)

    def _read(self, old: sqlite3.Connection, row: sqlite3.Row) -> tuple[str, Snapshot | None]:
        """Return what is lost of a save or may differ, as text, and the rest of it, if anything is left."""
        if self._stop():
            raise Stopped
        try:
            snapshot = check_snapshot(read_unchecked(old, row))
            unchanged = row["digest"] == digest_in(old, row["id"])
        except UNUSABLE as error:
            why = error
        else:
            return "" if unchanged else "something in it has changed", snapshot
        with suppress(*UNUSABLE):
            snapshot = check_snapshot(read_unchecked(old, row, history=False))
            return "its checkpoints are lost, and the rest may have changed", snapshot
        return str(why), None

    def _add_save(self, old: sqlite3.Connection, row: sqlite3.Row) -> RecoveredSave:
        (trouble, snapshot), name = self._read(old, row), _valid_name(row["name"])
        if snapshot is None:
            return RecoveredSave(name or NAME_WITHOUT, trouble, lost=True, deleted=_is_deleted(row))
        dated = all(map(is_time, (row["created"], row["updated"], *([row["deleted"]] if _is_deleted(row) else []))))
        created, updated = (row["created"], row["updated"]) if dated else (now(), now())
        taken = {each["name"] for each in self._new.execute("SELECT name FROM save WHERE deleted IS NULL").fetchall()}
        stored = name if name and _is_deleted(row) else first_free_name(name or NAME_WITHOUT, taken)
        insert_save(self._new, stored, created, updated, snapshot)
        if _is_deleted(row):
            deleted = row["deleted"] if dated else now()
            self._new.execute("UPDATE save SET deleted = ? WHERE id = last_insert_rowid()", (deleted,))
        parts = ("" if name else "its name could not be read", "" if dated else "its date could not be read", trouble)
        return RecoveredSave(stored, "; ".join(filter(None, parts)), deleted=_is_deleted(row))

    def _add_game(self, row: sqlite3.Row) -> None:
        """Add a finished game that is not in the backup."""
        number, *columns = tuple(row)
        same = "played = ? AND game = ? AND first = ? AND second = ? AND moves = ? AND outcome = ?"
        if self._new.execute(f"SELECT 1 FROM game WHERE {same}", columns).fetchone() is None:  # noqa: S608  a constant
            taken = self._new.execute("SELECT 1 FROM game WHERE id = ?", (number,)).fetchone() is not None
            self._new.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?)", (None if taken else number, *columns))


def _is_deleted(row: sqlite3.Row) -> bool:
    return row["deleted"] is not None


def _valid_name(name: object) -> str | None:
    with suppress(BadText):
        if isinstance(name, str) and parse_name(name) == name:
            return name
    return None
