"""Long work on large files: progress, an early stop, and copies that keep the holes of sparse files."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import BinaryIO, Final

from engine.stop import Stop, Stopped, never

CHUNK: Final = 2**20
"""Bytes read or written between two checks of whether to stop."""
SYNCED: Final = 4 * CHUNK
"""A durable copy is flushed to the disk after this many bytes, so that each flush is short."""
REPORT: Final = 0.1
"""Seconds between two reports."""


@dataclass(frozen=True)
class FileProgress:
    """The bytes that have been processed, their total, and the rate in bytes per second."""

    done: int
    total: int
    per_second: float


class FileWork:
    """Counts the bytes that have been processed, reports progress, and ends the work when `stop()` is true."""

    def __init__(
        self,
        total: int = 0,
        stop: Stop = never,
        report: Callable[[FileProgress], None] = lambda _progress: None,
    ) -> None:
        """`total` is a number of bytes; `report` is called at most every 0.1 s."""
        self.total = total
        self.done = 0
        self._stop = stop
        self._report = report
        self._begun = self._reported = monotonic()

    def advance(self, size: int) -> None:
        """Count `size` more bytes. Raises `Stopped` if the work is to stop."""
        self.done += size
        if self._stop():
            raise Stopped
        now = monotonic()
        if now - self._reported >= REPORT:
            self._reported = now
            done = min(self.done, self.total)
            self._report(FileProgress(done, self.total, done / (now - self._begun)))


def copy(source: BinaryIO, target: BinaryIO, work: FileWork, *, durable: bool = False) -> None:
    """Copy a whole file in chunks; holes stay holes. Raises `OSError`, `Stopped`.

    `source` must be unbuffered: the search for holes moves the file position, which a buffer would not notice. With
    `durable`, the copy is flushed to the disk as it grows.
    """
    size = os.fstat(source.fileno()).st_size
    written = 0
    for start, end in _extents(source, size):
        work.advance(start - written)
        source.seek(start)
        target.seek(start)
        at = start
        while at < end and (data := source.read(min(CHUNK, end - at))):
            target.write(data)
            if durable and at // SYNCED != (at + len(data)) // SYNCED:
                target.flush()
                os.fsync(target.fileno())
            at += len(data)
            work.advance(len(data))
        written = end
    work.advance(size - written)
    target.truncate(size)


def is_same(one: BinaryIO, other: BinaryIO, work: FileWork) -> bool:
    """Whether two files have the same content. Raises `OSError`, `Stopped`."""
    if os.fstat(one.fileno()).st_size != os.fstat(other.fileno()).st_size:
        return False
    one.seek(0)
    other.seek(0)
    while data := one.read(CHUNK):
        work.advance(0)
        if other.read(CHUNK) != data:
            return False
    return True


def _extents(file: BinaryIO, size: int) -> Iterator[tuple[int, int]]:
    """The parts of a file that are not holes, as half-open ranges of offsets."""
    if not hasattr(os, "SEEK_DATA"):
        yield 0, size
        return
    end = 0
    while end < size:
        try:
            start = os.lseek(file.fileno(), end, os.SEEK_DATA)
        except OSError:  # the rest is a hole
            return
        end = min(size, os.lseek(file.fileno(), start, os.SEEK_HOLE))
        yield start, end
