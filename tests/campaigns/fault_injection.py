"""Inject faults into every call of the program that reaches a file, and into every call to SQLite.

All calls are intercepted, so new code of the program is tested without further work. A call is a kind and a name:

    ("file", "os.replace")  a call of the program: a function of `os`, `open`, or a method of an open file
    ("sqlite", "execute")   a call of a method of a connection or cursor
"""

import errno
import io
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import NamedTuple, Self
from unittest.mock import patch

OS_FUNCTIONS = (
    *("access", "close", "fstat", "fsync", "link", "listdir", "lstat", "mkdir", "open", "read", "readlink", "remove"),
    *("rename", "replace", "rmdir", "scandir", "stat", "symlink", "truncate", "unlink", "utime", "write"),
)
"""The functions of `os` that access files; all others call these."""
CALLS_THAT_NEED_SPACE = frozenset(
    {"open", "write", "flush", "os.fsync", "os.mkdir", "os.open", "os.replace", "os.write"}
)
CALLS_THAT_NEED_PERMISSION = frozenset(
    {"open", *(f"os.{name}" for name in ("access", "lstat", "mkdir", "open", "replace", "scandir", "stat", "unlink"))}
)
EFFECT_BEFORE_FAILURE = {"os.close", "os.fsync", "close", "flush"}
"""Calls that have their effect even if they report a failure."""


class FailureMode(NamedTuple):
    kind: str
    """The kind of the calls that fail; empty for both."""
    error: int
    """The error code of the system or of SQLite."""
    lasting: bool = False
    """Whether all later calls fail too."""
    calls: frozenset[str] = frozenset()
    """The calls that may fail like this; empty for all."""


SQLITE_ERRORS = "FULL", "CANTOPEN", "READONLY", "BUSY", "INTERRUPT"
FAILURE_MODES = (
    FailureMode("file", errno.EIO),
    FailureMode("sqlite", sqlite3.SQLITE_IOERR),
    FailureMode("file", errno.EIO, lasting=True),
    FailureMode("file", errno.ENOSPC, calls=CALLS_THAT_NEED_SPACE),
    FailureMode("file", errno.ENOSPC, lasting=True, calls=CALLS_THAT_NEED_SPACE),
    FailureMode("file", errno.EACCES, calls=CALLS_THAT_NEED_PERMISSION),
    FailureMode("sqlite", sqlite3.SQLITE_IOERR, lasting=True),
    *(FailureMode("sqlite", getattr(sqlite3, f"SQLITE_{name}")) for name in SQLITE_ERRORS),
)
KILL = FailureMode("", 0)
"""Not a failure of the call: the process kills itself before it."""


class Faults:
    def __init__(self) -> None:
        self.failed_calls: list[tuple[str, str]] = []
        self._mode: FailureMode | None = None
        self._at = self._passed = 0

    @contextmanager
    def on(self, mode: FailureMode | None = None, at: int = 0) -> Iterator[None]:
        """Let call number `at` (from 0) of those that `mode` affects fail; if lasting, all later ones too."""
        self.failed_calls.clear()
        self._mode, self._at, self._passed = mode, at, 0
        try:
            yield
        finally:
            self._mode = None

    def error_for(self, kind: str, name: str) -> int | None:
        """Return the error with which the next call must fail, or `None`. Every intercepted call asks this first."""
        mode = self._mode
        if mode is None or mode.kind not in ("", kind) or (mode.calls and name not in mode.calls):
            return None
        self._passed += 1
        if self._passed - 1 != self._at and not (mode.lasting and self._passed > self._at):
            return None
        self.failed_calls.append((kind, name))
        if mode is KILL:
            os.kill(os.getpid(), signal.SIGKILL)
        return mode.error


@contextmanager
def faulty() -> Iterator[Faults]:
    faults, access = Faults(), os.access
    ours = {name: _failing(faults, f"os.{name}", getattr(os, name)) for name in OS_FUNCTIONS}
    ours["access"] = lambda *args, **kwargs: faults.error_for("file", "os.access") is None and access(*args, **kwargs)
    with (
        patch.multiple(os, **ours),
        patch("io.open", _opening(faults, io.open)),
        patch("builtins.open", _opening(faults, open)),
        patch("sqlite3.connect", _connecting(faults, sqlite3.connect)),
    ):
        yield faults


def _failing(faults: Faults, name: str, call: Callable) -> Callable:
    @wraps(call)
    def failing(*args, **kwargs):
        error = faults.error_for("file", name)
        if error is None:
            return call(*args, **kwargs)
        if name in EFFECT_BEFORE_FAILURE:
            call(*args, **kwargs)
        where = [arg for arg in args[:1] if isinstance(arg, str | os.PathLike)]
        raise OSError(error, os.strerror(error), *map(os.fspath, where))

    return failing


def _opening(faults: Faults, call: Callable) -> Callable:
    opened = _failing(faults, "open", call)
    return lambda *args, **kwargs: File(faults, opened(*args, **kwargs))


class File:
    def __init__(self, faults: Faults, file: object) -> None:
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


def _connecting(faults: Faults, connect: Callable) -> Callable:
    def fail(name: str) -> None:
        code = faults.error_for("sqlite", name)
        if code is not None:
            error = sqlite3.OperationalError(f"made up: {code}")
            error.sqlite_errorcode = code
            raise error

    def method(kind: type, name: str) -> Callable:
        call = getattr(kind, name)

        def failing(*args, **kwargs):
            try:
                fail(name)
                return call(*args, **kwargs)
            finally:
                del args  # a traceback would keep a reference to the cursor, and so to the connection

        return failing

    def close(self: sqlite3.Connection) -> None:
        sqlite3.Connection.close(self)
        fail("close")

    queries = ("execute", "executemany", "executescript")
    of_cursor = {name: method(sqlite3.Cursor, name) for name in (*queries, "fetchone", "fetchall", "__next__")}
    cursor = type("Cursor", (sqlite3.Cursor,), of_cursor)
    own = {name: method(sqlite3.Connection, name) for name in ("serialize", "backup", "commit", "blobopen")}
    own |= {name: lambda self, *args, name=name: getattr(self.cursor(), name)(*args) for name in queries}
    own |= {"close": close, "cursor": lambda self, factory=cursor: sqlite3.Connection.cursor(self, factory)}
    connection = type("Connection", (sqlite3.Connection,), own)

    def failing(*args, **kwargs):
        fail("connect")
        return connect(*args, factory=connection, **kwargs)

    return failing
