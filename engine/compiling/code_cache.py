"""The folder for compiled kernels, and how damage to it is found.

Numba's own cache loads machine code without a check: a file that is cut off or overwritten raises any exception, or
runs. So a list of checksums lies beside the files, and whatever does not match it is deleted before numba looks.

Numba checks the source of a function, but not the functions, constants and named tuples that it uses. So the folder is
named after a digest of all files with `kernel` in their name, and kernels take from the project only what such files
define: changed source is always recompiled.
"""

import hashlib
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR
from tempfile import NamedTemporaryFile, TemporaryFile
from typing import Final

from platformdirs import user_cache_path

from engine.compiling.source_digest import DIGITS, digest_of, files_below

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = tuple(ROOT / name for name in ("engine", "learners"))
"""The folders of the packages that have kernels, the one with the compiled code first."""
PREFIX: Final = "kernels-"
NAME: Final = re.compile(f"{PREFIX}[0-9a-f]{{{DIGITS}}}")
"""The names of the program's folders: the prefix and a digest. Other folders in the same place are left alone."""
CHECKSUMS: Final = "checksums.json"
"""The name of the list: a JSON object with the checksum of each file by its path below the folder."""
MAX_BYTES: Final = 2**26
"""The maximum size of a kernel's file, in bytes; a larger file does not belong to the program."""
UNFINISHED: Final = ".tmp."
"""Part of the name of a file that numba is about to write. It is renamed when it is complete."""


def kernel_digest(packages: Sequence[Path] = PACKAGES) -> str:
    """Return a digest of the source of all kernel files of these packages: 16 hexadecimal digits."""
    files = {}
    for package in packages:
        for name, path in files_below(package, "*kernel*.py").items():
            files[f"{package.name}/{name}"] = path
    return digest_of(files)


def cache_folder() -> Path | None:
    """Return the folder for compiled kernels, created if necessary and free of damage; `None` if none can be written.

    It is the first that can be written of `$NUMBA_CACHE_DIR`, the package itself, and the platform's cache folder.
    """
    name = PREFIX + kernel_digest()
    for parent in _candidates():
        if _is_usable(parent / name):
            return parent / name
    return None


def _candidates() -> Iterator[Path]:
    wanted = os.environ.get("NUMBA_CACHE_DIR")
    if wanted:
        yield Path(wanted)
    yield PACKAGES[0] / "__pycache__"
    try:
        yield user_cache_path("noughts", appauthor=False)
    except RuntimeError:  # platformdirs knows no home folder
        return


def _is_usable(folder: Path) -> bool:
    """Return whether this user owns a folder and those in it, and can write there. Removes damaged files first."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not _is_own(folder):  # nothing in it is read or deleted
            return False
        folders = [folder, *(each for each in folder.iterdir() if each.is_dir() and not each.is_symlink())]
        if not all(map(_is_own, folders)):
            return False
        for each in folders:
            TemporaryFile(dir=each).close()  # raises an error if the folder cannot be written
        remove_damaged(folder)
    except OSError:
        return False
    return True


def _is_own(folder: Path) -> bool:
    """Return whether this is a folder of this user, and not a link to one: only then is its code run."""
    status = folder.lstat()
    return S_ISDIR(status.st_mode) and (sys.platform == "win32" or status.st_uid == os.geteuid())


def remove_damaged(folder: Path) -> None:
    """Delete files without a matching checksum, except those being written. Raises `OSError`."""
    sums = _read_checksums(folder)
    for each in folder.iterdir():
        if each.is_symlink() or not each.is_dir():
            if each.name != CHECKSUMS and UNFINISHED not in each.name:
                _remove(each)
            continue
        for path in each.iterdir():
            if UNFINISHED not in path.name and not _matches(path, sums.get(path.relative_to(folder).as_posix())):
                _remove(path)


def _matches(path: Path, checksum: object) -> bool:
    if checksum is None or path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_BYTES:
        return False
    return checksum == _checksum(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _read_checksums(folder: Path) -> dict[str, object]:
    """Return the list of checksums; empty if it cannot be read."""
    path = folder / CHECKSUMS
    if not path.is_file() or path.stat().st_size > MAX_BYTES:  # a pipe would be waited for
        return {}
    try:
        sums = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return {}
    return sums if isinstance(sums, dict) else {}


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_checksums(folder: Path) -> None:
    """List the files of a folder as undamaged. Raises `OSError`.

    Numba writes each file completely or not at all. A file that another process replaces meanwhile does not match, and
    is compiled again.
    """
    paths = (path for path in folder.glob("*/*.nb?") if path.is_file())
    sums = {path.relative_to(folder).as_posix(): _checksum(path) for path in paths}
    with NamedTemporaryFile("w", dir=folder, suffix=UNFINISHED, delete=False, encoding="utf-8") as file:
        try:
            json.dump(sums, file)
            file.close()
            Path(file.name).replace(folder / CHECKSUMS)
        except OSError:
            with suppress(OSError):
                Path(file.name).unlink()
            raise


def cached_kernels() -> list[Path]:
    """Return the folders of compiled kernels of this user, those of other versions of the program included."""
    folders: list[Path] = []
    for parent in _candidates():
        with suppress(OSError):
            ours = (path for path in parent.iterdir() if NAME.fullmatch(path.name) and _is_own(path))
            folders += sorted(path for path in ours if path not in folders)
    return folders


def size_of(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def clear_kernels() -> list[Path]:
    """Delete all compiled kernels, and return the folders that are gone. Raises `OSError`."""
    folders = cached_kernels()
    for each in folders:
        _remove(each)
    return folders
