"""The file of a library: transactions, changes by other programs, and backups."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final

from saves.backups import Backups
from saves.errors import LibraryError
from saves.files import LOGS, is_same, is_there, refuse_log, writable_file, write_bytes
from saves.paths import path_text
from saves.sqlite.damage_check import sound_copy
from saves.sqlite.database import reading, writing
from saves.times import now

CHECK_SHARE: Final = 0.05
"""The largest share of time to spend on checks for damage."""
FileState = tuple[tuple[int, int], ...]
"""The time of the last change in nanoseconds, and the size in bytes, of each file of a library; 0 if it is missing."""


class LibraryFile:
    """The file of a library. It is opened for each transaction and closed again."""

    def __init__(self, path: Path) -> None:
        """Use the library at a path, where no file needs to exist yet, without touching the disk."""
        self.path = path
        self.backups = Backups(path)
        self._backing_up: Callable[[], object] | None = None
        self._check_due = monotonic()
        self._day = ""

    @contextmanager
    def writing(self, *, create: bool = False) -> Iterator[sqlite3.Connection]:
        """Yield a write transaction; after it, make the daily backup if it is due."""
        with self._transaction(create=create) as db:
            yield db
        self._back_up_daily()

    @contextmanager
    def _transaction(self, *, create: bool = False) -> Iterator[sqlite3.Connection]:
        """Yield a write transaction. The first one checks for damage, later ones as often as `CHECK_SHARE` allows."""
        start = monotonic()
        is_due = start >= self._check_due
        with writing(self.path, create=create, check=is_due) as db:
            if is_due:
                self._check_due = start + (monotonic() - start) / CHECK_SHARE
            yield db

    def keep_daily_backups(
        self, tell: Callable[[str], object], run: Callable[[Callable[[], None]], object] = lambda work: work()
    ) -> None:
        """From now on, make a backup after the first change of each day, unless another program has made one that day.

        `run` calls the function that makes it, at once or in another thread. If the backup fails, which harms no
        change, `tell` gets a line about that.
        """

        def back_up() -> None:
            try:
                self.keep_backup(daily=True)
            except LibraryError as error:
                tell(f"your change was saved, but the daily backup was not: {error}")

        self._backing_up = partial(run, back_up)

    def _back_up_daily(self) -> None:
        today = now()[: len("2026-01-31")]
        if self._backing_up is not None and today != self._day:
            self._day = today
            self._backing_up()

    def keep_backup(self, *, daily: bool = False) -> None:
        """Make a backup beside the library; with `daily`, only if none was made today. Call this before anything risky.

        Does nothing if there is no library. Raises `LibraryError`, also if the library is damaged.
        """
        if not is_there(self.path) or (daily and not self.backups.is_due()):
            return
        with reading(self.path) as db:
            data = sound_copy(db, self.path)
        self.backups.add(data)

    def file_state(self) -> FileState:
        """Return a value that changes whenever a program writes to the library, without opening it."""
        state = []
        for part in ("", *LOGS):
            try:
                status = Path(f"{self.path}{part}").stat()
            except OSError:
                state.append((0, 0))
            else:
                state.append((status.st_mtime_ns, status.st_size) if status.st_size else (0, 0))
        return tuple(state)

    def require_writable(self) -> None:
        """Raise `LibraryError` if saving would fail. Call this before long work whose result is to be saved."""
        if not is_there(self.path):
            folder = next(each for each in self.path.absolute().parents if is_there(each))
            if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
                name, place = path_text(self.path), path_text(folder)
                raise LibraryError(f"{name} cannot be created: nothing can be written in {place}")
        with self._transaction():
            pass

    def back_up(self, target: Path, *, replace: bool = False) -> int:
        """Copy a consistent state of the library to a file, while other programs may write; return its size in bytes.

        Raises `LibraryError`, also if the library is damaged or does not exist.
        """
        if not is_there(self.path):
            raise LibraryError(f"there is no library at {path_text(self.path)} yet: nothing to back up")
        writable_file(target, replace=True)
        refuse_log(target)
        has_log = any(is_there(target.with_name(target.name + log)) for log in LOGS)  # and so is perhaps open
        if has_log or is_same(target, self.path):
            raise LibraryError(f"{path_text(target)} is a library in use: choose another name")
        with reading(self.path) as db:
            data = sound_copy(db, self.path)
        write_bytes(target, data, replace=replace, like=self.path)
        return len(data)
