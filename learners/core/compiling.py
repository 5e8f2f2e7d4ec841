"""How kernels are compiled, and where compiled code is stored.

Importing this module imports numba, so only kernels do it, and they are imported when they are needed, for example
when training starts. Kernels are ordinary Python: with `NUMBA_DISABLE_JIT=1` in the environment the same code runs
uncompiled and plays the same games. They are iterative, since numba fails to reload a cached function that calls
itself.

Numba's own cache checks the time stamp of the file that holds a function, but not the functions, constants and named
tuples that it uses. So the cache folder is named after a digest of all files with `kernel` in their name, and kernels
take from the project only what such files define: changed source is always recompiled.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, TypeVar, cast

import numba
from platformdirs import user_cache_path

Function = TypeVar("Function", bound=Callable[..., object])

PACKAGE: Final = Path(__file__).parents[1]


def kernel_digest(package: Path = PACKAGE) -> str:
    """Return a digest of the source of all kernel files below a folder: 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*kernel*.py")):
        digest.update(f"{path.relative_to(package).as_posix()}\n".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """Return the folder for compiled kernels, created if necessary; `None` if no folder can be written.

    It is the first that can be written of `$NUMBA_CACHE_DIR`, the package itself, and the platform's cache folder.
    """
    name = f"kernels-{kernel_digest()}"
    return next((folder / name for folder in _candidates() if _is_writable(folder / name)), None)


def _candidates() -> Iterator[Path]:
    if wanted := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(wanted)
    yield PACKAGE / "__pycache__"
    try:
        yield user_cache_path("noughts", appauthor=False)
    except RuntimeError:  # platformdirs knows no home folder
        return


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


_FOLDER: Final = cache_folder()
if _FOLDER is not None:
    numba.config.CACHE_DIR = str(_FOLDER)  # type: ignore[attr-defined]  # numba sets its options when it is imported


def compiled(function: Function) -> Function:
    """Compile a kernel on its first call. It runs without the interpreter lock.

    Compiled code is stored for the next start of the program, unless no folder can be written.
    """
    return cast("Function", numba.njit(cache=_FOLDER is not None, nogil=True)(function))
