"""What determines the results of a sweep besides its definition: the program, and the packages that add to it."""

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import engine
import learners
from engine.plugins import distributions

PACKAGES: Final = (engine, learners)
"""The packages whose source determines what a machine learns, how it is judged, and how its rows are written."""
DIGITS: Final = 12


class OtherProgram(Exception):
    """A batch reached a program that is not the one which made it. The message says which, in one line."""


@cache
def program() -> str:
    """Return the name of this program: `noughts 0.1.0 (kernels 0123456789ab)`, with a digest of the source.

    Packages with plug-ins follow: `noughts 0.1.0 (kernels 0123456789ab, bandits 1.2)`.
    """
    digest = hashlib.sha256()
    for package in PACKAGES:
        folder = Path(package.__path__[0])
        for path in sorted(folder.rglob("*.py")):
            digest.update(f"{package.__name__}/{path.relative_to(folder).as_posix()}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    try:
        released = version("noughts")
    except PackageNotFoundError:  # the source is used without an installation
        released = "not installed"
    parts = (f"kernels {digest.hexdigest()[:DIGITS]}", *distributions())
    return f"noughts {released} ({', '.join(parts)})"
