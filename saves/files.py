"""Read text files up to a size limit, and write files atomically."""

import os
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISREG
from time import monotonic, sleep, time
from typing import BinaryIO, Final

from engine.game import BadText
from saves.errors import UNCHANGED, LibraryError, file_errors
from saves.open_libraries import open_or
from saves.paths import path_text

if sys.platform != "win32":
    from fcntl import LOCK_EX, LOCK_NB, flock

MAGIC: Final = b"SQLite format 3\0"
"""The first bytes of every SQLite database."""
LOGS: Final = ("-wal", "-journal")
"""The suffixes of the files without which a library may be incomplete or damaged after a crash.

The write-ahead log holds committed changes; a rollback journal holds what an unfinished transaction has overwritten."""
INDEX: Final = "-shm"
"""The suffix of the file beside a library that SQLite can create again."""

LARGEST: Final = 64 * 2**20
"""The size limit of a file to read, in bytes: twice what a network for Connect Four takes with all its checkpoints."""
NON_ASCII_DIVISOR: Final = 8
"""The divisor of the limit for text that is not ASCII, since Python needs up to four bytes for each character."""

PART: Final = ".noughts-{}.part"
"""The name of a file while it is written; `{}` stands for random characters."""
ABANDONED_AFTER: Final = 3600.0
"""The age in seconds at which a partly written file is removed: the program that wrote it must have been killed."""


def read_text(path: Path, limit: int = LARGEST) -> str:
    """Return the text of a file of at most `limit` bytes, in UTF-8 with or without a byte order mark.

    Raises `LibraryError` if the file cannot be read, and `BadText` if it is too large or not text.
    """
    return text_of(read_bytes(path, limit), limit)


def read_bytes(path: Path, limit: int = LARGEST) -> bytes:
    """Return the content of a file of at most `limit` bytes. Raises the same errors as `read_text`."""
    with file_errors(f"{path_text(path)} cannot be read"), open(path, "rb", opener=_open_without_waiting) as file:
        status = os.fstat(file.fileno())
        size = status.st_size
        if not S_ISREG(status.st_mode):
            raise LibraryError(f"{path_text(path)} is not a file: choose another one")
        data = file.read(limit + 1) if size <= limit else b""
    if size > limit:
        raise _too_large(limit)
    return data


def text_of(data: bytes, limit: int = LARGEST) -> str:
    """Return the text of at most `limit` bytes of UTF-8, with or without a byte order mark. Raises `BadText`."""
    if len(data) > limit:
        raise _too_large(limit)
    if b"\0" in data:
        raise BadText(f"line {_line_number(data, data.index(0))}: this is a binary file, not text")
    if len(data) * NON_ASCII_DIVISOR > limit and not data.isascii():
        kibibytes = limit // NON_ASCII_DIVISOR // 1024
        raise BadText(f"too large for a file of Noughts: larger than {kibibytes:,} KiB, and not plain ASCII")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadText(f"line {_line_number(data, error.start)}: this is not text in UTF-8") from error


def _too_large(limit: int) -> BadText:
    return BadText(f"larger than {limit // 1024:,} KiB, too large for a file of Noughts")


def is_there(path: Path) -> bool:
    """Return whether a file or folder exists at `path`. Raises `LibraryError` if that cannot be determined."""
    with file_errors(f"{path_text(path)} cannot be read"):
        return _mode_of(path) is not None


def files_of(folder: Path, suffixes: Collection[str]) -> list[Path]:
    """Return the files of a folder whose names end in one of these suffixes; none if it cannot be read."""
    try:
        return sorted(each for each in folder.iterdir() if each.suffix.lower() in suffixes)
    except OSError:
        return []


def is_same(one: Path, other: Path) -> bool:
    """Return whether two paths lead to the same file. Raises `LibraryError` if that cannot be determined."""
    with file_errors(f"{path_text(one)} cannot be read"):
        return is_there(one) and is_there(other) and one.samefile(other)


def paths_beside(path: Path, what: str) -> Iterator[Path]:
    """Yield paths beside a file, without end: `library-WHAT.sqlite`, `library-WHAT-2.sqlite` …"""
    yield path.with_stem(f"{path.stem}-{what}")
    yield from (path.with_stem(f"{path.stem}-{what}-{number}") for number in count(2))


def _mode_of(path: Path, *, follow_links: bool = True) -> int | None:
    """Return the mode of the file at `path`, as in `stat`; `None` if there is no file. Raises `OSError`."""
    try:
        return path.stat(follow_symlinks=follow_links).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None


def writable_file(path: Path, *, replace: bool) -> Path:
    """Return the file to which `path` leads, with symbolic links resolved. Call this before long work.

    Raises `LibraryError` if the file cannot be written, or exists and `replace` is false.
    """
    if not path.name:
        raise LibraryError(f"{path_text(path)} does not name a file")
    with file_errors(f"{path_text(path)} cannot be written", UNCHANGED):
        if not replace and _mode_of(path, follow_links=False) is not None:
            raise already_exists(path)
        target = Path(os.path.realpath(path))  # a symbolic link is kept, and the file it points to is replaced
        mode = _mode_of(target, follow_links=False)
        if mode is not None and not S_ISREG(mode):
            raise LibraryError(
                f"{path_text(path)} cannot be written: it is not a file; nothing was changed. Choose another name"
            )
        folder = target.parent
        folder_mode = _mode_of(folder)
    if folder_mode is None:
        raise LibraryError(
            f"{path_text(path)} cannot be written: the folder {path_text(folder)} does not exist; "
            "create it, or choose another place"
        )
    if not (S_ISDIR(folder_mode) and os.access(folder, os.W_OK | os.X_OK)):
        raise LibraryError(
            f"{path_text(path)} cannot be written: no file can be created in {path_text(folder)}; "
            "change its permissions, or choose another place"
        )
    return target


def already_exists(path: Path) -> LibraryError:
    """Return the error for a file that exists and must not be replaced."""
    return LibraryError(f"{path_text(path)} already exists: choose another name, or add --replace")


def refuse_log(path: Path) -> None:
    """Raise `LibraryError` for a name that SQLite could use for a log beside a library."""
    if path.name.endswith((*LOGS, INDEX)):
        raise LibraryError(f"{path_text(path)} has the name of a log file of SQLite: choose another name")


def _refuse_library(path: Path) -> None:
    """Raise `LibraryError` if `path` is an SQLite database, which text must not replace."""

    def is_database() -> bool:
        with open(path, "rb", opener=_open_without_waiting) as file:
            return file.read(len(MAGIC)) == MAGIC

    with file_errors(f"{path_text(path)} cannot be read", UNCHANGED):
        if _mode_of(path) is not None and open_or(path, is_database):
            raise LibraryError(f"{path_text(path)} is a library or another database: choose another name")


def writable_text_file(path: Path, *, replace: bool) -> Path:
    """Do the same as `writable_file`, and also raise `LibraryError` for a database, or a name of its log."""
    target = writable_file(path, replace=replace)
    refuse_log(target)
    _refuse_library(target)
    return target


def write_text(path: Path, text: str | bytes | Callable[[BinaryIO], object], *, replace: bool) -> None:
    """Write a text file in UTF-8, atomically. Raises `LibraryError` as `writable_text_file` does.

    If `text` is a function, it writes the file piece by piece, so that memory never holds all of it.
    """
    writable_text_file(path, replace=replace)
    write_bytes(path, text.encode() if isinstance(text, str) else text, replace=replace)


def write_bytes(
    path: Path,
    data: bytes | Callable[[BinaryIO], object],
    *,
    replace: bool,
    like: Path | None = None,
    before_rename: Callable[[], None] | None = None,
) -> None:
    """Write a file atomically. Raises `LibraryError`, also for a file that exists unless `replace` is true.

    If `data` is a function, it gets the open file. The new file has the permissions of the file `like`, or else of the
    file that it replaces. `before_rename` is called when the data are on the disk, just before the file gets its name.
    """
    target = writable_file(path, replace=replace)
    part = target.with_name(PART.format(os.urandom(8).hex()))
    with file_errors(f"{path_text(path)} cannot be written", UNCHANGED):
        _remove_abandoned(target.parent)
        try:
            with part.open("xb") as file:
                mode = _mode_of(target if like is None else like)
                if mode is not None:
                    part.chmod(S_IMODE(mode))
                if callable(data):
                    data(file)
                else:
                    file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if before_rename is not None:
                before_rename()
            if replace:
                part.replace(target)
            else:
                _rename_to_new(part, target)
            _sync_folder(target.parent)
        except BaseException:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise


def _rename_to_new(part: Path, target: Path) -> None:
    """Rename `part` to `target`. Raises `OSError`, and `LibraryError` if another program has created `target`."""
    try:
        os.link(part, target)
    except FileExistsError as error:
        raise already_exists(target) from error
    except OSError:  # a file system without hard links
        part.replace(target)
    else:
        with suppress(OSError):  # the file already has its final name
            part.unlink()


def _sync_folder(folder: Path) -> None:
    """Write the directory itself to the disk, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def folder_lock(folder: Path, patience: float) -> Iterator[None]:
    """Hold an advisory lock on a folder during the block, if the system has such locks.

    After `patience` seconds, the block runs without the lock, so that a program that hangs blocks no other program.
    """
    descriptor = None
    with suppress(OSError):  # if the folder cannot be used, a later write into it reports why
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
        _lock(descriptor, patience)
    try:
        yield
    finally:
        if descriptor is not None:
            with suppress(OSError):  # an error here cannot affect what was written
                os.close(descriptor)


def _lock(descriptor: int, patience: float) -> None:
    """Wait up to `patience` seconds for the lock of an open folder. When a process ends, its locks are released."""
    deadline = monotonic() + patience
    while sys.platform != "win32" and monotonic() < deadline:
        try:
            flock(descriptor, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            sleep(0.002)
        else:
            break


def _remove_abandoned(folder: Path) -> None:
    """Remove partly written files, which belong to programs that were killed."""
    with suppress(OSError):  # such files do no harm
        for part in folder.glob(PART.format("*")):
            if time() - part.lstat().st_mtime > ABANDONED_AFTER:
                part.unlink()


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a file; if it is a pipe, do not wait for its writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _line_number(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1
