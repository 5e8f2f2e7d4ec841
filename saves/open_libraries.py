"""The libraries that this process has open: nobody else may open and close their files.

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
from typing import Final

_CHANGED: Final = Condition()
_OPEN: Final[Counter[str]] = Counter()
"""The number of connections to each library, by resolved path."""
_EXCLUSIVE: Final[set[str]] = set()
"""The libraries whose files are being replaced."""


@contextmanager
def register_connection(path: Path) -> Iterator[None]:
    """Register a connection to a library during the block. Before, wait while another thread is in `reserve_files`."""
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
def reserve_files(path: Path) -> Iterator[None]:
    """Reserve the files of a library during the block, to replace them: no connection to it is open.

    Before, wait until all connections are closed; new ones wait until the block ends.
    """
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


def open_or(path: Path, look: Callable[[], bool]) -> bool:
    """Return true if a connection to the library is open, otherwise the result of `look`.

    `look` may open and close the file, since no connection can lose its locks by that.
    """
    key = os.path.realpath(path)
    with _CHANGED:
        _CHANGED.wait_for(lambda: key not in _EXCLUSIVE)
        return key in _OPEN or look()
