"""Files: texts read within a limit, anything written whole or not at all."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISREG
from time import monotonic, sleep, time
from typing import BinaryIO, Final

from engine.game import BadText
from saves.errors import LibraryError, reason
from saves.handles import INDEX, LOGS, MAGIC, unless_opened
from saves.paths import shown

if sys.platform != "win32":
    from fcntl import LOCK_EX, LOCK_NB, flock

LARGEST: Final = 16 * 2**20
"""The most bytes of a file that is read: some sixty times the largest memory of tic-tac-toe."""
WIDENED: Final = 8
"""Of texts with letters beyond ASCII, which take up to four times the room, such a part."""

PART: Final = ".noughts-{}.part"
"""What a file is called while it is written."""
ABANDONED: Final = 3600.0
"""Seconds after which whoever was writing one was killed at that."""


def read_text(path: Path, limit: int = LARGEST) -> str:
    """The text of a file. Raises `LibraryError` where it cannot be read, `BadText` where it is no such text."""
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            status = os.fstat(file.fileno())
            size = status.st_size
            if not S_ISREG(status.st_mode):
                raise LibraryError(f"{shown(path)} is not a file: choose another one")
            data = file.read(limit + 1) if size <= limit else b""
    except OSError as error:
        raise LibraryError(f"{shown(path)} cannot be read: {reason(error)}") from error
    if size > limit or len(data) > limit:
        raise BadText(f"larger than {limit // 1024:,} KiB: no file of Noughts is")
    if b"\0" in data:
        raise BadText(f"line {_line(data, data.index(0))}: this is no text but a binary file")
    if size * WIDENED > limit and not data.isascii():
        raise BadText(f"larger than {limit // WIDENED // 1024:,} KiB, and not of ASCII alone: no file of Noughts is")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadText(f"line {_line(data, error.start)}: this is no text in UTF-8") from error


def is_there(path: Path) -> bool:
    """Whether there is anything of that name. Raises `LibraryError` where that cannot be known."""
    try:
        return _kind(path) is not None
    except OSError as error:
        raise LibraryError(f"{shown(path)} cannot be read: {reason(error)}") from error


def is_same(one: Path, other: Path) -> bool:
    """Whether both are one file, under whatever names. Raises `LibraryError` where that cannot be known."""
    try:
        return is_there(one) and is_there(other) and one.samefile(other)
    except OSError as error:
        raise LibraryError(f"{shown(one)} cannot be read: {reason(error)}") from error


def _kind(path: Path, *, follow_links: bool = True) -> int | None:
    """What is there, as `stat` has it; `None` for nothing. Raises `OSError` where that cannot be known."""
    try:
        return path.stat(follow_symlinks=follow_links).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None


def require_room(path: Path, *, replace: bool) -> Path:
    """The file that a path means. Raises `LibraryError` where none can be written: ask before long work for it."""
    if not path.name:
        raise LibraryError(f"{shown(path)} names no file")
    try:
        if not replace and _kind(path, follow_links=False) is not None:
            raise LibraryError(f"{shown(path)} is there already: choose another name")
        target = Path(os.path.realpath(path))  # a link stays a link
        kind = _kind(target, follow_links=False)
        if kind is not None and not S_ISREG(kind):
            raise LibraryError(
                f"{shown(path)} cannot be written: it is not a file; nothing was changed. Choose another name"
            )
        folder = target.parent
        kind = _kind(folder)
    except OSError as error:
        raise LibraryError(f"{shown(path)} cannot be written: {reason(error)}. Nothing was changed") from error
    if kind is None:
        raise LibraryError(
            f"{shown(path)} cannot be written: the folder {shown(folder)} does not exist; "
            "create it, or choose another place"
        )
    if not (S_ISDIR(kind) and os.access(folder, os.W_OK | os.X_OK)):
        raise LibraryError(
            f"{shown(path)} cannot be written: nothing can be put into {shown(folder)}; "
            "allow that, or choose another place"
        )
    return target


def refuse_log(path: Path) -> None:
    """Raise `LibraryError` for a name that SQLite takes for one of its own files beside a library."""
    if path.name.endswith((*LOGS, INDEX)):
        raise LibraryError(f"{shown(path)} is named like a log of SQLite: choose another name")


def _refuse_library(path: Path) -> None:
    """Raise `LibraryError` where a text would take the place of a library."""

    def begins_like_one() -> bool:
        with open(path, "rb", opener=_open_at_once) as file:
            return file.read(len(MAGIC)) == MAGIC

    try:
        if _kind(path) is not None and unless_opened(path, begins_like_one, otherwise=True):
            raise LibraryError(f"{shown(path)} is a library, or another database: choose another name")
    except OSError as error:
        raise LibraryError(f"{shown(path)} cannot be read: {reason(error)}. Nothing was changed") from error


def require_room_for_text(path: Path, *, replace: bool) -> Path:
    """The file that a path means, as `require_room` does. Raises `LibraryError` also where it would harm a library."""
    target = require_room(path, replace=replace)
    refuse_log(target)
    _refuse_library(target)
    return target


def write_text(path: Path, text: str, *, replace: bool) -> None:
    """Write a text as a file, as `write_bytes` does. Raises `LibraryError` also where it would harm a library."""
    data = text.encode()
    _write(path, require_room_for_text(path, replace=replace), lambda file: file.write(data), replace=replace)


def write_bytes(
    path: Path, data: bytes, *, replace: bool, like: Path | None = None, first: Callable[[], None] | None = None
) -> None:
    """Write a file, whole or not at all. Raises `LibraryError`, also for a file that is there unless `replace`.

    Those may read it who may read what it replaces, or `like`. `first` is called when everything is ready for the
    file to take its place.
    """
    _write(
        path,
        require_room(path, replace=replace),
        lambda file: file.write(data),
        replace=replace,
        like=like,
        first=first,
    )


def write_file(path: Path, write: Callable[[BinaryIO], object], *, like: Path) -> None:
    """Write a new file by calling `write` with it, whole or not at all, as `write_bytes` does."""
    _write(path, require_room(path, replace=False), write, replace=False, like=like)


def _write(  # noqa: PLR0913  what `write_bytes` takes, and where that leads
    path: Path,
    target: Path,
    write: Callable[[BinaryIO], object],
    *,
    replace: bool,
    like: Path | None = None,
    first: Callable[[], None] | None = None,
) -> None:
    part = target.with_name(PART.format(os.urandom(8).hex()))
    try:
        _clear_up(target.parent)
        try:
            with part.open("xb") as file:
                mode = _kind(target if like is None else like)
                if mode is not None:
                    part.chmod(S_IMODE(mode))
                write(file)
                file.flush()
                os.fsync(file.fileno())
            if first is not None:
                first()
            if replace:
                part.replace(target)
            else:
                _put_where_nothing_is(part, target)
            _keep_names(target.parent)
        except BaseException:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise LibraryError(f"{shown(path)} cannot be written: {reason(error)}. Nothing was changed") from error


def _put_where_nothing_is(part: Path, target: Path) -> None:
    """Give a file its name, unless somebody took that meanwhile. Raises `LibraryError`, `OSError`."""
    try:
        os.link(part, target)
    except FileExistsError as error:
        raise LibraryError(f"{shown(target)} is there already: choose another name") from error
    except OSError:  # a disk without links
        part.replace(target)
    else:
        with suppress(OSError):  # it has its name
            part.unlink()


def _keep_names(folder: Path) -> None:
    """Let the names in a folder be on the disk as well, as far as the system can see to that."""
    with suppress(OSError):
        key = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(key)
        finally:
            os.close(key)


@contextmanager
def alone_in(folder: Path, patience: float) -> Iterator[None]:
    """Let no other program that asks for it be in here meanwhile, as far as the system can see to that.

    It is waited for so many seconds, and not longer: a lock must not keep anybody from work.
    """
    key = None
    with suppress(OSError):  # what is wrong with the folder is told by whoever writes into it
        folder.mkdir(parents=True, exist_ok=True)
        key = os.open(folder, os.O_RDONLY)
        _lock(key, patience)
    try:
        yield
    finally:
        if key is not None:
            with suppress(OSError):  # the lock is gone, and everything is written or not, by now
                os.close(key)


def _lock(key: int, patience: float) -> None:
    """Wait for the lock of an open folder, which is gone with whoever holds it."""
    deadline = monotonic() + patience
    while sys.platform != "win32" and monotonic() < deadline:
        try:
            flock(key, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            sleep(0.002)
        else:
            break


def _clear_up(folder: Path) -> None:
    """Remove what was left there by programs that were killed while they wrote."""
    with suppress(OSError):  # it is in nobody's way
        for part in folder.glob(PART.format("*")):
            if time() - part.lstat().st_mtime > ABANDONED:
                part.unlink()


def _open_at_once(path: str, flags: int) -> int:
    """Open without waiting for whoever writes at the other end of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _line(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1
