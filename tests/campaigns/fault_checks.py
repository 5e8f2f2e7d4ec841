"""Read a folder, and check it after a fault: all files are as before or as after, and the message says so."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from engine.game import BadText
from saves.errors import CommitUnknown, Damaged, LibraryError
from saves.sqlite.database import reading

LIBRARY, IN_MEMORY = "library.sqlite", "games that can come back"
LOGS = ("-wal", "-shm", "-journal")
"""The suffixes of SQLite's own files, which may remain."""
TABLES = (
    "SELECT * FROM save ORDER BY id",
    "SELECT * FROM memory ORDER BY save, position, move",
    "SELECT * FROM checkpoint ORDER BY save, rounds",
    "SELECT * FROM change ORDER BY save, rounds, position, move",
    "SELECT * FROM game ORDER BY id",
    "PRAGMA user_version",
)
WHAT_TO_DO = re.compile(
    "try again|choose another|restore|free some space|change (the|its) permissions|allow|see noughts", re.IGNORECASE
)
UNCHANGED = re.compile("nothing was changed", re.IGNORECASE)


class InBetween(Exception):
    """A state that is neither that before the operation nor that after it."""


class Unreported(Exception):
    """A fault that was not reported, or whose message does not help."""


def read_folder(folder):
    """The content of a folder: libraries row by row, other files byte by byte."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(LOGS))
    return {path.relative_to(folder).as_posix(): read_file(path) for path in (folder / LIBRARY, *files)}


def read_file(path):
    if path.is_symlink():
        return path.readlink()
    if path.suffix != ".sqlite":
        return path.read_bytes()
    try:
        with reading(path) as db:
            if db.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                return path.read_bytes()  # damaged from the start, or by the operation
            if db.execute("PRAGMA foreign_key_check").fetchone():
                raise InBetween(f"{path.name} has rows of no save")
            return [[tuple(row) for row in db.execute(table)] for table in TABLES]
    except Damaged:
        return path.read_bytes()
    except LibraryError as error:
        raise InBetween(f"{path.name} can no longer be read: {error}") from error


@dataclass
class Done:
    """The result of an operation."""

    folder: Path
    state: dict = field(default_factory=dict)
    result: object = None
    error: type[Exception] | None = None
    """The type only, since the exception would keep its frames alive."""
    text: str = ""

    @property
    def message(self):
        """The text of the error, without the path of the folder."""
        return self.text.replace(str(self.folder), "")


def check(done, before, after, failed_calls):
    """Raise `InBetween` or `Unreported` if the result is wrong."""
    state = done.state
    if done.error is CommitUnknown:  # the app continues as if the operation had failed
        state = {**state, IN_MEMORY: (after if state[LIBRARY] == after.state[LIBRARY] else before).state[IN_MEMORY]}
    not_removed = any("unlink" in name for _, name in failed_calls)
    if not_removed:  # a file that could not be removed may remain
        state = {name: kept for name, kept in state.items() if ".part" not in name}
    if state != after.state and (done.error is CommitUnknown or not_removed):
        state = {name: kept for name, kept in state.items() if "-damaged" not in name}
    if state not in (before.state, after.state):
        changed = (name for name in {**state, **before.state} if state.get(name) != before.state.get(name))
        raise InBetween(f"{', '.join(changed)} after {done.error} {done.text}")
    if done.error is None and after.error is not None:
        raise Unreported(f"it was not refused: {after.text}")
    if done.error is None and (state, done.result) != (after.state, after.result):
        raise Unreported(f"it was not done, or its result is wrong: {str(done.result)[:300]}")
    if done.error is not None and done.message != after.message:
        lost = any(kind == "system" and "read" in name for kind, name in failed_calls)  # SQLite reports this as damage
        check_message(done, changed=state != before.state, lost=lost)


def check_message(done, *, changed, lost):
    """Raise `Unreported` unless the message says what happened, to which file, and what to do."""
    text = done.text
    lines = text.split("\n")
    if not issubclass(done.error, LibraryError | BadText):
        raise Unreported(f"raised {done.error}: {text}")
    if "is damaged" in text and not lost:
        raise Unreported(f"nothing is damaged: {text!r}")
    if len(lines) > 2 or not all(line.isprintable() and line for line in lines):
        raise Unreported(f"not one or two printable lines: {text!r}")
    if not any(name in text for name in (str(done.folder), "in.json", "in.txt", "saves/gallery")):
        raise Unreported(f"the message names no file: {text!r}")
    if not WHAT_TO_DO.search(text):
        raise Unreported(f"the message does not say what to do: {text!r}")
    if UNCHANGED.search(text) and changed:
        raise Unreported(f"something was changed: {text!r}")
