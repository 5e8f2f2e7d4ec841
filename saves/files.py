"""Text files: read within a limit, written whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import Final

from engine.game import BadText
from saves.errors import LibraryError
from saves.paths import shown

LARGEST: Final = 16 * 2**20
"""The most bytes of a file that is read: some sixty times the largest memory of tic-tac-toe."""


def read_text(path: Path, limit: int = LARGEST) -> str:
    """The text of a file. Raises `LibraryError` where it cannot be read, `BadText` where it is no such text."""
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            status = os.fstat(file.fileno())
            size = status.st_size
            if not S_ISREG(status.st_mode):
                raise LibraryError(f"{shown(path)} is not a file")
            data = file.read(limit + 1) if size <= limit else b""
    except OSError as error:
        raise LibraryError(f"{shown(path)} cannot be read: {error.strerror}") from error
    if size > limit or len(data) > limit:
        raise BadText(f"larger than {limit // 1024:,} KiB: no file of Noughts is")
    if b"\0" in data:
        raise BadText(f"line {_line(data, data.index(0))}: this is no text but a binary file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadText(f"line {_line(data, error.start)}: this is no text in UTF-8") from error


def require_room(path: Path, *, replace: bool) -> Path:
    """The file that a path means. Raises `LibraryError` where none can be written: ask before long work for it."""
    if not path.name:
        raise LibraryError(f"{shown(path)} names no file")
    if not replace and os.path.lexists(path):
        raise LibraryError(f"{shown(path)} is there already: choose another name")
    target = Path(os.path.realpath(path))  # a link stays a link
    try:
        if target.exists() and not S_ISREG(target.stat().st_mode):
            raise LibraryError(f"{shown(path)} cannot be written: it is not a file; nothing was changed")
        folder = next(folder for folder in target.parents if folder.exists())
        if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
            raise LibraryError(f"{shown(path)} cannot be written: nothing can be put into {shown(folder)}")
    except OSError as error:
        raise LibraryError(f"{shown(path)} cannot be written: {error.strerror}; nothing was changed") from error
    return target


def write_text(path: Path, text: str, *, replace: bool) -> None:
    """Write a file, whole or not at all. Raises `LibraryError`, also for a file that is there unless `replace`."""
    target = require_room(path, replace=replace)
    part = target.with_name(f".{os.urandom(8).hex()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        except BaseException:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise LibraryError(f"{shown(path)} cannot be written: {error.strerror}; nothing was changed") from error


def _open_at_once(path: str, flags: int) -> int:
    """Open without waiting for whoever writes at the other end of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _line(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1
