"""The finished batches of a running or stopped sweep, in an SQLite file beside its output: `menace.csv.part`.

Batches finish in any order. Those that finish at the same time are added in one transaction, so after a crash a batch
is either there as a whole or absent. The process that has the file open holds its lock, which ends with the process.
The file is complete in itself: it can be moved to another machine, and resumed there.
"""

import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from engine.game import BadText
from learners.sweep.batch import Rows, unpacked
from learners.sweep.definition import Definition, restore
from saves.errors import LibraryError
from saves.files import is_there
from saves.paths import shown
from saves.sqlite.error_codes import BUSY, FULL, code_of

SUFFIX: Final = ".part"
APPLICATION: Final = 0x4E6F5377
"""The application number in the header of the file: `NoSw`."""
SCHEMA: Final = """
CREATE TABLE sweep (definition TEXT NOT NULL, digest TEXT NOT NULL) STRICT;
CREATE TABLE batch (
  point INTEGER NOT NULL,  -- the number of the point
  first INTEGER NOT NULL,  -- the place of the first seed among those of the point
  machines INTEGER NOT NULL,
  rows BLOB NOT NULL,      -- lines of CSV, compressed by zlib
  PRIMARY KEY (point, first)
) STRICT;
"""


def part_path(output: Path) -> Path:
    """Return the file beside the output of a sweep that holds its finished batches."""
    return output.with_name(output.name + SUFFIX)


class Part:
    """The open file, locked until it is closed. Every method raises `LibraryError`."""

    def __init__(self, path: Path, definition: Definition | None = None) -> None:
        """Open the file of a sweep; with a definition, create it if it does not exist."""
        if definition is None and not is_there(path):
            raise LibraryError(f"{shown(path)} does not exist: there is no sweep to resume")
        self.path = path
        with self._library_errors():
            self._db = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            with self._library_errors():
                self.definition = self._open(definition)
        except BaseException:
            self._db.close()
            raise

    def _open(self, definition: Definition | None) -> Definition:
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")  # a crash of the system may cost the newest batches
        self._db.execute("BEGIN IMMEDIATE")  # takes the lock
        if definition is not None and not self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            for statement in SCHEMA.split(";\n"):
                self._db.execute(statement)
            self._db.execute(f"PRAGMA application_id = {APPLICATION}")
            self._db.execute("INSERT INTO sweep VALUES (?, ?)", (definition.text, definition.digest))
        found = self._definition()
        self._db.execute("COMMIT")
        return found

    def _definition(self) -> Definition:
        if self._db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise LibraryError(f"{shown(self.path)} is not the file of a sweep: choose another name")
        text, digest = self._db.execute("SELECT definition, digest FROM sweep").fetchone() or ("", "")
        try:
            definition = restore(str(text))
        except BadText as error:
            raise LibraryError(f"{shown(self.path)}: {error}. Delete the file, and run the sweep again") from error
        if definition.digest != digest:
            raise LibraryError(
                f"{shown(self.path)}: its definition was changed. Delete the file, and run the sweep again"
            )
        return definition

    def start_over(self, definition: Definition) -> None:
        """Delete all batches, and use the file for another sweep from now on."""
        with self._library_errors(), self._db:
            self._db.execute("BEGIN")
            self._db.execute("DELETE FROM batch")
            self._db.execute("UPDATE sweep SET definition = ?, digest = ?", (definition.text, definition.digest))
        self.definition = definition

    def add(self, batches: Sequence[Rows]) -> None:
        """Store the rows of some batches in one transaction."""
        first = self.definition.seeds.start
        kept = [(rows.number, rows.seeds.start - first, len(rows.seeds), rows.packed) for rows in batches]
        with self._library_errors(), self._db:
            self._db.execute("BEGIN")
            self._db.executemany("INSERT INTO batch VALUES (?, ?, ?, ?)", kept)

    @property
    def machines(self) -> int:
        """How many machines are finished."""
        with self._library_errors():
            return int(self._db.execute("SELECT coalesce(sum(machines), 0) FROM batch").fetchone()[0])

    def missing(self, points: int) -> Iterator[tuple[int, range]]:
        """Yield each range of seeds whose machines are not finished, with its point, for `points` points in order."""
        seeds, select = self.definition.seeds, "SELECT first, machines FROM batch WHERE point = ? ORDER BY first"
        for point in range(points):
            after = 0
            with self._library_errors():
                there = self._db.execute(select, (point,)).fetchall()
            for first, machines in [*there, (len(seeds), 0)]:
                if first < after or machines < 0:
                    raise LibraryError(f"{shown(self.path)} is damaged: delete it, and run the sweep again")
                if first > after:
                    yield point, seeds[after:first]
                after = first + machines

    def lines(self) -> Iterator[str]:
        """Yield the lines of the table batch by batch, by ascending point and seed."""
        with self._library_errors():
            rows = self._db.execute("SELECT rows FROM batch ORDER BY point, first")
        while True:
            with self._library_errors():
                row = rows.fetchone()
                text = None if row is None else unpacked(row[0])
            if text is None:
                return
            yield text

    @contextmanager
    def _library_errors(self) -> Iterator[None]:
        """Translate errors of SQLite, and those from reading a damaged file, to `LibraryError`."""
        try:
            yield
        except (sqlite3.Error, zlib.error, ValueError, TypeError, OverflowError) as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> LibraryError:
        name, code = shown(self.path), code_of(error) if isinstance(error, sqlite3.Error) else 0
        if code in BUSY:
            return LibraryError(f"{name}: this sweep is already running; wait until it has ended")
        if code in FULL:
            return LibraryError(
                f"{name} cannot be written: the disk is full or failing. Finished batches are kept; "
                "free some space, and resume the sweep"
            )
        if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
            return LibraryError(f"{name} cannot be written: change the permissions, or choose another place")
        return LibraryError(f"{name} is damaged, or holds no sweep: delete it, and run the sweep again")

    def close(self) -> None:
        """Close the file, and give up its lock."""
        with suppress(sqlite3.Error):  # on a full disk; the log beside the file then holds the newest batches
            self._db.close()

    def delete(self) -> None:
        """Close and delete the file. Call this when nothing in it is needed any more."""
        self.close()
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise LibraryError(f"{shown(self.path)} cannot be deleted: {error.strerror}; delete it yourself") from error

    def __enter__(self) -> Self:
        """Return the open file."""
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        """Close the file."""
        self.close()
