"""What determines the results of a sweep besides its definition: the program, and the packages that add to it."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import engine
import learners
from engine.compiling.source_digest import digest_of, files_below
from engine.plugins import distributions

PACKAGES: Final = (engine, learners)
"""The packages whose source determines what a machine learns, how it is judged, and how its rows are written."""
DIGITS: Final = 12
"""The number of hexadecimal digits of the digest that the name of the program shows."""


class OtherProgram(Exception):
    """A batch reached another program than the one that made it. The message names both, in one line."""


@cache
def program() -> str:
    """Return the name of this program: `noughts 1.0.0 (source 0123456789ab)`, with a digest of the source.

    Packages with plug-ins follow: `noughts 1.0.0 (source 0123456789ab, bandits 1.2)`.
    """
    files = {}
    for package in PACKAGES:
        for name, path in files_below(Path(package.__path__[0]), "*.py").items():
            files[f"{package.__name__}/{name}"] = path
    try:
        released = version("noughts")
    except PackageNotFoundError:  # the source is used without an installation
        released = "not installed"
    parts = (f"source {digest_of(files)[:DIGITS]}", *distributions())
    return f"noughts {released} ({', '.join(parts)})"
