"""A damaged library is set aside as it is, and what can be read of it takes its place."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from saves.codes import code_of, told
from saves.copies import copy_beside
from saves.database import LOGS, reading, refuse_unsound
from saves.errors import Damaged, Foreign, LibraryError, reason
from saves.files import is_there, write_bytes
from saves.paths import shown
from saves.salvage import Salvage, is_whole, salvage

ALL: Final = ("", *LOGS)
"""What follows the name of a library in those of the files that it consists of."""
INDEX: Final = "-shm"
"""Follows it in the name of a file that SQLite makes anew."""


@dataclass(frozen=True)
class Recovery:
    """What was done about a damaged library."""

    aside: Path
    """Where it now lies, as it was."""
    salvage: Salvage


def recover(path: Path) -> Recovery | None:
    """Set a damaged library aside and put what can be read of it in its place; `None` for one that is sound.

    Raises `LibraryError`, and then has changed nothing: where there is no library, where nothing of one can be read,
    where a newer version wrote it, or where another program writes to it meanwhile.
    """
    if not is_there(path):
        raise LibraryError(f"there is no library at {shown(path)}: nothing to recover")
    try:
        path = path.resolve()
        return None if is_sound(path) else _set_aside(path, _read(path))
    except sqlite3.Error as error:
        raise LibraryError(told(code_of(error), path)) from error
    except OSError as error:
        raise LibraryError(f"{shown(path)} cannot be recovered: {reason(error)}. Nothing was changed") from error


def _set_aside(path: Path, files: Mapping[str, bytes]) -> Recovery:
    """Put what can be read of these files of a library in its place. Raises `LibraryError`, `OSError`."""
    salvaged = salvage(_with_log(files))
    if not salvaged.saves and not salvaged.games:
        raise LibraryError(f"{shown(path)} stays as it is: nothing of a library of Noughts can be read in it")
    aside, made = copy_beside(path, "damaged", files[""])
    try:
        for log in LOGS if made else ():
            if log in files:
                write_bytes(Path(f"{aside}{log}"), files[log], replace=True)
        write_bytes(path, salvaged.library, replace=True, first=lambda: _take_away_logs(path, files))
    except BaseException:
        for log in LOGS:
            if log in files and not Path(f"{path}{log}").exists():
                Path(f"{path}{log}").write_bytes(files[log])
        for part in ALL if made else ():
            Path(f"{aside}{part}").unlink(missing_ok=True)
        raise
    return Recovery(aside, salvaged)


def _take_away_logs(path: Path, files: Mapping[str, bytes]) -> None:
    """Remove the logs of a library that another takes the place of, which would take them for its own."""
    if _read(path) != files:
        raise LibraryError(f"{shown(path)} is being written by another program: nothing was changed, try again")
    for log in (*LOGS, INDEX):
        Path(f"{path}{log}").unlink(missing_ok=True)


def is_sound(path: Path) -> bool:
    """Whether a library, if it is one at all, is undamaged, and each save as it was kept. Raises `LibraryError`."""
    try:
        with reading(path) as db:
            refuse_unsound(db, path)
            return all(is_whole(db, row) for row in db.execute("SELECT * FROM save").fetchall())
    except Damaged:
        pass
    except Foreign:
        if _is_another_database(path):
            raise
    return False


def _is_another_database(path: Path) -> bool:
    """Whether it is in order, and no library: no damage has made it what it is."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        return bool(db.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok")
    return False


def _read(path: Path) -> Mapping[str, bytes]:
    """The content of its files, by what follows its name in theirs. Raises `OSError`."""
    return {part: Path(f"{path}{part}").read_bytes() for part in ALL if Path(f"{path}{part}").exists()}


def _with_log(files: Mapping[str, bytes]) -> bytes:
    """The library with what only its log holds so far, as far as SQLite can bring them together."""
    if files.keys() == {""}:
        return files[""]
    with TemporaryDirectory(prefix="noughts-") as folder:
        copy = Path(folder) / "library.sqlite"
        for part, data in files.items():
            Path(f"{copy}{part}").write_bytes(data)
        with suppress(sqlite3.Error), closing(sqlite3.connect(copy, isolation_level=None)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return copy.read_bytes()
