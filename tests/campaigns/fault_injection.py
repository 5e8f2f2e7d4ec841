"""Faults in every call for a file: in the program's own, in those of `sqlite3`, and in SQLite's system calls.

Calls are intercepted wherever they are made, so that new code of the program is tested without further work:

    ("system", "pwrite64")  a call of SQLite to the system, and "sync" (`system_calls`)
    ("file", "os.replace")  one of ours: a function of `os`, or `open`, or a method of what that opened
    ("sqlite", "execute")   one to a connection or cursor
"""

import errno
import io
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from typing import Self
from unittest.mock import patch

from tests.campaigns.system_calls import faulty_system_calls

Call = tuple[str, str]
OWN = (
    *("access", "close", "fstat", "fsync", "link", "listdir", "lstat", "mkdir", "open", "read", "readlink", "remove"),
    *("rename", "replace", "rmdir", "scandir", "stat", "symlink", "truncate", "unlink", "utime", "write"),
)
"""The functions of `os` that use files; all others use these."""
CUT_SHORT = frozenset({"read", "pread", "pread64", "write", "pwrite", "pwrite64"})
FILLING = frozenset(
    {"open", "write", "pwrite", "pwrite64", "fallocate", "sync"}
    | {"flush", "os.fsync", "os.mkdir", "os.open", "os.replace", "os.write"}
)
"""Calls that need space on a disk."""
GUARDED = frozenset(
    {"open", "access", "stat", "lstat", "unlink", "fchown", "fcntl", "mmap"}
    | {"os.access", "os.lstat", "os.mkdir", "os.open", "os.replace", "os.scandir", "os.stat", "os.unlink"}
)
"""Calls that need a permission or a lock."""
SLOW = frozenset({*CUT_SHORT, "open", "close", "fcntl", "ftruncate", "fallocate", "fchown"})
"""Calls that a signal may interrupt."""
DONE_ALL_THE_SAME = {"os.close", "os.fsync", "close", "flush"}
"""Calls that report a failure after they had an effect."""


@dataclass(frozen=True)
class Way:
    """A way in which calls fail."""

    name: str
    kinds: tuple[str, ...]
    error: int
    """The error code of the system or of SQLite; 0 for a call that does only half of its work."""
    lasting: bool = False
    """Whether all later calls fail too."""
    calls: frozenset[str] = frozenset()
    """The calls that may fail like this; empty for all."""
    share: int = 1
    """Only every nth call is tried, if all would take too long."""

    def concerns(self, call: Call) -> bool:
        kind, name = call
        return kind in self.kinds and (not self.calls or name in self.calls)


BELOW = ("system", "file")
WAYS = (
    Way("EIO", BELOW, errno.EIO),
    Way("EIO from then on", BELOW, errno.EIO, lasting=True, share=2),
    Way("ENOSPC", BELOW, errno.ENOSPC, calls=FILLING),
    Way("ENOSPC from then on", BELOW, errno.ENOSPC, lasting=True, calls=FILLING, share=2),
    Way("EACCES", BELOW, errno.EACCES, calls=GUARDED, share=2),
    Way("EINTR", ("system",), errno.EINTR, calls=SLOW, share=8),  # Python repeats our own calls
    Way("half", ("system",), 0, calls=CUT_SHORT, share=4),
    Way("SQLITE_IOERR", ("sqlite",), sqlite3.SQLITE_IOERR),
    Way("SQLITE_IOERR from then on", ("sqlite",), sqlite3.SQLITE_IOERR, lasting=True, share=5),
    *(
        Way(f"SQLITE_{name}", ("sqlite",), getattr(sqlite3, f"SQLITE_{name}"), share=5)
        for name in ("FULL", "CANTOPEN", "READONLY", "BUSY", "INTERRUPT")
    ),
)


class Faults:
    """The call that is to fail, and all calls so far."""

    def __init__(self) -> None:
        self.made: Counter[Call] = Counter()
        """All calls since `on` began, whether they failed or not."""
        self.struck: list[Call] = []
        """Those that failed."""
        self.below = False
        """Whether SQLite's own calls are intercepted."""
        self._on = False
        self._way: Way | None = None
        self._at = 0
        self._passed = 0

    @contextmanager
    def on(self, way: Way | None = None, at: int = 0) -> Iterator[None]:
        """Count calls, and let the call number `at` (from 0) of those that `way` concerns fail."""
        self.made.clear()
        self.struck.clear()
        self._way, self._at, self._passed, self._on = way, at, 0, True
        try:
            yield
        finally:
            self._on = False

    def concerned(self, way: Way) -> int:
        """The number of calls that a way concerns."""
        return sum(count for call, count in self.made.items() if way.concerns(call))

    def strike(self, kind: str, name: str) -> int | None:
        """Called before every call: return the error with which it is to fail, else `None`."""
        if not self._on:
            return None
        call = kind, name
        self.made[call] += 1
        way = self._way
        if way is None or not way.concerns(call):
            return None
        self._passed += 1
        if self._passed - 1 != self._at and not (way.lasting and self._passed > self._at):
            return None
        self.struck.append(call)
        return way.error


@contextmanager
def faulty() -> Iterator[Faults]:
    """Intercept all calls of this process."""
    faults = Faults()
    ours = {name: _failing(faults, f"os.{name}", getattr(os, name)) for name in OWN}
    ours["access"] = lambda *args, **kwargs: faults.strike("file", "os.access") is None and _ACCESS(*args, **kwargs)
    with (
        patch.multiple(os, **ours),
        patch("io.open", _opening(faults, io.open)),
        patch("builtins.open", _opening(faults, open)),
        patch("sqlite3.connect", _connecting(faults, sqlite3.connect)),
        faulty_system_calls(partial(faults.strike, "system")) as below,
    ):
        faults.below = below
        yield faults


_ACCESS = os.access


def _failing(faults: Faults, name: str, call):
    @wraps(call)
    def failing(*args, **kwargs):
        error = faults.strike("file", name)
        if error is None:
            return call(*args, **kwargs)
        if name in DONE_ALL_THE_SAME:
            call(*args, **kwargs)
        where = [arg for arg in args[:1] if isinstance(arg, str | os.PathLike)]
        raise OSError(error, os.strerror(error), *map(os.fspath, where))

    return failing


def _opening(faults: Faults, call):
    opened = _failing(faults, "open", call)
    return lambda *args, **kwargs: File(faults, opened(*args, **kwargs))


class File:
    """A file whose methods may fail."""

    def __init__(self, faults: Faults, file) -> None:
        self._faults, self._file = faults, file

    def __getattr__(self, name: str) -> object:
        found = getattr(self._file, name)
        return _failing(self._faults, name, found) if callable(found) and name != "fileno" else found

    def __iter__(self) -> Iterator[object]:
        return iter(self.readlines())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _with_code(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(f"made up: {code}")
    error.sqlite_errorcode = code
    return error


def _connecting(faults: Faults, connect):
    def fail(name: str) -> None:
        code = faults.strike("sqlite", name)
        if code is not None:
            raise _with_code(code)

    def method(kind: type, name: str):
        call = getattr(kind, name)

        def failing(*args, **kwargs):
            try:
                fail(name)
                return call(*args, **kwargs)
            finally:
                del args  # a traceback would keep a reference to the cursor, and so to the connection

        return failing

    def through_cursor(name: str):
        return lambda self, *args: getattr(self.cursor(), name)(*args)

    def close(self: sqlite3.Connection) -> None:
        sqlite3.Connection.close(self)
        fail("close")

    queries = ("execute", "executemany", "executescript")
    cursor = type(
        "Cursor",
        (sqlite3.Cursor,),
        {name: method(sqlite3.Cursor, name) for name in (*queries, "fetchone", "fetchall", "fetchmany", "__next__")},
    )
    own = {name: method(sqlite3.Connection, name) for name in ("serialize", "backup", "commit", "blobopen")}
    connection = type(
        "Connection",
        (sqlite3.Connection,),
        {
            **own,
            "close": close,
            "cursor": lambda self, factory=cursor: sqlite3.Connection.cursor(self, factory),
            **{name: through_cursor(name) for name in queries},
        },
    )

    def failing(*args, **kwargs):
        fail("connect")
        return connect(*args, factory=connection, **kwargs)

    return failing
