"""Inject faults into every call that reaches a file: in the program, in `sqlite3`, and in SQLite's system calls.

All calls are intercepted, so new code of the program is tested without further work. A call is a kind and a name:

    ("system", "pwrite64")  a system call of SQLite, or "sync"
    ("file", "os.replace")  a call of the program: a function of `os`, `open`, or a method of an open file
    ("sqlite", "execute")   a call of a method of a connection or cursor
"""

import _sqlite3
import ctypes
import errno
import io
import os
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import c_char_p, c_int, c_long, c_void_p
from dataclasses import dataclass
from functools import partial, wraps
from typing import Self
from unittest.mock import patch

Call = tuple[str, str]
OS_FUNCTIONS = (
    *("access", "close", "fstat", "fsync", "link", "listdir", "lstat", "mkdir", "open", "read", "readlink", "remove"),
    *("rename", "replace", "rmdir", "scandir", "stat", "symlink", "truncate", "unlink", "utime", "write"),
)
"""The functions of `os` that access files; all others call these."""
CUT_SHORT = frozenset({"read", "pread", "pread64", "write", "pwrite", "pwrite64"})
NEEDS_SPACE = frozenset(
    {"open", "write", "pwrite", "pwrite64", "fallocate", "sync"}
    | {"flush", "os.fsync", "os.mkdir", "os.open", "os.replace", "os.write"}
)
"""Calls that need space on a disk."""
NEEDS_PERMISSION = frozenset(
    {"open", "access", "stat", "lstat", "unlink", "fchown", "fcntl", "mmap"}
    | {"os.access", "os.lstat", "os.mkdir", "os.open", "os.replace", "os.scandir", "os.stat", "os.unlink"}
)
"""Calls that need a permission or a lock."""
INTERRUPTIBLE = frozenset({*CUT_SHORT, "open", "close", "fcntl", "ftruncate", "fallocate", "fchown"})
"""Calls that a signal may interrupt."""
EFFECT_BEFORE_FAILURE = {"os.close", "os.fsync", "close", "flush"}
"""Calls that have their effect even if they report a failure."""


@dataclass(frozen=True)
class FailureMode:
    """How a call fails."""

    name: str
    kinds: tuple[str, ...]
    error: int
    """The error code of the system or of SQLite; 0: the call transfers only half of its bytes."""
    lasting: bool = False
    """Whether all later calls fail too."""
    calls: frozenset[str] = frozenset()
    """The calls that may fail like this; empty for all."""
    every: int = 1
    """n, to inject a fault into every nth call only, where all calls would take too long."""

    def affects(self, call: Call) -> bool:
        kind, name = call
        return kind in self.kinds and (not self.calls or name in self.calls)


SYSTEM_AND_FILES = ("system", "file")
FAILURE_MODES = (
    FailureMode("EIO", SYSTEM_AND_FILES, errno.EIO),
    FailureMode("EIO from then on", SYSTEM_AND_FILES, errno.EIO, lasting=True, every=2),
    FailureMode("ENOSPC", SYSTEM_AND_FILES, errno.ENOSPC, calls=NEEDS_SPACE),
    FailureMode("ENOSPC from then on", SYSTEM_AND_FILES, errno.ENOSPC, lasting=True, calls=NEEDS_SPACE, every=2),
    FailureMode("EACCES", SYSTEM_AND_FILES, errno.EACCES, calls=NEEDS_PERMISSION, every=2),
    FailureMode("EINTR", ("system",), errno.EINTR, calls=INTERRUPTIBLE, every=8),  # Python repeats the program's calls
    FailureMode("half", ("system",), 0, calls=CUT_SHORT, every=4),
    FailureMode("SQLITE_IOERR", ("sqlite",), sqlite3.SQLITE_IOERR),
    FailureMode("SQLITE_IOERR from then on", ("sqlite",), sqlite3.SQLITE_IOERR, lasting=True, every=5),
    *(
        FailureMode(f"SQLITE_{name}", ("sqlite",), getattr(sqlite3, f"SQLITE_{name}"), every=5)
        for name in ("FULL", "CANTOPEN", "READONLY", "BUSY", "INTERRUPT")
    ),
)


KILL = FailureMode("kill", ("system", "file", "sqlite"), 0)
"""Not a failure of the call: the process kills itself before it."""


class Faults:
    """Counts the calls, and decides which of them fail."""

    def __init__(self) -> None:
        self.calls: Counter[Call] = Counter()
        """How often each call was made since `on` began, whether it failed or not."""
        self.failed_calls: list[Call] = []
        """The calls that failed."""
        self.below = False
        """Whether the system calls of SQLite are intercepted."""
        self._on = False
        self._mode: FailureMode | None = None
        self._at = 0
        self._passed = 0

    @contextmanager
    def on(self, mode: FailureMode | None = None, at: int = 0) -> Iterator[None]:
        """Count the calls. Of those that `mode` affects, number `at` (from 0) fails; if lasting, all later ones too."""
        self.calls.clear()
        self.failed_calls.clear()
        self._mode, self._at, self._passed, self._on = mode, at, 0, True
        try:
            yield
        finally:
            self._on = False

    def count_affected(self, mode: FailureMode) -> int:
        """Return the number of calls that a mode affects."""
        return sum(count for call, count in self.calls.items() if mode.affects(call))

    def error_for(self, kind: str, name: str) -> int | None:
        """Return the error with which the next call must fail, or `None`. Every intercepted call asks this first."""
        if not self._on:
            return None
        call = kind, name
        self.calls[call] += 1
        mode = self._mode
        if mode is None or not mode.affects(call):
            return None
        self._passed += 1
        if self._passed - 1 != self._at and not (mode.lasting and self._passed > self._at):
            return None
        self.failed_calls.append(call)
        if mode is KILL:
            os.kill(os.getpid(), signal.SIGKILL)
        return mode.error


@contextmanager
def faulty(*mixins: type) -> Iterator[Faults]:
    """Intercept all calls of this process; connections to libraries have these further base classes."""
    faults, access = Faults(), os.access
    ours = {name: _failing(faults, f"os.{name}", getattr(os, name)) for name in OS_FUNCTIONS}
    ours["access"] = lambda *args, **kwargs: faults.error_for("file", "os.access") is None and access(*args, **kwargs)
    with (
        patch.multiple(os, **ours),
        patch("io.open", _opening(faults, io.open)),
        patch("builtins.open", _opening(faults, open)),
        patch("sqlite3.connect", _connecting(faults, sqlite3.connect, mixins)),
        faulty_system_calls(partial(faults.error_for, "system")) as faults.below,
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
    """A file whose methods may fail."""

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


def _connecting(faults: Faults, connect: Callable, mixins: tuple[type, ...]) -> Callable:
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
    connection = type("Connection", (*mixins, type("Failing", (sqlite3.Connection,), own)), {})

    def failing(*args, **kwargs):
        fail("connect")
        return connect(*args, factory=connection, **kwargs)

    return failing


ErrorFor = Callable[[str], int | None]
SystemCall = ctypes.CFUNCTYPE(c_long, *[c_long] * 6, use_errno=True)
"""Any system call: on 64-bit Linux, all of their parameters and results fit into words, and further ones do no harm."""
Method = ctypes.CFUNCTYPE(c_int, c_void_p, c_long)
Open = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
OPEN, SLEEP, SET_CALL, GET_CALL, NEXT_CALL, VFS_WORDS = 5, 14, 18, 19, 20, 21
"""Places in `sqlite3_vfs`, in words, and its size (https://www.sqlite.org/c3ref/vfs.html)."""
SYNC, METHODS = 5, 19
"""The place of xSync in `sqlite3_io_methods`, in words, and its size."""
IOERR_FSYNC = 10 | 4 << 8
_kept_alive: list[object] = []
"""Callbacks that SQLite may still call for open files after the system calls were restored."""


@contextmanager
def faulty_system_calls(error_for: ErrorFor) -> Iterator[bool]:
    """Call `error_for` before every system call of SQLite; yield whether system calls can be intercepted.

    SQLite's unix VFS lets tests replace each of them, except fsync: so xSync of each open file is replaced instead.
    """
    find = getattr(ctypes.CDLL(_sqlite3.__file__), "sqlite3_vfs_find", None)
    if find is None or not sys.platform.startswith("linux") or ctypes.sizeof(c_long) < 8:
        yield False  # other systems pass the parameters of open() and fcntl() differently
        return
    find.restype = c_void_p
    address = find(None)
    vfs = (c_void_p * VFS_WORDS).from_address(address)
    original_open, original_sleep = vfs[OPEN], vfs[SLEEP]
    set_call = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_void_p)(vfs[SET_CALL])
    get_call = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_char_p)(vfs[GET_CALL])
    next_call = ctypes.CFUNCTYPE(c_char_p, c_void_p, c_char_p)(vfs[NEXT_CALL])
    names = [next_call(address, None)]
    while following := next_call(address, names[-1]):
        names.append(following)
    names = [name for name in names if get_call(address, name)]
    for name in names:
        failing = SystemCall(_failing_call(name.decode(), SystemCall(get_call(address, name)), error_for))
        _kept_alive.append(failing)
        set_call(address, name, ctypes.cast(failing, c_void_p))
    opening = Open(_opening_file(Open(original_open), error_for))
    sleeping = Method(lambda _, microseconds: microseconds)  # no pause, since SQLite asks for a lock 100 times
    _kept_alive.extend((opening, sleeping))
    vfs[OPEN], vfs[SLEEP] = (ctypes.cast(each, c_void_p).value for each in (opening, sleeping))
    try:
        yield True
    finally:
        vfs[OPEN], vfs[SLEEP] = original_open, original_sleep
        for name in names:
            set_call(address, name, None)


def _failing_call(name: str, call: Callable, error_for: ErrorFor) -> Callable:
    def failing(*args: int) -> int:
        error = error_for(name)
        if error is None:
            return call(*args)
        if error == 0 and name in CUT_SHORT:
            return call(*args[:2], (args[2] + 1) // 2, *args[3:])
        if name == "close":
            call(*args)
        ctypes.set_errno(error or errno.EIO)
        return 0 if name == "getcwd" else -1

    return failing


def _opening_file(original_open: Callable, error_for: ErrorFor) -> Callable:
    """Return a replacement of xOpen that also replaces the method xSync of the file."""
    changed: dict[int, int] = {}

    def with_failing_sync(methods: int) -> int:
        copy = (c_void_p * METHODS).from_buffer_copy((c_void_p * METHODS).from_address(methods))
        original = Method(copy[SYNC])
        sync = Method(lambda file, flags: original(file, flags) if error_for("sync") is None else IOERR_FSYNC)
        copy[SYNC] = ctypes.cast(sync, c_void_p).value
        _kept_alive.extend((copy, sync))
        return ctypes.addressof(copy)

    def opening(vfs: int, name: int, file: int, flags: int, out: int) -> int:
        code = original_open(vfs, name, file, flags, out)
        methods = c_void_p.from_address(file)
        if code == 0 and methods.value:
            if methods.value not in changed:
                changed[methods.value] = with_failing_sync(methods.value)
            methods.value = changed[methods.value]
        return code

    return opening
