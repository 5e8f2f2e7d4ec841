"""Intercepts the system calls of SQLite: its unix VFS lets each be replaced, for such tests.

(https://www.sqlite.org/c3ref/vfs.html: xSetSystemCall.) That a file be synced it asks for directly, so the method of an
open file is replaced instead.
"""

import _sqlite3
import ctypes
import errno
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import c_char_p, c_int, c_long, c_size_t, c_ssize_t, c_void_p

Strike = Callable[[str], int | None]
"""Returns the error with which a call is to fail, else `None`; 0 for a call that does only half of its work."""

PATH = c_void_p
PROTOTYPES = {
    "open": (c_int, PATH, c_int, c_int),
    "close": (c_int, c_int),
    "access": (c_int, PATH, c_int),
    "getcwd": (c_void_p, c_void_p, c_size_t),
    "stat": (c_int, PATH, c_void_p),
    "fstat": (c_int, c_int, c_void_p),
    "lstat": (c_int, PATH, c_void_p),
    "ftruncate": (c_int, c_int, c_long),
    "fcntl": (c_int, c_int, c_int, c_long),
    "read": (c_ssize_t, c_int, c_void_p, c_size_t),
    "pread": (c_ssize_t, c_int, c_void_p, c_size_t, c_long),
    "pread64": (c_ssize_t, c_int, c_void_p, c_size_t, c_long),
    "write": (c_ssize_t, c_int, c_void_p, c_size_t),
    "pwrite": (c_ssize_t, c_int, c_void_p, c_size_t, c_long),
    "pwrite64": (c_ssize_t, c_int, c_void_p, c_size_t, c_long),
    "fchmod": (c_int, c_int, c_int),
    "fallocate": (c_int, c_int, c_long, c_long),
    "unlink": (c_int, PATH),
    "mkdir": (c_int, PATH, c_int),
    "rmdir": (c_int, PATH),
    "fchown": (c_int, c_int, c_int, c_int),
    "mmap": (c_void_p, c_void_p, c_size_t, c_int, c_int, c_int, c_long),
    "munmap": (c_int, c_void_p, c_size_t),
    "readlink": (c_ssize_t, PATH, c_void_p, c_size_t),
}
"""Result and parameters, by the name that SQLite has for a call."""
NULL = {"getcwd"}
"""Those that tell of a failure by a null pointer; all others by -1."""
SYNC, SYNC_AT = "sync", 5
"""The method of an open file that syncs it, by its place among the words of `sqlite3_io_methods`."""
METHODS = 19
"""Words of `sqlite3_io_methods`: its version, and 18 functions."""
IOERR_FSYNC = 10 | 4 << 8

Next = ctypes.CFUNCTYPE(c_char_p, c_void_p, c_char_p)
Get = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_char_p)
Set = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_void_p)
Open = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
Sync = ctypes.CFUNCTYPE(c_int, c_void_p, c_int)
Sleep = ctypes.CFUNCTYPE(c_int, c_void_p, c_int)


class Vfs(ctypes.Structure):
    _fields_ = (
        ("version", c_int),
        ("size_of_file", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", c_void_p),
        *((f"method_{number}", c_void_p) for number in range(8)),
        ("sleep", c_void_p),
        *((f"method_{number}", c_void_p) for number in range(9, 12)),
        ("set_system_call", Set),
        ("get_system_call", Get),
        ("next_system_call", Next),
    )


_everlasting: list[object] = []
"""What SQLite may call to the end: files that are open when the calls are as before again."""


def _vfs():
    """SQLite's VFS, of the very library that Python uses; `None` where it cannot be reached."""
    if not sys.platform.startswith("linux"):
        return None  # other systems hand the parameters of open() and fcntl() over in another way
    find = getattr(ctypes.CDLL(_sqlite3.__file__), "sqlite3_vfs_find", None)
    if find is None:
        return None
    find.restype = ctypes.POINTER(Vfs)
    return find(None).contents


@contextmanager
def faulty_system_calls(strike: Strike) -> Iterator[bool]:
    """Ask `strike` before every call; yield whether calls could be intercepted."""
    vfs = _vfs()
    if vfs is None:
        yield False
        return
    place, plain_open, plain_sleep = ctypes.addressof(vfs), vfs.open, vfs.sleep
    names = list(_names(vfs, place))
    for name in names:
        kind = ctypes.CFUNCTYPE(*PROTOTYPES[name], use_errno=True)
        failing = kind(_failing(name, kind(vfs.get_system_call(place, name.encode())), strike))
        _everlasting.append(failing)
        vfs.set_system_call(place, name.encode(), ctypes.cast(failing, c_void_p))
    opening = Open(_opening(Open(plain_open), strike))
    waking = Sleep(lambda _, microseconds: microseconds)  # SQLite asks for a lock a hundred times before it gives up
    _everlasting.extend((opening, waking))
    vfs.open, vfs.sleep = ctypes.cast(opening, c_void_p), ctypes.cast(waking, c_void_p)
    try:
        yield True
    finally:
        vfs.open, vfs.sleep = plain_open, plain_sleep
        for name in names:
            vfs.set_system_call(place, name.encode(), None)


def _names(vfs, place: int) -> Iterator[str]:
    """Every call of this SQLite that is known here."""
    name = vfs.next_system_call(place, None)
    while name:
        if name.decode() in PROTOTYPES and vfs.get_system_call(place, name):
            yield name.decode()
        name = vfs.next_system_call(place, name)


def _failing(name: str, call, strike: Strike):
    size_at = 2 if "read" in name or "write" in name else None

    def failing(*args):
        error = strike(name)
        if error is None:
            return call(*args)
        if error == 0 and size_at is not None:
            return call(*args[:size_at], (args[size_at] + 1) // 2, *args[size_at + 1 :])
        if name == "close":
            call(*args)
        ctypes.set_errno(error or errno.EIO)
        return 0 if name in NULL else -1

    return failing


def _opening(plain_open, strike: Strike):
    """Open a file, and replace the method that syncs it."""
    changed: dict[int, int] = {}

    def opening(vfs: int, name: int, file: int, flags: int, out: int) -> int:
        code = plain_open(vfs, name, file, flags, out)
        methods = c_void_p.from_address(file).value
        if code == 0 and methods:
            if methods not in changed:
                changed[methods] = _with_failing_sync(methods, strike)
            c_void_p.from_address(file).value = changed[methods]
        return code

    return opening


def _with_failing_sync(methods: int, strike: Strike) -> int:
    """The address of a copy of these methods, one of which may fail."""
    copy = (c_void_p * METHODS).from_buffer_copy((c_void_p * METHODS).from_address(methods))
    plain_sync = Sync(copy[SYNC_AT])
    sync = Sync(lambda file, flags: plain_sync(file, flags) if strike(SYNC) is None else IOERR_FSYNC)
    copy[SYNC_AT] = ctypes.cast(sync, c_void_p)
    _everlasting.extend((copy, sync))
    return ctypes.addressof(copy)
