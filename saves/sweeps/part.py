"""The finished batches of a running or stopped sweep, in a file beside its output: `menace.csv.part`.

Each line has its kind, a checksum, and its content, separated by tabs. Two equal lines say which sweep it is. Each
other line is a batch, in the order in which the batches finished. The process that has the file open holds its lock,
which ends with the process. The file is complete in itself: it can be moved to another machine, and resumed there by
the same program.

The checksums are verified when the file is opened. A line whose checksum is wrong, since a disk has changed it or a
crash has cut it off, is overwritten with spaces, and its batch runs again.
"""

import hashlib
import sys
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from os import SEEK_END
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from engine.game import BadText
from learners.sweep.batch import Rows, unpack
from learners.sweep.definition import Definition, restore
from learners.sweep.program import program
from saves.errors import Damaged, LibraryError, file_errors
from saves.files import is_there
from saves.paths import path_text

if sys.platform != "win32":
    from fcntl import LOCK_EX, LOCK_NB, flock

SUFFIX: Final = ".part"
SWEEP, BATCH = b"sweep", b"batch"
"""The kinds of lines."""
MAX_LINE: Final = 2**27
"""The size limit of a line, in bytes: more than the largest batch takes."""


def part_path(output: Path) -> Path:
    """Return the file beside the output of a sweep that holds its finished batches."""
    return output.with_name(output.name + SUFFIX)


def _line(kind: bytes, content: bytes, sweep: bytes = b"") -> bytes:
    """Return a line of the file. The checksum of a batch also covers `sweep`, the line that says which sweep it is."""
    return b"\t".join([kind, hashlib.sha256(sweep + content).hexdigest().encode(), content]) + b"\n"


def _read_content(kind: bytes, line: bytes, sweep: bytes = b"") -> bytes | None:
    """Return the content of a line; `None` unless the line has this kind and a correct checksum."""
    content = line.rstrip(b"\n").split(b"\t", 2)[-1]
    return content if line == _line(kind, content, sweep) else None


def _parse_batch(line: bytes, sweep: bytes) -> tuple[int, int, int, bytes]:
    """Return a batch: its point, the place of its first seed, its number of machines, its rows. Raises `ValueError`."""
    content = _read_content(BATCH, line, sweep)
    if content is None:
        raise ValueError("not a batch of this sweep")
    *numbers, rows = content.split(b"\t")
    point, first, machines = map(int, numbers)
    return point, first, machines, b64decode(rows, validate=True)


class AnotherSweep(LibraryError):
    """The file holds another sweep, or a sweep that another program began."""


class Part:
    """The file of finished batches, open and locked until it is closed. Every method raises `LibraryError`."""

    def __init__(self, path: Path, definition: Definition | None = None, *, replace: bool = False) -> None:
        """Open the file of a sweep; with a definition, create the file if it does not exist.

        A file of another sweep, or of another program, is refused; with `replace`, it is emptied instead.
        """
        if definition is None and not is_there(path):
            raise LibraryError(f"{path_text(path)} does not exist: there is no sweep to resume")
        self.path = path
        self.damaged = False
        """Whether some part of the file was damaged. Only lines with a correct checksum are used."""
        self._kept: dict[tuple[int, int], tuple[int, int, int]] = {}
        """The number of machines, the place and the size of the line of each finished batch, by point and first seed.
        """
        try:
            self.definition = self._open(definition)
        except AnotherSweep:
            if definition is None or not replace:
                raise
            self.delete()
            self.definition = self._open(definition)

    def _open(self, definition: Definition | None) -> Definition:
        name = path_text(self.path)
        with self._library_errors():
            exists = is_there(self.path)
            if exists and not self.path.is_file():
                raise LibraryError(f"{name} is not a file: choose another name")
            self._file = self.path.open("r+b" if exists else "x+b", buffering=0)
            try:
                if sys.platform != "win32":
                    flock(self._file, LOCK_EX | LOCK_NB)
                return self._find_batches(definition)
            except BlockingIOError as error:
                self.close()
                raise LibraryError(f"{name}: this sweep is already running; wait until it has ended") from error
            except BaseException:
                self.close()
                raise

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield each line of the file, after its place in the file."""
        place = 0
        with self.path.open("rb") as file:
            for line in iter(partial(file.readline, MAX_LINE), b""):
                yield place, line
                place += len(line)

    def _find_batches(self, wanted: Definition | None) -> Definition:
        """Find the finished batches; overwrite lines that are damaged, or belong to no point of the sweep, with spaces.

        Return the definition of the sweep.
        """
        sweeps = [line for _, line in self._lines() if _read_content(SWEEP, line) is not None]
        if sweeps:
            self._sweep = sweeps[0]
        elif wanted is not None:
            self._sweep = _line(SWEEP, f"{program()}\t{wanted.text}".encode())
        else:
            raise self._damage_error()
        definition = self._read_definition(wanted)
        seeds, points, wrong = len(definition.seeds), len(definition.points()), list[tuple[int, int]]()
        self._kept = {}
        for place, line in self._lines():
            if line == self._sweep or not line.strip():
                continue
            with suppress(ValueError):
                point, first, machines, _ = _parse_batch(line, self._sweep)
                is_ours = 0 <= point < points and first >= 0 and 0 < machines <= seeds - first
                if is_ours and (point, first) not in self._kept:
                    self._kept[point, first] = machines, place, len(line)
                    continue
            wrong.append((place, len(line)))
        if wrong and not sweeps and not self._kept:
            raise self._damage_error()
        for place, size in wrong:
            self._file.seek(place)
            self._file.write(b" " * (size - 1) + b"\n")
        self._append(b"\n".join([self._sweep] * (2 - len(sweeps))))  # apart, so that no bit joins them
        self.damaged = bool(wrong)
        return definition

    def _read_definition(self, wanted: Definition | None) -> Definition:
        """Return the definition. Raises `AnotherSweep` unless it is the wanted one and this program began it."""
        begun_by, _, text = self._sweep.rstrip(b"\n").split(b"\t", 2)[-1].decode().partition("\t")
        if begun_by != program():
            raise AnotherSweep(
                f"{path_text(self.path)} was begun by {begun_by}, this is {program()}, whose rows may differ: "
                "use that version, choose another name, or begin again with --replace"
            )
        try:
            definition = restore(text)
        except BadText as error:
            raise LibraryError(f"{path_text(self.path)}: {error}. Delete the file, and run the sweep again") from error
        if wanted is not None and wanted != definition:
            raise AnotherSweep(
                f"{path_text(self.path)} holds another sweep: resume it with noughts sweep resume, "
                "choose another name, or add --replace"
            )
        return definition

    def _append(self, lines: bytes) -> int:
        """Append lines, all or none; return where they begin."""
        start = self._file.seek(0, SEEK_END)
        unwritten = memoryview(lines)
        try:
            while unwritten:
                unwritten = unwritten[self._file.write(unwritten) :]
        except OSError:
            with suppress(OSError):  # half a line is left out when the file is opened again
                self._file.truncate(start)
            raise
        return start

    def add(self, batches: Sequence[Rows]) -> None:
        """Store the rows of several batches at once."""
        first_seed, added, lines = self.definition.seeds.start, dict[tuple[int, int], tuple[int, int, int]](), b""
        for rows in batches:
            point, first, machines = rows.number, rows.seeds.start - first_seed, len(rows.seeds)
            if (point, first) in self._kept or (point, first) in added:
                raise self._damage_error()
            content = f"{point}\t{first}\t{machines}\t".encode() + b64encode(rows.packed)
            line = _line(BATCH, content, self._sweep)
            added[point, first] = machines, len(lines), len(line)
            lines += line
        with self._library_errors():
            start = self._append(lines)
        self._kept |= {key: (machines, start + place, size) for key, (machines, place, size) in added.items()}

    @property
    def machines(self) -> int:
        """The number of finished machines."""
        return sum(machines for machines, *_ in self._kept.values())

    def missing(self, points: int) -> Iterator[tuple[int, range]]:
        """Yield the point and the seeds of each range of unfinished machines, for the first `points` points."""
        seeds, finished = self.definition.seeds, dict[int, list[tuple[int, int]]]()
        for (point, first), (machines, *_) in sorted(self._kept.items()):
            finished.setdefault(point, []).append((first, machines))
        for point in range(points):
            next_seed = 0
            for first, machines in [*finished.get(point, ()), (len(seeds), 0)]:
                if first < next_seed:
                    raise self._damage_error()
                if first > next_seed:
                    yield point, seeds[next_seed:first]
                next_seed = first + machines

    def lines(self) -> Iterator[str]:
        """Yield the lines of the table batch by batch, ascending by point and seed."""
        for _, (_, place, size) in sorted(self._kept.items()):
            with self._library_errors("resume the sweep, which runs what is damaged again"):
                self._file.seek(place)
                text = unpack(_parse_batch(self._file.read(size), self._sweep)[-1])
            yield text

    @contextmanager
    def _library_errors(
        self, advice: str = "run the sweep again; if that is refused, delete it first"
    ) -> Iterator[None]:
        """Translate errors of the system, of damaged files, and a lack of memory in the block to `LibraryError`."""
        name = path_text(self.path)
        try:
            with file_errors(f"{name} cannot be used", ". Finished batches are kept: resume the sweep then"):
                yield
        except MemoryError as error:
            raise LibraryError(
                f"there is too little memory to use {name}. Nothing was changed: close other programs, and try again"
            ) from error
        except (zlib.error, ValueError, OverflowError) as error:
            raise self._damage_error(advice) from error

    def _damage_error(self, advice: str = "run the sweep again; if that is refused, delete it first") -> Damaged:
        return Damaged(f"{path_text(self.path)} is damaged, or holds no sweep: {advice}")

    def close(self) -> None:
        """Close the file, and give up its lock."""
        self._file.close()

    def delete(self) -> None:
        """Close and delete the file. Call this when its content is no longer needed."""
        self.close()
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            name = path_text(self.path)
            raise LibraryError(f"{name} cannot be deleted: {error.strerror}; delete it yourself") from error

    def __enter__(self) -> Self:
        """Return the open file."""
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        """Close the file."""
        self.close()
