"""Intercept the system calls of SQLite. Its unix VFS lets tests replace each of them.

See xSetSystemCall in https://www.sqlite.org/c3ref/vfs.html. SQLite calls fsync directly; so the method xSync of each
open file is replaced instead.
"""

import _sqlite3
import ctypes
import errno
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import c_char_p, c_int, c_long, c_size_t, c_ssize_t, c_void_p

ErrorFor = Callable[[str], int | None]
"""Returns the error with which a call must fail, or `None`; 0: the call transfers only half of its bytes."""

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
"""The types of the result and of the parameters, by SQLite's name of the call."""
RETURN_NULL = {"getcwd"}
"""The calls that report a failure by a null pointer; all others return -1."""
SYNC, SYNC_AT = "sync", 5
"""The name of the call, and the index of its method xSync among the words of `sqlite3_io_methods`."""
METHODS = 19
"""The number of words of `sqlite3_io_methods`: its version, and 18 functions."""
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


_kept_alive: list[object] = []
"""Callbacks that SQLite may still call for open files after the system calls were restored."""


def _vfs():
    """Return the VFS of the SQLite library that Python uses; `None` where it cannot be reached."""
    if not sys.platform.startswith("linux"):
        return None  # other systems pass the parameters of open() and fcntl() differently
    find = getattr(ctypes.CDLL(_sqlite3.__file__), "sqlite3_vfs_find", None)
    if find is None:
        return None
    find.restype = ctypes.POINTER(Vfs)
    return find(None).contents


@contextmanager
def faulty_system_calls(error_for: ErrorFor) -> Iterator[bool]:
    """Call `error_for` before every system call; yield whether system calls can be intercepted."""
    vfs = _vfs()
    if vfs is None:
        yield False
        return
    address, original_open, original_sleep = ctypes.addressof(vfs), vfs.open, vfs.sleep
    names = list(_names(vfs, address))
    for name in names:
        kind = ctypes.CFUNCTYPE(*PROTOTYPES[name], use_errno=True)
        failing = kind(_failing(name, kind(vfs.get_system_call(address, name.encode())), error_for))
        _kept_alive.append(failing)
        vfs.set_system_call(address, name.encode(), ctypes.cast(failing, c_void_p))
    opening = Open(_opening(Open(original_open), error_for))
    sleeping = Sleep(lambda _, microseconds: microseconds)  # no pause, since SQLite asks for a lock 100 times
    _kept_alive.extend((opening, sleeping))
    vfs.open, vfs.sleep = ctypes.cast(opening, c_void_p), ctypes.cast(sleeping, c_void_p)
    try:
        yield True
    finally:
        vfs.open, vfs.sleep = original_open, original_sleep
        for name in names:
            vfs.set_system_call(address, name.encode(), None)


def _names(vfs, address: int) -> Iterator[str]:
    """The name of each system call of this SQLite that is in `PROTOTYPES`."""
    name = vfs.next_system_call(address, None)
    while name:
        if name.decode() in PROTOTYPES and vfs.get_system_call(address, name):
            yield name.decode()
        name = vfs.next_system_call(address, name)


def _failing(name: str, call, error_for: ErrorFor):
    size_at = 2 if "read" in name or "write" in name else None

    def failing(*args):
        error = error_for(name)
        if error is None:
            return call(*args)
        if error == 0 and size_at is not None:
            return call(*args[:size_at], (args[size_at] + 1) // 2, *args[size_at + 1 :])
        if name == "close":
            call(*args)
        ctypes.set_errno(error or errno.EIO)
        return 0 if name in RETURN_NULL else -1

    return failing


def _opening(original_open, error_for: ErrorFor):
    """Return a replacement of xOpen that also replaces the method xSync of the file."""
    changed: dict[int, int] = {}

    def opening(vfs: int, name: int, file: int, flags: int, out: int) -> int:
        code = original_open(vfs, name, file, flags, out)
        methods = c_void_p.from_address(file).value
        if code == 0 and methods:
            if methods not in changed:
                changed[methods] = _with_failing_sync(methods, error_for)
            c_void_p.from_address(file).value = changed[methods]
        return code

    return opening


def _with_failing_sync(methods: int, error_for: ErrorFor) -> int:
    """Return the address of a copy of these methods in which xSync may fail."""
    copy = (c_void_p * METHODS).from_buffer_copy((c_void_p * METHODS).from_address(methods))
    original_sync = Sync(copy[SYNC_AT])
    sync = Sync(lambda file, flags: original_sync(file, flags) if error_for(SYNC) is None else IOERR_FSYNC)
    copy[SYNC_AT] = ctypes.cast(sync, c_void_p)
    _kept_alive.extend((copy, sync))
    return ctypes.addressof(copy)
