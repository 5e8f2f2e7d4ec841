"""The file of a library: opened for each piece of work, and closed again."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Final

from saves.errors import LibraryError
from saves.files import is_same, is_there, refuse_log, require_room, write_bytes
from saves.handles import LOGS
from saves.paths import shown
from saves.sqlite.damage_check import refuse_unsound_copy
from saves.sqlite.database import reading, writing

CHECKING: Final = 0.05
"""The share of the time that may go into looking for damage."""
Traces = tuple[tuple[int, int], ...]
"""When each of a library's files was written to last, and how long it is."""


class LibraryFile:
    """A library as a file."""

    def __init__(self, path: Path) -> None:
        """A library that lies, or will lie, at `path`: the disk is not touched."""
        self.path = path
        self._check_due = monotonic()

    @contextmanager
    def _writing(self, *, create: bool = False) -> Iterator[sqlite3.Connection]:
        """The library in a transaction that writes; at first, and then as often as it may, it is checked for damage."""
        begun = monotonic()
        due = begun >= self._check_due
        with writing(self.path, create=create, check=due) as db:
            if due:
                self._check_due = begun + (monotonic() - begun) / CHECKING
            yield db

    def traces(self) -> Traces:
        """What tells, without a look inside, whether anybody has written to the library since."""
        found = []
        for part in ("", *LOGS):
            try:
                status = Path(f"{self.path}{part}").stat()
            except OSError:
                found.append((0, 0))
            else:
                found.append((status.st_mtime_ns, status.st_size) if status.st_size else (0, 0))
        return tuple(found)

    def require_writable(self) -> None:
        """Raise `LibraryError` now if saving would fail later: asked before long work whose result is to be kept."""
        with self._writing():
            pass

    def back_up(self, target: Path, *, replace: bool = False) -> int:
        """Copy the library, as it is at one moment, to a file, while other programs write to it; returns its bytes.

        Raises `LibraryError`, also for a library that is damaged or not there yet.
        """
        if not is_there(self.path):
            raise LibraryError(f"there is no library at {shown(self.path)} yet: nothing to back up")
        require_room(target, replace=True)
        refuse_log(target)
        if _in_use(target, self.path):
            raise LibraryError(f"{shown(target)} is a library in use: choose another name")
        with reading(self.path) as db:
            data = refuse_unsound_copy(db, self.path)
        write_bytes(target, data, replace=replace, like=self.path)
        return len(data)


def _in_use(target: Path, library: Path) -> bool:
    """Whether there is that library, or one whose log is beside it."""
    logged = any(is_there(target.with_name(target.name + log)) for log in LOGS)
    return logged or is_same(target, library)


def now(later: timedelta = timedelta()) -> str:
    """The time as it stands in a library."""
    return (datetime.now(UTC) + later).isoformat(timespec="microseconds")
