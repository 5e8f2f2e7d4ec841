"""The cache of large spaces: files beside the library, which can be deleted at any time.

A file is named after the game, and after a digest of the rules, of the code that builds spaces, and of numpy's version.
It has a header, one line of JSON, and then the arrays of the space one after the other, each at a multiple of 64 bytes.
The header has a checksum of the arrays. A file that is not valid is deleted, and its space is built again.

The module also tells how much memory the system still has, so that a lack is noticed before a space is built.
"""

import inspect
import json
import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

import engine.space_building
from engine.compiling.source_digest import digest_of
from engine.game import Game
from engine.space import Space
from engine.stop import Stop, Stopped, never
from saves.errors import LibraryError
from saves.files import write_bytes

FOLDER: Final = "cache"
SUFFIX: Final = ".space"
FORMAT: Final = 2
ALIGNMENT: Final = 64
MAX_HEADER: Final = 4096
BYTES_AT_ONCE: Final = 2**24
"""How many bytes are written at once; between writes, `save` asks whether to stop."""
MAX_BYTES: Final = 4 * 2**30
"""The size limit of all files together, in bytes. The files used least recently are deleted first."""
ARRAYS: Final = tuple(each.name for each in fields(Space) if each.name != "game")


@dataclass(frozen=True)
class CachedSpace:
    """A file of the cache."""

    path: Path
    game: str
    positions: int
    size: int
    """The size of the file in bytes."""


class SpaceCache:
    """A cache in a folder, to be given to `engine.spaces.keep_spaces_in`."""

    def __init__(self, library: Path) -> None:
        """Use the folder beside a library; the first space that is kept creates it."""
        self.folder = library.parent / FOLDER

    def path(self, game: Game) -> Path:
        """Return the path of the file for a game."""
        return self.folder / f"{re.sub('[^a-z0-9]+', '-', game.name)}-{_digest(game)}{SUFFIX}"

    def load(self, game: Game) -> Space | None:
        """Return the space of a game; `None` if there is no file. A damaged file is deleted, and counts as none."""
        path = self.path(game)
        try:
            space = _read(path, game)
            os.utime(path)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):  # damaged in any way
            _delete(path)
            return None
        return space

    def available_memory(self) -> int | None:
        """Return how many bytes of memory this process can still take; see the function of this name."""
        return available_memory()

    def save(self, space: Space, stop: Stop = never) -> None:
        """Write a space to its file, if the disk allows it.

        Raises `Stopped` once `stop()` is true; then no file is kept.
        """
        path = self.path(space.game)
        arrays = {name: np.ascontiguousarray(getattr(space, name)) for name in ARRAYS}
        header = {
            "format": FORMAT,
            "game": space.game.name,
            "arrays": {name: [array.dtype.str, len(array)] for name, array in arrays.items()},
            "checksum": _checksum(arrays.values()),
        }
        line = json.dumps(header).encode() + b"\n"

        def write(file: BinaryIO) -> None:
            file.write(line + bytes(-len(line) % ALIGNMENT))
            for array in arrays.values():
                for start in range(0, array.nbytes, BYTES_AT_ONCE):
                    if stop():
                        raise Stopped
                    file.write(array.data.cast("B")[start : start + BYTES_AT_ONCE])
                file.write(bytes(-array.nbytes % ALIGNMENT))

        with suppress(OSError, LibraryError):
            self.folder.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            write_bytes(path, write, replace=False, like=path)
            self._shrink()

    def entries(self) -> list[CachedSpace]:
        """Return the files of the cache, sorted by game."""
        entries = []
        for path in self._files():
            try:
                header, _ = _read_header(path)
                game, positions = str(header["game"]), int(header["arrays"]["position"][1])
            except (OSError, ValueError, KeyError, TypeError):
                game, positions = "", 0
            entries.append(CachedSpace(path, game, positions, path.stat().st_size))
        return sorted(entries, key=lambda entry: (entry.game, entry.path))

    def clear(self) -> int:
        """Delete all files; return their number. Raises `LibraryError` if one cannot be deleted."""
        files = self._files()
        for path in files:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise LibraryError(f"{path} cannot be deleted: {error.strerror}") from error
        return len(files)

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob(f"*{SUFFIX}"))

    def _shrink(self) -> None:
        """Delete the files that were used least recently, until the rest has at most `MAX_BYTES`."""
        total = 0
        for path in sorted(self._files(), key=lambda each: each.stat().st_mtime, reverse=True):
            total += path.stat().st_size
            if total > MAX_BYTES:
                _delete(path)


def _delete(path: Path) -> None:
    with suppress(OSError):  # no harm: a damaged file is rejected again, and an old one is deleted after a later save
        path.unlink(missing_ok=True)


def _digest(game: Game) -> str:
    """Return a digest of all that determines the space of a game: its name, its rules, and how spaces are built."""
    kinds = [kind for kind in type(game).__mro__ if kind.__module__ != "builtins"]
    sources = {kind.__module__: inspect.getsourcefile(kind) for kind in kinds}
    sources[engine.space_building.__name__] = engine.space_building.__file__
    files = {name: Path(source) for name, source in sources.items() if source}
    return digest_of(files, f"{game.name} {FORMAT} {np.__version__}")


def _read_header(path: Path) -> tuple[dict[str, Any], int]:
    """Return the header of a file, and the place in bytes of its arrays. Raises `OSError`, `ValueError`, `KeyError`."""
    if not S_ISREG(path.stat().st_mode):
        raise ValueError("not a regular file: to open a pipe, for example, may wait for ever")
    with path.open("rb") as file:
        line = file.readline(MAX_HEADER)
    header = json.loads(line)
    if not line.endswith(b"\n") or not isinstance(header, dict) or header["format"] != FORMAT:
        raise ValueError("no header of this format")
    return header, len(line) + -len(line) % ALIGNMENT


def _read(path: Path, game: Game) -> Space:
    """Return the space in a file, whose arrays stay on the disk until they are used.

    Raises `OSError`, `ValueError`, `KeyError` or `TypeError` for a file that is not valid.
    """
    header, offset = _read_header(path)
    if header["game"] != game.name or tuple(header["arrays"]) != ARRAYS:
        raise ValueError("the file is of another game")
    size, arrays = path.stat().st_size, dict[str, NDArray[Any]]()
    for name, (kind, count) in header["arrays"].items():
        dtype = np.dtype(kind)
        if dtype.kind != "i" or not 0 <= count * dtype.itemsize <= size - offset:
            raise ValueError("the file is cut off")
        arrays[name] = np.memmap(path, dtype, "r", offset, (count,)).view(np.ndarray)
        offset += count * dtype.itemsize + -count * dtype.itemsize % ALIGNMENT
    if offset != size or _checksum(arrays.values()) != header["checksum"]:
        raise ValueError("the file is damaged")
    return Space(game=game, **arrays)


def _checksum(arrays: Iterable[NDArray[Any]]) -> int:
    checksum = 0
    for array in arrays:
        checksum = crc32(array.data, checksum)
    return checksum


MEMINFO: Final = Path("/proc/meminfo")
STATM: Final = Path("/proc/self/statm")
GROUP: Final = Path("/sys/fs/cgroup")
"""The memory limits of the control group of this process (version 2), as a container has them."""


def available_memory() -> int | None:
    """Return how many bytes of memory this process can still take; `None` if the system does not tell."""
    amounts = (_memory_of_system(), _memory_of_group(), _memory_of_process())
    known = [amount for amount in amounts if amount is not None]
    return max(0, min(known)) if known else None


def _memory_of_system() -> int | None:
    for line in _lines(MEMINFO):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _memory_of_group() -> int | None:
    limit, used = " ".join(_lines(GROUP / "memory.max")), " ".join(_lines(GROUP / "memory.current"))
    if not (limit.isdigit() and used.isdigit()):  # no such limit: `max`
        return None
    cached = [int(line.split()[1]) for line in _lines(GROUP / "memory.stat") if line.startswith("inactive_file ")]
    return int(limit) - int(used) + sum(cached)


def _memory_of_process() -> int | None:
    """Return how much memory the limit of `ulimit -v` leaves, in bytes; `None` without such a limit."""
    if sys.platform == "win32":
        return None
    from resource import RLIM_INFINITY, RLIMIT_AS, getpagesize, getrlimit

    limit, _ = getrlimit(RLIMIT_AS)
    used_pages = " ".join(_lines(STATM)).split()
    if limit == RLIM_INFINITY or not used_pages:
        return None
    return limit - int(used_pages[0]) * getpagesize()


def _lines(path: Path) -> list[str]:
    """Return the lines of a file of the system; empty if there is no such file."""
    try:
        return path.read_text("ascii").splitlines()
    except OSError:
        return []
