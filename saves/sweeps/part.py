"""The finished batches of a running or stopped sweep, in an SQLite file beside its output: `menace.csv.part`.

Batches finish in any order. Those that finish at the same time are added in one transaction, so after a crash a batch
is either there as a whole or absent. The process that has the file open holds its lock, which ends with the process.
The file is complete in itself: it can be moved to another machine, and resumed there by the same program.

Each batch has a checksum, and all are verified when the file is opened. What a disk has changed is left out, and runs
again. If SQLite finds damage in the file, it is built again from those rows that SQL can still read and that their
checksums prove, and the damaged file is kept beside it.
"""

import hashlib
import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from engine.game import BadText
from learners.sweep.batch import Rows, unpacked
from learners.sweep.definition import MAX_SEEDS, Definition, restore
from learners.sweep.program import program
from saves.errors import Damaged, LibraryError, file_errors
from saves.files import INDEX, LOGS, is_there, paths_beside
from saves.paths import shown
from saves.sqlite.damage_check import in_memory, readable_rows
from saves.sqlite.error_codes import BUSY, DENIED, FULL, code_of
from saves.sqlite.guard import foreign_object, guard, unlimited_time

SUFFIX: Final = ".part"
APPLICATION: Final = 0x4E6F5378
"""The application number in the header of the file: `NoSx`."""
SCHEMA: Final = """
CREATE TABLE sweep (    -- two equal rows, in case one is damaged
  definition TEXT NOT NULL,
  program TEXT NOT NULL,   -- the name of the program that began the sweep
  digest BLOB NOT NULL     -- the SHA-256 checksum of both
) STRICT;
CREATE TABLE batch (
  point INTEGER NOT NULL,  -- the number of the point
  first INTEGER NOT NULL,  -- the place of the first seed among those of the point
  machines INTEGER NOT NULL,
  rows BLOB NOT NULL,      -- lines of CSV, compressed by zlib
  digest BLOB NOT NULL     -- the SHA-256 checksum of the sweep's digest and the other columns
) STRICT;
"""
CHANGES: Final = 27
"""The place in the header of the lowest byte of the counter of changes (https://www.sqlite.org/fileformat2.html)."""
MAX_DEFINITION: Final = 2**22
"""The size limit of a definition, in characters."""
UNREADABLE: Final = (sqlite3.Error, zlib.error, ValueError, OverflowError)
"""What reading a damaged file may raise."""


def part_path(output: Path) -> Path:
    """Return the file beside the output of a sweep that holds its finished batches."""
    return output.with_name(output.name + SUFFIX)


def _sweep_digest(definition: str, begun_by: str) -> bytes:
    return hashlib.sha256(f"{begun_by}\0{definition}".encode()).digest()


def _batch_digest(sweep: bytes, point: int, first: int, machines: int, rows: bytes) -> bytes:
    return hashlib.sha256(sweep + f"{point} {first} {machines}\0".encode() + rows).digest()


def _is_sweep(row: Sequence[object]) -> bool:
    """Return whether a row of `sweep` is one that its checksum proves."""
    if len(row) != 3 or not (isinstance(row[0], str) and isinstance(row[1], str)):
        return False
    return len(row[0]) <= MAX_DEFINITION and row[2] == _sweep_digest(row[0], row[1])


def _is_batch(row: Sequence[Any], sweep: bytes, seeds: int = MAX_SEEDS) -> bool:
    """Return whether a row is a batch of the sweep with this digest, as its checksum proves."""
    if [type(value) for value in row] != [int, int, int, bytes, bytes]:
        return False
    point, first, machines, rows, digest = row
    fits = 0 < machines <= seeds - first and first >= 0
    return fits and bool(digest == _batch_digest(sweep, point, first, machines, rows))


def _create(db: sqlite3.Connection, definition: str, begun_by: str) -> None:
    """Create the tables, within the current transaction, with the sweep but no batch."""
    for statement in SCHEMA.split(";\n"):
        db.execute(statement).close()
    db.execute(f"PRAGMA application_id = {APPLICATION}").close()
    sweep = (definition, begun_by, _sweep_digest(definition, begun_by))
    db.executemany("INSERT INTO sweep VALUES (?, ?, ?)", [sweep, sweep]).close()


def _readable(path: Path) -> sqlite3.Connection:
    """Return a copy of a file in memory, with the first page of a new file: header and schema are always the same."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        _create(new, "", "")
        first = bytearray(new.serialize()[: new.execute("PRAGMA page_size").fetchone()[0]])
    first[CHANGES] ^= 1  # so that the size of the file counts, and not the number of pages in the header
    return in_memory(bytes(first) + path.read_bytes()[len(first) :])


class AnotherSweep(LibraryError):
    """The file holds another sweep, or one that another program began."""


class Part:
    """The open file, locked until it is closed. Every method raises `LibraryError`."""

    def __init__(self, path: Path, definition: Definition | None = None, *, replace: bool = False) -> None:
        """Open the file of a sweep; with a definition, create it if it does not exist.

        A file of another sweep, or of another program, is refused; with `replace`, it is emptied.
        """
        if definition is None and not is_there(path):
            raise LibraryError(f"{shown(path)} does not exist: there is no sweep to resume")
        self.path = path
        self.damaged = False
        """Whether something in the file was damaged. What is left of it has been proved."""
        self.kept_aside: Path | None = None
        """Where the damaged file was kept, if it had to be built again."""
        self._kept: dict[tuple[int, int], tuple[int, int]] = {}
        """The machines and the row of each finished batch, by its point and the place of its first seed."""
        try:
            self.definition = self._opened(definition)
        except AnotherSweep:
            if definition is None or not replace:
                raise
            self.delete()
            self.definition = self._opened(definition)
        except Damaged:
            if not self._rescued(definition):
                raise
            self.damaged = True
            self.definition = self._opened(definition)

    def _opened(self, definition: Definition | None) -> Definition:
        """Open and check the file; return the definition of its sweep."""
        with self._library_errors():
            self._db = sqlite3.connect(self.path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            with self._library_errors():
                guard(self._db, self.path.stat().st_size)
                self._db.execute("PRAGMA locking_mode = EXCLUSIVE").close()
                self._db.execute("BEGIN IMMEDIATE")  # takes the lock
                if definition is not None and not self._number("SELECT count(*) FROM sqlite_schema"):
                    _create(self._db, definition.text, program())
                self._require_our_schema()
                found = self._sweep(definition)
                self._verify(len(found.seeds), len(found.points()))
                self._db.execute("COMMIT")
                unlimited_time(self._db)
                self._db.execute("PRAGMA journal_mode = WAL").close()
                self._db.execute("PRAGMA synchronous = NORMAL")  # a crash of the system may cost the newest batches
        except BaseException:
            self.close()
            raise
        return found

    def _number(self, query: str) -> int:
        with closing(self._db.execute(query)) as rows:
            return int(rows.fetchone()[0])

    def _require_our_schema(self) -> None:
        """Raise `LibraryError` for a file that this program did not make. Call it before any query of data."""
        if self._number("PRAGMA application_id") != APPLICATION:
            raise Damaged(f"{shown(self.path)} is not the file of a sweep: choose another name")
        foreign = foreign_object(self._db, SCHEMA)
        if foreign is not None:
            if foreign.startswith(("view", "trigger", "index")):
                raise LibraryError(f"{shown(self.path)} has {foreign}, which Noughts did not make: choose another name")
            raise self._damaged()
        with closing(self._db.execute("PRAGMA quick_check(1)")) as rows:
            if rows.fetchone()[0] != "ok":
                raise self._damaged()

    def _sweep(self, wanted: Definition | None) -> Definition:
        """Read the definition. Raises `AnotherSweep` unless it is the one that is wanted, begun by this program."""
        with closing(self._db.execute("SELECT definition, program, digest FROM sweep")) as rows:
            text, begun_by, digest = next(filter(_is_sweep, rows), ("", "", b""))
        if not text:
            raise self._damaged()
        self._digest = digest
        if begun_by != program():
            raise self._other(begun_by)
        try:
            found = restore(text)
        except BadText as error:
            raise LibraryError(f"{shown(self.path)}: {error}. Delete the file, and run the sweep again") from error
        if wanted is not None and wanted != found:
            raise AnotherSweep(
                f"{shown(self.path)} holds another sweep: resume it with noughts sweep resume, "
                "choose another name, or add --replace"
            )
        return found

    def _other(self, begun_by: str) -> "AnotherSweep":
        return AnotherSweep(
            f"{shown(self.path)} was begun by {begun_by}, this is {program()}, whose rows may differ: "
            "use that version, choose another name, or begin again with --replace"
        )

    def _verify(self, seeds: int, points: int) -> None:
        """Note which batches are there; delete those with wrong checksums, and those of no point of the sweep."""
        self._kept, wrong = {}, list[int]()
        with closing(self._db.execute("SELECT rowid, point, first, machines, rows, digest FROM batch")) as found:
            for row, *values in found:
                point, first, machines, *_ = values
                proved = _is_batch(values, self._digest, seeds) and 0 <= point < points
                if proved and (point, first) not in self._kept:
                    self._kept[point, first] = machines, row
                else:
                    wrong.append(row)
        self._db.executemany("DELETE FROM batch WHERE rowid = ?", ((row,) for row in wrong)).close()
        self.damaged = self.damaged or bool(wrong)

    def _rescued(self, definition: Definition | None) -> bool:
        """Replace the file by what can still be read and proved of it, if that is anything; return whether it is."""
        new = self.path.with_name(f"{self.path.name}-rescued")
        try:
            with self._library_errors():
                if not self._copy_proved(new, definition):
                    return False
                self._keep_aside()
                new.replace(self.path)
        except Damaged:
            return False
        finally:
            with suppress(OSError):
                new.unlink(missing_ok=True)
        return True

    def _copy_proved(self, new: Path, definition: Definition | None) -> bool:
        """Copy the rows of the file that can be read and are proved to `new`; return whether there are any."""
        with closing(_readable(self.path)) as old:
            rows = (row[1:] for row in readable_rows(old, "sweep", "rowid", columns="rowid, *"))
            found = next(filter(_is_sweep, rows), None)
            if found is not None:
                text, begun_by = str(found[0]), str(found[1])
            elif definition is not None:
                text, begun_by = definition.text, program()
            else:
                return False
            digest, seen = _sweep_digest(text, begun_by), set[tuple[int, int]]()
            new.unlink(missing_ok=True)
            with closing(sqlite3.connect(new, isolation_level=None)) as db:
                db.execute("BEGIN")
                _create(db, text, begun_by)
                for _, *row in readable_rows(old, "batch", "rowid", columns="rowid, *"):
                    if _is_batch(row, digest) and (row[0], row[1]) not in seen:
                        seen.add((row[0], row[1]))
                        db.execute("INSERT INTO batch VALUES (?, ?, ?, ?, ?)", row).close()
                db.execute("COMMIT")
        return found is not None or bool(seen)

    def _keep_aside(self) -> None:
        """Rename the damaged file, with its logs, which may hold what another program can still read."""
        aside = next(
            each
            for each in paths_beside(self.path, "damaged")
            if not any(is_there(Path(f"{each}{log}")) for log in ("", *LOGS))
        )
        Path(f"{self.path}{INDEX}").unlink(missing_ok=True)
        for log in LOGS:
            with suppress(FileNotFoundError):
                Path(f"{self.path}{log}").rename(f"{aside}{log}")
        self.kept_aside = self.path.rename(aside)

    def add(self, batches: Sequence[Rows]) -> None:
        """Store the rows of some batches in one transaction."""
        start, added = self.definition.seeds.start, dict[tuple[int, int], tuple[int, int]]()
        with self._library_errors(), self._db:
            self._db.execute("BEGIN")
            for rows in batches:
                point, first, machines = rows.number, rows.seeds.start - start, len(rows.seeds)
                if (point, first) in self._kept or (point, first) in added:
                    raise sqlite3.IntegrityError("the batch is there already")
                digest = _batch_digest(self._digest, point, first, machines, rows.packed)
                values = (point, first, machines, rows.packed, digest)
                with closing(self._db.execute("INSERT INTO batch VALUES (?, ?, ?, ?, ?)", values)) as insertion:
                    added[point, first] = machines, int(insertion.lastrowid or 0)
        self._kept.update(added)

    @property
    def machines(self) -> int:
        """How many machines are finished."""
        return sum(machines for machines, _ in self._kept.values())

    def missing(self, points: int) -> Iterator[tuple[int, range]]:
        """Yield each range of seeds whose machines are not finished, with its point, for `points` points in order."""
        seeds, there = self.definition.seeds, dict[int, list[tuple[int, int]]]()
        for (point, first), (machines, _) in sorted(self._kept.items()):
            there.setdefault(point, []).append((first, machines))
        for point in range(points):
            after = 0
            for first, machines in [*there.get(point, ()), (len(seeds), 0)]:
                if first < after:
                    raise self._damaged()
                if first > after:
                    yield point, seeds[after:first]
                after = first + machines

    def lines(self) -> Iterator[str]:
        """Yield the lines of the table batch by batch, by ascending point and seed."""
        for (point, first), (machines, row) in sorted(self._kept.items()):
            with self._library_errors():
                with closing(self._db.execute("SELECT rows, digest FROM batch WHERE rowid = ?", (row,))) as found:
                    rows, digest = found.fetchone() or (b"", b"")
                if not _is_batch([point, first, machines, rows, digest], self._digest):
                    raise self._damaged("resume the sweep, which runs what is damaged again")
                text = unpacked(rows)
            yield text

    @contextmanager
    def _library_errors(self) -> Iterator[None]:
        """Translate errors of SQLite, those from reading a damaged file, and too little memory to `LibraryError`."""
        try:
            with file_errors(f"{shown(self.path)} cannot be used"):
                yield
        except MemoryError as error:  # which `sqlite3` raises for SQLITE_NOMEM, too
            raise self._no_memory() from error
        except UNREADABLE as error:
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
        if code in DENIED and not (code == sqlite3.SQLITE_READONLY and os.access(self.path, os.W_OK)):
            return LibraryError(f"{name} cannot be written: change the permissions, or choose another place")
        if code == sqlite3.SQLITE_NOMEM:
            return self._no_memory()
        if code == sqlite3.SQLITE_INTERRUPT:
            return LibraryError(
                f"reading {name} took longer than its size explains; it may have been made to do harm. "
                "Nothing was changed: try again, or choose another name"
            )
        return self._damaged()

    def _no_memory(self) -> LibraryError:
        return LibraryError(
            f"there is too little memory to use {shown(self.path)}. Nothing was changed: close other programs, "
            "and try again"
        )

    def _damaged(self, advice: str = "run the sweep again; if that is refused, delete it first") -> Damaged:
        return Damaged(f"{shown(self.path)} is damaged, or holds no sweep: {advice}")

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
