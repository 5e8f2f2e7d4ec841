"""The folder beside the library in which the app keeps its sweeps. It is created with the first one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from saves.errors import LibraryError, reason
from saves.files import is_there
from saves.paths import shown
from saves.sweeps.part import SUFFIX, part_path
from saves.sweeps.table import CSV, PARQUET

FOLDER: Final = "sweeps"
"""The name of the folder."""


@dataclass(frozen=True)
class KeptSweep:
    """A sweep in the folder."""

    path: Path
    """The table. It does not exist yet while the sweep is unfinished."""
    unfinished: bool


def sweep_folder(library: Path) -> Path:
    """Return the folder for the sweeps beside a library."""
    return library.absolute().parent / FOLDER


def kept_sweeps(folder: Path) -> list[KeptSweep]:
    """Return the sweeps in a folder, the newest first. Raises `LibraryError`."""
    found: list[tuple[float, KeptSweep]] = []
    try:
        for path in folder.iterdir() if is_there(folder) else ():
            unfinished = path.suffix == SUFFIX
            table = path.with_suffix("") if unfinished else path
            if table.suffix in (CSV, PARQUET):
                found.append((path.stat().st_mtime, KeptSweep(table, unfinished)))
    except OSError as error:
        raise LibraryError(f"{shown(folder)} cannot be read: {reason(error)}") from error
    return [kept for _, kept in sorted(found, key=lambda each: each[0], reverse=True)]


def new_table(folder: Path, stem: str) -> Path:
    """Return a path that no sweep has: `STEM.csv`, `STEM-2.csv` …; create the folder. Raises `LibraryError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LibraryError(f"{shown(folder)} cannot be created: {reason(error)}") from error
    path, number = folder / f"{stem}{CSV}", 1
    while is_there(path) or is_there(part_path(path)):
        number += 1
        path = folder / f"{stem}-{number}{CSV}"
    return path
