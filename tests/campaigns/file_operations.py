"""Random operations on files, the states that they must lead to, and the states that are found.

An operation is a tuple of a verb and its arguments, as in ("rename", "a", "b 2"). A state consists of simple tables,
independent of how the program stores them.
"""

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from tempfile import mkdtemp

from engine.game import Outcome
from engine.games import parse_game
from engine.games.tictactoe import TICTACTOE
from engine.match import Record
from lab.training.training_job import PACES, TrainingJob
from learners.failures.learner import Failures
from saves.errors import LibraryError
from saves.files import PART, write_text
from saves.formats import export_file, import_file
from saves.library.library import Library
from saves.library.snapshot_rows import digest_in
from saves.settings import change_settings, load_settings
from saves.sqlite.database import reading
from tests.saves.brains import boxed, made_up, same

HEXAPAWN = parse_game("hexapawn")
SNAPSHOTS = {
    "few": made_up(HEXAPAWN, 5, 1),
    "many": made_up(HEXAPAWN, 160, 2),
    "large": made_up(parse_game("tictactoe"), 400, 3),
    "boxes": boxed(),
}
RECORDS = {
    "a3 a2 b3 b2 c3": Record(TICTACTOE, ("human", "perfect"), (0, 3, 1, 4, 2), Outcome.FIRST_WINS),
    "b2": Record(TICTACTOE, ("save:a", "human"), (4,), Outcome.DRAW),
}
SNAPSHOT = (*SNAPSHOTS,)
NAMES = ("a", "b 2", "Größe", "x" * 60)
LIBRARY, SETTINGS, BACKUP = "library.sqlite", "settings.json", "backup.sqlite"
LOG_SUFFIXES = ("-wal", "-journal")


@dataclass(frozen=True)
class State:
    """An expected state. A save or an exported file maps to the key of its snapshot, a game number to its moves."""

    saves: dict[str, str] = field(default_factory=dict)
    deleted: tuple[tuple[str, str], ...] = ()
    games: dict[int, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def put(self, table: str, key: object, value: object = None) -> "State":
        """Return the state with this value in a table; without a value, one without this key."""
        others = {each: old for each, old in getattr(self, table).items() if each != key}
        return replace(self, **{table: others if value is None else {**others, key: value}})

    def deleted_save(self, name: str) -> "State":
        return replace(self.put("saves", name), deleted=(*self.deleted, (name, self.saves[name])))

    def undeleted(self, name: str) -> "State":
        at = max(at for at, (each, _) in enumerate(self.deleted) if each == name)
        left = self.deleted[:at] + self.deleted[at + 1 :]
        return replace(self.put("saves", *self.deleted[at]), deleted=left)

    def backed_up(self) -> str:
        """Return the content that a backup of the library must have, as a text."""
        return repr((sorted(self.saves.items()), self.deleted, sorted(self.games.items())))

    def free_name(self, stem: str) -> str:
        taken = {name.casefold() for name in self.saves}
        return next(name for name in (stem, *(f"{stem} {n}" for n in range(2, 99))) if name.casefold() not in taken)


class ProgramFiles:
    """The files of a running program, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.library = Library(folder / LIBRARY)
        self.settings = folder / SETTINGS


def do_autosave(place: ProgramFiles, name: str, *keys: str) -> None:
    """Save a training as the app does: replace the save that the training continues, unless that save has changed."""
    stamp = place.library.stamp(name)

    def keep(snapshot):
        nonlocal stamp
        stamp = place.library.save(name, snapshot, replace=stamp is not None, since=stamp)

    job = TrainingJob(Failures(HEXAPAWN, "literal", 1), 99, name, PACES[0], keep)
    for key in keys:
        job.view = replace(job.view, done=1, snapshot=SNAPSHOTS[key])
        job.save_now()
        if job.unsaved:
            raise LibraryError(job.save_error)


@dataclass(frozen=True)
class Kind:
    """What one verb means."""

    do: Callable[..., object]
    """The function of the program."""
    states: Callable[..., list[State]]
    """Returns the states that it passes through; the last one is its result."""
    arguments: tuple[str | tuple[str, ...], ...] = ()
    """The possible values of each argument, or the name of the choice among what is in a state."""


CHOICES: dict[str, Callable[[State], list[object]]] = {
    "save": lambda state: [*state.saves],
    "name": lambda state: [*NAMES, *state.saves],
    "unused": lambda state: [name for name in (*NAMES, state.free_name("new")) if name not in state.saves],
    "deleted": lambda state: [name for name, _ in state.deleted if name not in state.saves],
    "game": lambda state: [*state.games],
}
KINDS = {
    "save": Kind(
        lambda place, name, key: place.library.save(name, SNAPSHOTS[key], replace=True),
        lambda state, name, key: [state.put("saves", name, key)],
        ("name", SNAPSHOT),
    ),
    "change": Kind(
        lambda place, name, key: place.library.change(name, lambda _: SNAPSHOTS[key]),
        lambda state, name, key: [state.put("saves", name, key)],
        ("save", SNAPSHOT),
    ),
    "autosave": Kind(
        do_autosave,
        lambda state, name, *keys: [state.put("saves", name, key) for key in keys],
        ("name", SNAPSHOT, SNAPSHOT),
    ),
    "import": Kind(
        lambda place, key: place.library.save(
            place.library.free_name("in"), import_file(place.folder.parent / f"{key}.json")
        ),
        lambda state, key: [state.put("saves", state.free_name("in"), key)],
        (SNAPSHOT,),
    ),
    "rename": Kind(
        lambda place, old, new: place.library.rename(old, new),
        lambda state, old, new: [state.put("saves", old).put("saves", new, state.saves[old])],
        ("save", "unused"),
    ),
    "delete": Kind(
        lambda place, name: place.library.delete(name), lambda state, name: [state.deleted_save(name)], ("save",)
    ),
    "undelete": Kind(
        lambda place, name: place.library.undelete(name), lambda state, name: [state.undeleted(name)], ("deleted",)
    ),
    "keep game": Kind(
        lambda place, moves: place.library.games.add(RECORDS[moves]),
        lambda state, moves: [state.put("games", max(state.games, default=0) + 1, moves)],
        ((*RECORDS,),),
    ),
    "withdraw game": Kind(
        lambda place, number: place.library.games.withdraw(number),
        lambda state, number: [state.put("games", number)],
        ("game",),
    ),
    "take back": Kind(
        lambda place, number: (place.library.games.delete(number), place.library.games.undelete()),
        lambda state, number: [state.put("games", number), state],
        ("game",),
    ),
    "set": Kind(
        lambda place, key, value: change_settings(place.settings, {key: value}),
        lambda state, key, value: [state.put("settings", key, value)],
        (("theme", "player"), ("", "nord", "save:Größe", "x" * 5000)),
    ),
    "export": Kind(
        lambda place, name, file: export_file(place.library.load(name), place.folder / file, replace=True),
        lambda state, name, file: [state.put("files", file, state.saves[name])],
        ("save", ("one.json", "two.json")),
    ),
    "back up": Kind(
        lambda place, _: place.library.back_up(place.folder / BACKUP, replace=True),
        lambda state, _: [state.put("files", BACKUP, state.backed_up())],
        ("save",),  # not used: requires a save, and so a library
    ),
    "list": Kind(lambda place: (place.library.entries(), place.library.games.tally()), lambda state: [state]),
    "load": Kind(lambda place, name: place.library.load(name), lambda state, _: [state], ("save",)),
}
Operation = tuple[object, ...]


def random_operation(random: Random, state: State) -> Operation:
    """Choose among the operations that are possible in a state."""
    possible = {}
    for verb, kind in KINDS.items():
        choices = [CHOICES[each](state) if isinstance(each, str) else each for each in kind.arguments]
        if all(choices):
            possible[verb] = choices
    verb = random.choice([*possible])
    return verb, *map(random.choice, possible[verb])


def perform(place: ProgramFiles, operation: Operation) -> None:
    verb, *objects = operation
    KINDS[verb].do(place, *objects)


def states_during(state: State, operation: Operation) -> list[State]:
    verb, *objects = operation
    return KINDS[verb].states(state, *objects)


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


class Lost(Exception):
    """A file that cannot be read, or a state that differs from the expected ones."""


class StateReader:
    """Reads files as a `State`. It knows each snapshot by its text in a file and by its rows in a library."""

    def __init__(self, folder: Path) -> None:
        """Write the files to import, by which it learns to know the snapshots."""
        self.folder = folder
        library = Library(folder / "known.sqlite")
        self._keys: dict[object, str] = {}
        for key, snapshot in SNAPSHOTS.items():
            export_file(snapshot, folder / f"{key}.json")
            self._keys[(folder / f"{key}.json").read_text()] = key
            library.save(key, snapshot)
        with reading(library.path) as db:
            self._keys |= {self._content(save): save["name"] for save in map(dict, db.execute(ALL_SAVES))}

    @staticmethod
    def _content(save: dict[str, object]) -> tuple[object, ...]:
        return tuple(value for key, value in save.items() if key not in NOT_IN_SNAPSHOT)

    def read(self, folder: Path) -> State:
        """Return the present state, read from a copy, so that SQLite does not roll back unfinished work."""
        copies = folder / "copies"
        copies.mkdir()
        for name in (LIBRARY, BACKUP):
            for log in ("", *LOG_SUFFIXES):
                with suppress(FileNotFoundError):
                    shutil.copyfile(folder / (name + log), copies / (name + log))
        try:
            state = self._read_library(copies / LIBRARY)
            exported = [file for file in folder.glob("*.json") if file.name != SETTINGS]
            files = {file.name: self._keys.get(file.read_text(), TORN) for file in exported}
            if (folder / BACKUP).exists():
                files[BACKUP] = self._read_library(copies / BACKUP).backed_up()
            return replace(state, settings=load_settings(folder / SETTINGS), files=files)
        except LibraryError as error:
            raise Lost(str(error)) from error
        finally:
            shutil.rmtree(copies)

    def _read_library(self, path: Path) -> State:
        with reading(path) as db:
            if db.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                raise Lost(f"{path.name} fails SQLite's check")
            if db.execute("PRAGMA foreign_key_check").fetchone():
                raise Lost(f"{path.name} has rows of no save")
            saves = [dict(row) for row in db.execute(ALL_SAVES)]
            whole = {save["id"] for save in saves if save["digest"] == digest_in(db, save["id"])}
            games = {row["id"]: row["moves"] for row in db.execute("SELECT id, moves FROM game")}
        found = [
            (save["name"], self._keys.get(self._content(save), TORN) if save["id"] in whole else TORN, save["deleted"])
            for save in saves
        ]
        listed = {name: key for name, key, deleted in found if deleted is None}
        return State(listed, tuple((name, key) for name, key, deleted in found if deleted is not None), games)


class ProgramMachine:
    """Programs that work on the same files, one after another, and the state that these must have.

    At the end, the next program must find everything and be able to write, and no unexpected file may be left.
    """

    def __init__(self, reader: StateReader) -> None:
        super().__init__()
        self.reader, self.state = reader, State()
        self.failing = False
        """Whether a rule has begun and not ended: then teardown has nothing to check."""
        self.folder = Path(mkdtemp(dir=reader.folder))

    def expect(self, states: Sequence[State], story: str) -> None:
        """Take the state that is found as the present one, if it is one of these."""
        try:
            found = self.reader.read(self.folder)
        except Lost as error:
            raise Lost(f"{story}: {error}") from error
        if found not in states:
            raise Lost(f"{story}: found {found}, expected {' or '.join(map(str, states))}")
        self.state = found

    def teardown(self) -> None:
        try:
            if not self.failing:
                self._begin_next_program()
        finally:
            shutil.rmtree(self.folder)

    def _begin_next_program(self) -> None:
        library, state = ProgramFiles(self.folder).library, self.state
        names = {entry.name for entry in library.entries() if not entry.gallery}
        games = {game.id: game for game in library.games.read(library.games.numbers())}
        wrong = [
            *(names ^ state.saves.keys()),
            *(games.keys() ^ state.games.keys()),
            *(name for name, key in state.saves.items() if not same(library.load(name), SNAPSHOTS[key])),
            *(number for number, moves in state.games.items() if games[number].record != RECORDS[moves]),
        ]
        if wrong:
            raise Lost(f"at the end these are not as in {state}: {wrong}")
        library.save("later", SNAPSHOTS["few"])
        for part in self.folder.glob(PART.format("*")):
            os.utime(part, (0, 0))  # made old: a new one stays, since another program may still write it
        write_text(self.folder / "later.json", "", replace=True)
        expected = {LIBRARY, SETTINGS, "later.json", *state.files}
        if left := {file.name for file in self.folder.iterdir()} - expected:
            raise Lost(f"at the end these are left: {left}")
