"""Recover a damaged library: copy it aside, and replace it by a new one with everything that can be read.

Meanwhile other threads of this process wait; so do other programs, if SQLite can still open the library. If it cannot,
no other program can write to it either.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, Final

from engine.stop import Stop, Stopped, never
from saves.errors import Damaged, LibraryError, NotALibrary, reason
from saves.files import folder_lock, is_there, write_bytes, write_file
from saves.handles import INDEX, LOGS, exclusive
from saves.paths import shown
from saves.recovery.file_work import FileProgress, FileWork, copy, is_same
from saves.recovery.salvage import Salvage, is_unchanged, salvage
from saves.sqlite.copies import paths_beside
from saves.sqlite.damage_check import sound_copy
from saves.sqlite.database import PATIENCE, reading
from saves.sqlite.error_codes import BUSY, code_of, message_for
from saves.sqlite.guard import guard
from saves.sqlite.pages import FileContent
from saves.times import is_time

DAMAGE_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""What `sqlite3` raises for a damaged file."""
ALL: Final = (*LOGS, "")
"""The suffixes of the files of a library. It comes last itself, so that an interrupted copy does not look complete."""

PASSES: Final = 3
"""How often a damaged library is read: to copy it for reading, to find its rows, and to copy it aside."""
Files = Mapping[str, BinaryIO]
"""The files of a library, open for reading, by their suffix."""


@dataclass(frozen=True)
class Recovery:
    """The result of a recovery."""

    aside: Path
    """The unchanged copy of the damaged library."""
    salvage: Salvage


def recover(
    path: Path,
    stop: Stop = never,
    report: Callable[[FileProgress], None] = lambda _progress: None,
) -> Recovery | None:
    """Recover a damaged library; return `None` for a sound one. `report` is called with the progress.

    Raises `LibraryError` if there is no library, if nothing in it can be read, if a later version of the program wrote
    it, or if another program keeps using it; raises `Stopped` soon after `stop()` is true. An error means that nothing
    was changed.
    """
    if not is_there(path):
        raise LibraryError(f"there is no library at {shown(path)}: nothing to recover")
    try:
        path = path.resolve()
        size = sum(part.stat().st_size for part in _parts(path))
        if not size:
            raise LibraryError(f"{shown(path)} is empty: nothing to recover")
        if is_sound(path, stop):  # without the lock of the folder, which blocks changes of the settings in it
            return None
        work = FileWork(PASSES * size, stop, report)
        with folder_lock(path.parent, PATIENCE), exclusive(path), _locked_files(path) as files:
            return _replace(path, files, work)
    except sqlite3.Error as error:
        raise LibraryError(message_for(code_of(error), path)) from error
    except OSError as error:
        raise LibraryError(f"{shown(path)} cannot be recovered: {reason(error)}. Nothing was changed") from error


@contextmanager
def _locked_files(path: Path) -> Iterator[Files]:
    """The files of a library, open for reading, while no other program can open it."""
    with ExitStack() as read, _locked(path):  # closing the files would drop the lock, so they are closed last
        files: dict[str, BinaryIO] = {}
        for part in ALL:
            with suppress(FileNotFoundError):
                file = Path(f"{path}{part}").open("rb", buffering=0)  # noqa: SIM115  closed by the callback
                read.callback(_ignoring_errors, file.close)
                files[part] = file
        yield {part: file for part, file in files.items() if not part or os.fstat(file.fileno()).st_size}


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Lock all other programs out of a library, if SQLite can open it. Raises `sqlite3.Error` if one uses it."""
    db = sqlite3.connect(f"{path.as_uri()}?mode=rw", timeout=PATIENCE, isolation_level=None, uri=True)
    try:
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("BEGIN EXCLUSIVE")
        except DAMAGE_ERRORS as error:
            if isinstance(error, sqlite3.Error) and code_of(error) in BUSY:
                raise
        yield
    finally:
        _ignoring_errors(db.rollback, db.close)


def _ignoring_errors(*steps: Callable[[], object]) -> None:
    """Close files and connections; errors are ignored, since all work on them is done."""
    for step in steps:
        with suppress(OSError, *DAMAGE_ERRORS):
            step()


def _replace(path: Path, files: Files, work: FileWork) -> Recovery | None:
    """Copy a library aside and replace it by what can be read of it. Raises `LibraryError`, `OSError`, `Stopped`."""
    salvaged = _salvaged(files, work)
    if salvaged is None:
        return None
    if not salvaged.saves and not salvaged.games:
        raise LibraryError(f"{shown(path)} was not changed: it contains no readable data of a library of Noughts")
    aside = next(each for each in paths_beside(path, "damaged") if not _parts(each) or _is_copy(each, files, work))
    made = not _parts(aside)
    try:
        for part, file in files.items() if made else ():
            write_file(Path(f"{aside}{part}"), partial(copy, file, work=work, durable=True), like=path)
        write_bytes(path, salvaged.library, replace=True, before_rename=lambda: _remove_logs(path))
    except BaseException:
        for part in ALL if made else ():
            with suppress(OSError):
                Path(f"{aside}{part}").unlink(missing_ok=True)
        raise
    return Recovery(aside, salvaged)


def _parts(path: Path) -> list[Path]:
    """The existing files of a library."""
    return [part for each in ALL if is_there(part := Path(f"{path}{each}"))]


def _remove_logs(path: Path) -> None:
    """Remove the logs of a library that is about to be replaced: SQLite would apply them to the new one."""
    for log in (*LOGS, INDEX):
        Path(f"{path}{log}").unlink(missing_ok=True)


def _is_copy(path: Path, files: Files, work: FileWork) -> bool:
    """Whether the library at `path` has just these files, with the same content. Raises `OSError`, `Stopped`."""
    with ExitStack() as stack:
        others = {
            part: stack.enter_context(Path(f"{path}{part}").open("rb", buffering=0))
            for part in ALL
            if is_there(Path(f"{path}{part}"))
        }
        return others.keys() == files.keys() and all(is_same(files[part], others[part], work) for part in files)


def is_sound(path: Path, stop: Stop = never) -> bool:
    """Whether a library is undamaged, and each save matches its digest and has a valid date.

    Raises `LibraryError` for another database, and `Stopped` soon after `stop()` is true.
    """
    try:
        with reading(path) as db:
            sound_copy(db, path)
            for row in db.execute("SELECT * FROM save").fetchall():
                if stop():
                    raise Stopped
                if not (is_unchanged(db, row) and is_time(row["updated"])):
                    return False
            return True
    except Damaged:
        pass
    except NotALibrary:
        if _is_another_database(path):
            raise
    return False


def _is_another_database(path: Path) -> bool:
    """Whether the file is a database without the tables of a library. Only for files that are not a library."""
    with suppress(*DAMAGE_ERRORS), closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        guard(db, path.stat().st_size)
        with closing(db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")) as rows:
            return not {"save", "game"} <= {name for (name,) in rows}
    return False


def _salvaged(files: Files, work: FileWork) -> Salvage | None:
    """What can be read in the files of a library; `None` if they are sound after all: a disk error may be temporary."""
    with TemporaryDirectory(prefix="noughts-") as folder:
        library = Path(folder) / "library.sqlite"
        for part, file in files.items():
            with Path(f"{library}{part}").open("wb") as target:
                copy(file, target, work)
        with suppress(LibraryError):
            if is_sound(library):
                return None
        with suppress(*DAMAGE_ERRORS), closing(sqlite3.connect(library, isolation_level=None)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        with library.open("rb") as file:
            return salvage(FileContent(file), work)
