"""Read the files of a program as a `State`, to compare it with the expected ones."""

import shutil
from contextlib import suppress

from saves.errors import LibraryError
from saves.formats import export_file
from saves.library.library import Library
from saves.settings import load_settings
from saves.sqlite.database import reading
from saves.sqlite.digest import digest_in
from tests.campaigns.file_operations import BACKUP, SNAPSHOTS, State, backed_up
from tests.campaigns.killed_program import BESIDE

LIBRARY, SETTINGS = "library.sqlite", "settings.json"
LOG_SUFFIXES = ("-wal", "-journal")
ALL_SAVES = """
SELECT save.*,
    (SELECT group_concat(position || move || number || ' ' || times) FROM memory WHERE save = id),
    (SELECT group_concat(rounds || stats || kept || generator || opponent) FROM checkpoint WHERE save = id),
    (SELECT group_concat(rounds || position || move || number || ' ' || times) FROM change WHERE save = id)
FROM save ORDER BY deleted, id
"""
NOT_IN_SNAPSHOT = ("name", "deleted", "id", "created", "updated", "digest")
"""The columns of a save that are not part of its snapshot."""
TORN = "neither as before nor as after"


class Corrupt(Exception):
    """A file that cannot be read."""


class Lost(Exception):
    """A state that differs from the expected ones."""


def prepare(folder):
    """Write files to import; return the key of each snapshot, by its text in a file and by its rows in a library."""
    library = Library(folder / "known.sqlite")
    keys = {}
    for key, snapshot in SNAPSHOTS.items():
        export_file(snapshot, folder / f"{key}.json")
        keys[(folder / f"{key}.json").read_text()] = key
        library.save(key, snapshot)
    with reading(library.path) as db:
        for save in map(dict, db.execute(ALL_SAVES)):
            keys[content_of(save)] = save["name"]
    return keys


def read_rows(path, keys):
    """Read the listed saves, the deleted saves, and the games: names with keys of snapshots, numbers with moves."""
    try:
        with reading(path) as db:
            if db.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                raise Corrupt(f"{path.name} fails SQLite's check")
            if db.execute("PRAGMA foreign_key_check").fetchone():
                raise Corrupt(f"{path.name} has rows of no save")
            saves = [dict(row) for row in db.execute(ALL_SAVES) if row["name"] != BESIDE]
            torn = {save["id"] for save in saves if save["digest"] != digest_in(db, save["id"])}
            games = {row["id"]: row["moves"] for row in db.execute("SELECT id, moves FROM game")}
    except LibraryError as error:
        raise Corrupt(str(error)) from error
    found = [TORN if save["id"] in torn else keys.get(content_of(save), TORN) for save in saves]
    pairs = [(save["name"], key) for save, key in zip(saves, found, strict=True)]
    deleted = [save["deleted"] is not None for save in saves]
    listed = {name: key for (name, key), gone in zip(pairs, deleted, strict=True) if not gone}
    return listed, tuple(pair for pair, gone in zip(pairs, deleted, strict=True) if gone), games


def content_of(save):
    return tuple(value for key, value in save.items() if key not in NOT_IN_SNAPSHOT)


def read_state(folder, keys, *, alone=True):
    """Return the present state; `alone`: read it from a copy, so that SQLite does not roll back unfinished work."""
    copies = folder / "copies"
    copies.mkdir()
    for name in (LIBRARY, BACKUP):
        for log in ("", *LOG_SUFFIXES):
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
