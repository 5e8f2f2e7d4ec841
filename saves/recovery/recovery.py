"""A damaged library is set aside as it is, and what can be read of it takes its place.

Meanwhile nobody else has it: other threads of this process wait, and so do other programs, as long as SQLite can still
open the library; where it cannot, nobody can write to it either.
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

from engine.stop import Stopped, never
from saves.errors import Damaged, Foreign, LibraryError, reason
from saves.files import alone_in, is_there, write_bytes, write_file
from saves.handles import INDEX, LOGS, alone
from saves.paths import shown
from saves.recovery.file_work import FileProgress, FileWork, copy, is_same
from saves.recovery.salvage import Salvage, is_unharmed, salvage
from saves.sqlite.copies import names_beside
from saves.sqlite.damage_check import refuse_unsound_copy
from saves.sqlite.database import PATIENCE, reading
from saves.sqlite.error_codes import BUSY, code_of, told
from saves.sqlite.pages import FileContent
from saves.times import is_time

ODD: Final = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""What SQLite raises where a file is damaged: its messages quote what it found."""
ALL: Final = (*LOGS, "")
"""What follows the name of a library in those of the files that it consists of; without itself the logs are nothing."""

PASSES: Final = 3
"""How often a damaged library is read: to copy it, to look for rows, and to set it aside."""
Files = Mapping[str, BinaryIO]
"""The files of a library, open to be read, by what follows its name in theirs."""


@dataclass(frozen=True)
class Recovery:
    """What was done about a damaged library."""

    aside: Path
    """Where it now lies, as it was."""
    salvage: Salvage


def recover(
    path: Path,
    stop: Callable[[], bool] = never,
    report: Callable[[FileProgress], None] = lambda _progress: None,
) -> Recovery | None:
    """Set a damaged library aside and put what can be read of it in its place; `None` for one that is sound.

    Raises `LibraryError`, and then has changed nothing: where there is no library, where nothing of one can be read,
    where a newer version wrote it, or where another program has it in use all the time. Raises `Stopped` soon after
    `stop()` says so, and then has changed nothing either. `report` is called with the progress on a large file.
    """
    if not is_there(path):
        raise LibraryError(f"there is no library at {shown(path)}: nothing to recover")
    try:
        path = path.resolve()
        size = sum(part.stat().st_size for part in _parts(path))
        if not size:
            raise LibraryError(f"{shown(path)} is empty: nothing to recover")
        if is_sound(path, stop):  # for as long as that takes others may have the folder, as the settings in it do
            return None
        work = FileWork(PASSES * size, stop, report)
        with alone_in(path.parent, PATIENCE), alone(path), _held(path) as files:
            return _set_aside(path, files, work)
    except sqlite3.Error as error:
        raise LibraryError(told(code_of(error), path)) from error
    except OSError as error:
        raise LibraryError(f"{shown(path)} cannot be recovered: {reason(error)}. Nothing was changed") from error


@contextmanager
def _held(path: Path) -> Iterator[Files]:
    """The files of a library, open to be read, by what follows its name in theirs, while nobody else can open it."""
    with ExitStack() as read, _locked(path):  # the files are closed last: with them the lock is gone
        files: dict[str, BinaryIO] = {}
        for part in ALL:
            with suppress(FileNotFoundError):
                file = Path(f"{path}{part}").open("rb", buffering=0)  # noqa: SIM115  closed at the end
                read.callback(_let_go, file.close)
                files[part] = file
        yield {part: file for part, file in files.items() if not part or os.fstat(file.fileno()).st_size}


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep all other programs out of a library, if SQLite can open it. Raises `sqlite3.Error` if one has it in use."""
    db = sqlite3.connect(f"{path.as_uri()}?mode=rw", PATIENCE, isolation_level=None, uri=True)
    try:
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("BEGIN EXCLUSIVE")
        except ODD as error:
            if isinstance(error, sqlite3.Error) and code_of(error) in BUSY:
                raise
        yield
    finally:
        _let_go(db.rollback, db.close)


def _let_go(*steps: Callable[[], object]) -> None:
    """Whatever goes wrong here changes nothing of what was done, or was not."""
    for step in steps:
        with suppress(OSError, *ODD):
            step()


def _set_aside(path: Path, files: Files, work: FileWork) -> Recovery | None:
    """Put what can be read of these files of a library in its place. Raises `LibraryError`, `OSError`, `Stopped`."""
    salvaged = _salvaged(files, work)
    if salvaged is None:
        return None
    if not salvaged.saves and not salvaged.games:
        raise LibraryError(f"{shown(path)} stays as it is: nothing of a library of Noughts can be read in it")
    aside = next(each for each in names_beside(path, "damaged") if not _parts(each) or _holds(each, files, work))
    made = not _parts(aside)
    try:
        for part, file in files.items() if made else ():
            write_file(Path(f"{aside}{part}"), partial(copy, file, work=work, lasting=True), like=path)
        write_bytes(path, salvaged.library, replace=True, first=lambda: _take_away_logs(path))
    except BaseException:
        for part in ALL if made else ():
            with suppress(OSError):
                Path(f"{aside}{part}").unlink(missing_ok=True)
        raise
    return Recovery(aside, salvaged)


def _parts(path: Path) -> list[Path]:
    """The files of a library that are there."""
    return [part for each in ALL if is_there(part := Path(f"{path}{each}"))]


def _take_away_logs(path: Path) -> None:
    """Remove the logs of a library that another takes the place of, which would take them for its own."""
    for log in (*LOGS, INDEX):
        Path(f"{path}{log}").unlink(missing_ok=True)


def _holds(path: Path, files: Files, work: FileWork) -> bool:
    """Whether a library that was set aside consists of the same files. Raises `OSError`, `Stopped`."""
    with ExitStack() as opened:
        there = {
            part: opened.enter_context(Path(f"{path}{part}").open("rb", buffering=0))
            for part in ALL
            if is_there(Path(f"{path}{part}"))
        }
        return there.keys() == files.keys() and all(is_same(files[part], there[part], work) for part in files)


def is_sound(path: Path, stop: Callable[[], bool] = never) -> bool:
    """Whether a library, if it is one at all, is undamaged, and each save as it was kept.

    Raises `LibraryError`, and `Stopped` soon after `stop()` says so.
    """
    try:
        with reading(path) as db:
            refuse_unsound_copy(db, path)
            for row in db.execute("SELECT * FROM save").fetchall():
                if stop():
                    raise Stopped
                if not (is_unharmed(db, row) and is_time(row["updated"])):
                    return False
            return True
    except Damaged:
        pass
    except Foreign:
        if _is_another_database(path):
            raise
    return False


def _is_another_database(path: Path) -> bool:
    """Whether it is in order, and no library: no damage has made it what it is."""
    with suppress(*ODD), closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        return bool(db.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok")
    return False


def _salvaged(files: Files, work: FileWork) -> Salvage | None:
    """What can be read in the files of a library; `None` if they are sound: a disk may have failed for a moment."""
    with TemporaryDirectory(prefix="noughts-") as folder:
        library = Path(folder) / "library.sqlite"
        for part, file in files.items():
            with Path(f"{library}{part}").open("wb") as target:
                copy(file, target, work)
        with suppress(LibraryError):
            if is_sound(library):
                return None
        with suppress(*ODD), closing(sqlite3.connect(library, isolation_level=None)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        with library.open("rb") as file:
            return salvage(FileContent(file), work)
