"""The files of a library, and who of this process has them open: nobody else may then open and close one.

When a process closes a file, the system takes away every lock that it holds on it, whoever in it holds them
(https://www.sqlite.org/howtocorrupt.html, section 2.2): SQLite would go on without the lock that it relies upon.
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
"""How every library begins."""
LOGS: Final = ("-wal", "-journal")
"""Files beside a library whose content belongs to it, most of all after a crash."""
INDEX: Final = "-shm"
"""Follows the name of a library in that of a file that SQLite makes anew."""

_TURN: Final = Condition()
_OPEN: Final[Counter[str]] = Counter()
"""How many connections there are to each library."""
_ALONE: Final[set[str]] = set()
"""The libraries that one holds alone."""


@contextmanager
def opened(path: Path) -> Iterator[None]:
    """While a connection is open to a library: it begins as soon as nobody has that alone."""
    key = os.path.realpath(path)
    with _TURN:
        _TURN.wait_for(lambda: key not in _ALONE)
        _OPEN[key] += 1
    try:
        yield
    finally:
        with _TURN:
            _OPEN[key] -= 1
            if not _OPEN[key]:
                del _OPEN[key]
            _TURN.notify_all()


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """While its files are read and replaced: it begins as soon as no connection is open, and keeps others waiting."""
    key = os.path.realpath(path)
    with _TURN:
        _TURN.wait_for(lambda: key not in _OPEN and key not in _ALONE)
        _ALONE.add(key)
    try:
        yield
    finally:
        with _TURN:
            _ALONE.discard(key)
            _TURN.notify_all()


def unless_opened(path: Path, look: Callable[[], T], otherwise: T) -> T:
    """What `look` gives, which may open and close the file; `otherwise`, without a look, where it is open."""
    key = os.path.realpath(path)
    with _TURN:
        _TURN.wait_for(lambda: key not in _ALONE)
        return otherwise if key in _OPEN else look()
