"""Compare the files with the expected states of `file_operations`."""

import shutil
from contextlib import suppress

from saves.errors import LibraryError
from saves.formats import export_file
from saves.library.library import Library
from saves.settings import load_settings
from saves.sqlite.database import reading
from saves.sqlite.digest import digest_in
from tests.campaigns.file_operations import BACKUP, BRAINS, OLD, State, backed_up
from tests.campaigns.killed_program import BESIDE
from tests.saves.old_libraries import write_version

LIBRARY, SETTINGS = "library.sqlite", "settings.json"
LOGS = ("-wal", "-journal")
WHOLE = """
SELECT save.*,
    (SELECT group_concat(position || move || number || ' ' || times) FROM memory WHERE save = id),
    (SELECT group_concat(rounds || stats || kept || generator || opponent) FROM checkpoint WHERE save = id),
    (SELECT group_concat(rounds || position || move || number || ' ' || times) FROM change WHERE save = id)
FROM save ORDER BY deleted, id
"""
OWN = ("name", "deleted", "id", "created", "updated", "digest")
"""The columns of a save that are not part of its snapshot."""
TORN = "neither as before nor as after"


class Corrupt(Exception):
    """A file that cannot be read."""


class Lost(Exception):
    """A state that differs from the expected ones."""


def prepare(folder):
    """Write files to import, and a library of each earlier version; return the keys of all snapshots."""
    library = Library(folder / "known.sqlite")
    keys = {}
    for key, brain in BRAINS.items():
        export_file(brain, folder / f"{key}.json")
        keys[(folder / f"{key}.json").read_text()] = key
        library.save(key, brain)
    for version, brains in OLD.items():
        write_version(version, folder / f"version {version}", {f"old {key}": BRAINS[key] for key in brains})
    with reading(library.path) as db:
        for save in map(dict, db.execute(WHOLE)):
            keys[brain_of(save)] = save["name"]
    return keys


def read_rows(path, keys):
    """Listed saves, deleted saves, and the moves of games, with the key of each snapshot."""
    try:
        with reading(path) as db:
            if db.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                raise Corrupt(f"{path.name} fails SQLite's check")
            if db.execute("PRAGMA foreign_key_check").fetchone():
                raise Corrupt(f"{path.name} has rows of no save")
            saves = [dict(row) for row in db.execute(WHOLE) if row["name"] != BESIDE]
            torn = {save["id"] for save in saves if save["digest"] not in ("", digest_in(db, save["id"]))}
            games = {row["id"]: row["moves"] for row in db.execute("SELECT id, moves FROM game")}
    except LibraryError as error:
        raise Corrupt(str(error)) from error
    brains = [TORN if save["id"] in torn else keys.get(brain_of(save), TORN) for save in saves]
    pairs = [(save["name"], brain) for save, brain in zip(saves, brains, strict=True)]
    deleted = [save["deleted"] is not None for save in saves]
    listed = {name: brain for (name, brain), gone in zip(pairs, deleted, strict=True) if not gone}
    return listed, tuple(pair for pair, gone in zip(pairs, deleted, strict=True) if gone), games


def brain_of(save):
    return tuple(value for key, value in save.items() if key not in OWN)


def look(folder, keys, *, alone=True):
    """The present state, read from a copy, so that unfinished work is not recovered."""
    copies = folder / "copies"
    copies.mkdir()
    for name in (LIBRARY, BACKUP):
        for log in ("", *LOGS):
            with suppress(FileNotFoundError):
                shutil.copyfile(folder / (name + log), copies / (name + log))
    saves, deleted, games = read_rows((copies if alone else folder) / LIBRARY, keys)
    try:
        settings = load_settings(folder / SETTINGS)
    except LibraryError as error:
        raise Corrupt(str(error)) from error
    files = {file.name: keys.get(file.read_text(), TORN) for file in folder.glob("*.json") if file.name != SETTINGS}
    if (folder / BACKUP).exists():
        files[BACKUP] = backed_up(State(*read_rows(copies / BACKUP, keys)))
    shutil.rmtree(copies)
    return State(saves, deleted, games, settings, files)
