"""The content of a folder, and a check of it after a fault: as before or as after, with a message."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from engine.game import BadText
from saves.errors import CommitUnknown, Damaged, LibraryError
from saves.sqlite.database import reading

LIBRARY, IN_MEMORY = "library.sqlite", "games that can come back"
LOGS = ("-wal", "-shm", "-journal")
"""Files of SQLite, which may remain."""
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


class Between(Exception):
    """A state that is neither the one before nor the one after."""


class Untold(Exception):
    """A fault without a message, or with one that does not help."""


def look(folder):
    """The content of a folder: libraries row by row, other files byte by byte."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(LOGS))
    return {path.relative_to(folder).as_posix(): look_at(path) for path in (folder / LIBRARY, *files)}


def look_at(path):
    if path.is_symlink():
        return path.readlink()
    if path.suffix != ".sqlite":
        return path.read_bytes()
    try:
        with reading(path) as db:
            if db.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                return path.read_bytes()  # damaged: as it was at the beginning, or else neither before nor after
            if db.execute("PRAGMA foreign_key_check").fetchone():
                raise Between(f"{path.name} has rows of no save")
            return [[tuple(row) for row in db.execute(table)] for table in TABLES]
    except Damaged:
        return path.read_bytes()
    except LibraryError as error:
        raise Between(f"{path.name} is not read any more: {error}") from error


@dataclass
class Done:
    """The result of an operation."""

    folder: Path
    state: dict = field(default_factory=dict)
    result: object = None
    error: type[Exception] | None = None
    """Only its type, since the exception would keep its frames alive."""
    text: str = ""

    @property
    def told(self):
        """The message of the error, without the folder's own name."""
        return self.text.replace(str(self.folder), "")


def judge(done, before, after, struck):
    """Raise `Between` or `Untold` if the result is wrong."""
    state = done.state
    if done.error is CommitUnknown:  # the screen continues as if it had failed
        state = {**state, IN_MEMORY: (after if state[LIBRARY] == after.state[LIBRARY] else before).state[IN_MEMORY]}
    left = any("unlink" in name for _, name in struck)
    if left:  # a file to be removed may remain
        state = {name: kept for name, kept in state.items() if ".part" not in name}
    if state != after.state and (done.error is CommitUnknown or left):
        state = {name: kept for name, kept in state.items() if "-version-" not in name and "-damaged" not in name}
    if state not in (before.state, after.state):
        changed = (name for name in {**state, **before.state} if state.get(name) != before.state.get(name))
        raise Between(f"{', '.join(changed)} after {done.error} {done.text}")
    if done.error is None and after.error is not None:
        raise Untold(f"it was not refused: {after.text}")
    if done.error is None and (state, done.result) != (after.state, after.result):
        raise Untold(f"it was not done, or told wrongly: {str(done.result)[:300]}")
    if done.error is not None and done.told != after.told:
        lost = any(kind == "system" and "read" in name for kind, name in struck)  # SQLite reports this as damage
        judge_words(done, changed=state != before.state, lost=lost)


def judge_words(done, *, changed, lost):
    """Raise `Untold` unless the message says what happened, to which file, and what to do."""
    text = done.text
    lines = text.split("\n")
    if not issubclass(done.error, LibraryError | BadText):
        raise Untold(f"raised {done.error}: {text}")
    if "is damaged" in text and not lost:
        raise Untold(f"nothing is damaged: {text!r}")
    if len(lines) > 2 or not all(line.isprintable() and line for line in lines):
        raise Untold(f"unfit to be read: {text!r}")
    if not any(name in text for name in (str(done.folder), "in.json", "in.txt", "saves/gallery")):
        raise Untold(f"of no file: {text!r}")
    if not WHAT_TO_DO.search(text):
        raise Untold(f"not what to do: {text!r}")
    if UNCHANGED.search(text) and changed:
        raise Untold(f"something was changed: {text!r}")
