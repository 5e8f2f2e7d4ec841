"""The folder of the program, and whether Python finds each of its packages there."""

from importlib.machinery import PathFinder
from pathlib import Path
from typing import Final

PACKAGES: Final = ("engine", "learners", "saves", "lab", "cli", "tui")
"""The packages of the program. Their names are common, so a package of another program can hide one of them."""
HOME: Final = Path(__file__).resolve().parent.parent
"""The folder that contains this package and `PACKAGES`."""


def hidden_package() -> str:
    """Return which package of the program Python cannot import, and what to do about that; empty if there is none."""
    for name in PACKAGES:
        spec = PathFinder.find_spec(name)
        if spec is None or spec.origin is None:
            return f"{HOME / name}, a part of Noughts, is missing: install Noughts again"
        found = Path(spec.origin).resolve()
        if HOME / name not in found.parents:
            place = found.parent if found.name == "__init__.py" else found
            return f"{place} hides {HOME / name}, a part of Noughts: rename it, or take its folder off the module path"
    return ""
