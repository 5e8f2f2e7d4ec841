"""The files that belong to a library, and a register of the libraries that this process has open.

When a process closes a file, POSIX drops all locks of that process on the file, including those of SQLite's own
connection (https://www.sqlite.org/howtocorrupt.html, section 2.2). So no code may open and close the file of a library
while a connection to it is open.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Condition
from typing import Final, TypeVar

T = TypeVar("T")

MAGIC: Final = b"SQLite format 3\0"
"""The first bytes of every SQLite database."""
LOGS: Final = ("-wal", "-journal")
"""Suffixes of the files beside a library without which it may be incomplete or damaged after a crash.

The write-ahead log holds committed changes; a rollback journal holds what an unfinished transaction has overwritten.
"""
INDEX: Final = "-shm"
"""The suffix of a file beside a library that SQLite can create again."""

_CHANGED: Final = Condition()
_OPEN: Final[Counter[str]] = Counter()
"""The number of connections to each library, by resolved path."""
_EXCLUSIVE: Final[set[str]] = set()
"""The libraries whose files are being replaced."""


@contextmanager
def registered(path: Path) -> Iterator[None]:
    """Register a connection to a library. Waits while another thread is in `exclusive`."""
    key = os.path.realpath(path)
    with _CHANGED:
        _CHANGED.wait_for(lambda: key not in _EXCLUSIVE)
        _OPEN[key] += 1
    try:
        yield
    finally:
        with _CHANGED:
            _OPEN[key] -= 1
            if not _OPEN[key]:
                del _OPEN[key]
            _CHANGED.notify_all()


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Reserve the files of a library, to replace them. Waits until no connection is open, and blocks new ones."""
    key = os.path.realpath(path)
    with _CHANGED:
        _CHANGED.wait_for(lambda: key not in _OPEN and key not in _EXCLUSIVE)
        _EXCLUSIVE.add(key)
    try:
        yield
    finally:
        with _CHANGED:
            _EXCLUSIVE.discard(key)
            _CHANGED.notify_all()


def unless_open(path: Path, look: Callable[[], T], otherwise: T) -> T:
    """The result of `look`, which may open and close the file; `otherwise` if a connection to the library is open."""
    key = os.path.realpath(path)
    with _CHANGED:
        _CHANGED.wait_for(lambda: key not in _EXCLUSIVE)
        return otherwise if key in _OPEN else look()
