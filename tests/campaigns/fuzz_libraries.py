"""Mutated libraries, the operations on them, and the checks of the result."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from zlib import crc32

import saves.library.game_record
import saves.library.library
import saves.library.rows
import saves.sqlite.database
import saves.sqlite.schema_versions
from engine.game import Outcome
from engine.games import parse_game
from engine.match import Record
from learners.core.snapshot import Snapshot
from saves.errors import LibraryError
from saves.formats import json_text
from saves.library.game_record import DamagedGame
from saves.library.library import Library
from tests.campaigns.fuzz_run import Subject
from tests.campaigns.fuzz_saves import OF_SNAPSHOTS, clear, whole
from tests.campaigns.library_mutator import joined, mutated_library, parted
from tests.campaigns.made_up_population import made_up_population
from tests.saves.brains import boxed, made_up, same
from tests.saves.old_libraries import write_version

HEXAPAWN = parse_game("hexapawn")
BRAIN = made_up(HEXAPAWN, 6)
NAMES = ("a", "b", "c")
PAGE = 512
"""The smallest page size in bytes, so that a small library has many pages."""
RESIGNED = Record("hexapawn", ("human", "random"), (), Outcome.SECOND_WINS)


def _filled(path: Path) -> Library:
    library = Library(path)
    for name, brain in zip(NAMES, (BRAIN, boxed(), made_up_population(HEXAPAWN)), strict=True):
        library.save(name, brain)
    library.keep_game(RESIGNED)
    library.keep_game(Record("tictactoe", ("perfect", "human"), (4, 0, 8, 2, 6, 3, 7), Outcome.FIRST_WINS))
    return library


def _pressed(path: Path) -> bytes:
    """A library with small pages."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(f"PRAGMA journal_mode = DELETE; PRAGMA page_size = {PAGE}; VACUUM; PRAGMA journal_mode = WAL")
    return path.read_bytes()


def _seeds(folder: Path) -> list[bytes]:
    path = folder / "seed.sqlite"
    library = _filled(path)
    seeds = [joined(path.read_bytes()), joined(_pressed(path))]
    library.delete("a")
    library.save("b", BRAIN, replace=True)
    seeds.append(joined(path.read_bytes()))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
    seeds.append(joined(path.read_bytes()))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:  # while it is connected, the log remains
        other.executescript("PRAGMA journal_mode = WAL; BEGIN; SELECT * FROM save")
        library.save("a", boxed())
        library.keep_game(RESIGNED)
        seeds.append(joined(path.read_bytes(), path.with_name("seed.sqlite-wal").read_bytes()))
    for version in (1, 2, 3):
        path = folder / f"seed-{version}.sqlite"
        write_version(version, path, {"a": BRAIN} if version == 1 else {"a": BRAIN, "b": boxed()})
        seeds.append(joined(_pressed(path)))

    path = folder / "new.sqlite"
    Library(path).keep_game(RESIGNED)
    return [*seeds, joined(_pressed(path))]


class Desk:
    """A library file, and its content."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "library.sqlite"
        self.seen: set[int] = set()
        self.refused = 0

    def lay(self, data: bytes) -> None:
        for file in self.path.parent.iterdir():
            file.unlink()
        library, log = parted(data)
        self.path.write_bytes(library)
        if log:
            self.path.with_name(self.path.name + "-wal").write_bytes(log)

    def files(self) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in self.path.parent.iterdir()}

    def ask(self, question: Callable[[], object]) -> object:
        """The result of a query, or the error message."""
        try:
            return question()
        except LibraryError as error:
            clear(error)
            self.refused += 1
            return str(error)

    def answers(self, library: Library, wanted: int) -> list[object]:
        """The results of some queries."""
        questions: tuple[Callable[[], object], ...] = (
            library.entries,
            *(lambda name=name: self.loaded(library, name) for name in NAMES),
            library.tally,
            lambda: self.games(library),
            lambda: library.stamp("a"),
            lambda: library.player("save:b", HEXAPAWN).label,
        )
        return [self.ask(question) for place, question in enumerate(questions) if wanted >> place & 1]

    def loaded(self, library: Library, name: str) -> str:
        snapshot = library.load(name)
        whole(snapshot, self.seen)
        return json_text.write(snapshot)

    def games(self, library: Library) -> object:
        games = library.kept_games(library.game_numbers()[:50])
        for game in games:
            if isinstance(game, DamagedGame):
                clear(ValueError(game.trouble))
        return games


def _changes(library: Library) -> tuple[Callable[[], object], ...]:
    return (
        library.require_writable,
        lambda: library.save("new", BRAIN),
        lambda: library.save("a", BRAIN, replace=True),
        lambda: library.rename("a", "new"),
        lambda: library.delete("b"),
        lambda: library.keep_game(RESIGNED),
        lambda: library.delete_game(1),
    )


def libraries(folder: Path) -> Subject:
    desk_folder = folder / "desk"
    desk_folder.mkdir()
    desk = Desk(desk_folder)

    def use(data: bytes) -> bool:
        desk.lay(data)
        desk.refused = 0
        before, logged = desk.files(), bool(parted(data)[1])
        mark = crc32(data)
        wanted = (1 << mark % 8) | (1 << mark // 8 % 8)
        library = Library(desk.path)
        desk.answers(library, wanted)
        valid = not desk.refused
        if not logged:
            assert desk.files() == before, "reading changed it"
        if mark // 512 % 4 == 0:
            _change(desk, mark // 4096, logged=logged)
        return valid

    modules = (
        saves.sqlite.database,
        saves.library.library,
        saves.library.rows,
        saves.library.game_record,
        saves.sqlite.schema_versions,
        *OF_SNAPSHOTS,
    )
    return Subject("library", _seeds(folder), mutated_library, use, modules)


def _change(desk: Desk, mark: int, *, logged: bool) -> None:
    """Change a library: either it is refused and not changed, or it is sound afterwards."""
    library = Library(desk.path)
    before = desk.files()
    number = mark % len(changes := _changes(library))
    others = [name for name in ("b", "c") if (number, name) != (4, "b")]
    loaded = {name: desk.ask(lambda name=name: library.load(name)) for name in others}
    refused = ""
    try:
        changes[number]()
    except LibraryError as error:
        clear(error)
        refused = str(error)
    if refused:
        assert logged or desk.files() == before, f"it refused, and changed: {refused}"
        return
    with closing(sqlite3.connect(desk.path)) as db:
        assert db.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
        assert not db.execute("PRAGMA foreign_key_check").fetchone()
    if number in (1, 2):
        assert same(library.load("new" if number == 1 else "a"), BRAIN)
    for name, snapshot in loaded.items():
        if isinstance(snapshot, Snapshot):
            assert same(library.load(name), snapshot)
