"""A fuzz target: a library file and its log, with queries and changes."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from zlib import crc32

from hypothesis import strategies as st

from engine.game import Outcome
from engine.games import parse_game
from engine.match import Record
from learners.core.snapshot import Snapshot
from saves.errors import LibraryError
from saves.formats import json_text
from saves.library.game_record import DamagedGame
from saves.library.library import Library
from tests.campaigns.bounded import Target, assert_readable
from tests.campaigns.fuzz_saves import assert_round_trips
from tests.campaigns.made_up_population import made_up_population
from tests.campaigns.mutations import damaged, damaged_libraries
from tests.saves.brains import boxed, made_up, same
from tests.saves.write_ahead_log import resealed

HEXAPAWN = parse_game("hexapawn")
BRAIN = made_up(HEXAPAWN, 6)
NAMES = ("a", "b", "c")
PAGE = 512
"""The smallest page size in bytes, so that a small library has many pages."""
RESIGNED = Record("hexapawn", ("human", "random"), (), Outcome.SECOND_WINS)


def _filled_library(path: Path) -> Library:
    library = Library(path)
    for name, brain in zip(NAMES, (BRAIN, boxed(), made_up_population(HEXAPAWN)), strict=True):
        library.save(name, brain)
    library.keep_game(RESIGNED)
    library.keep_game(Record("tictactoe", ("perfect", "human"), (4, 0, 8, 2, 6, 3, 7), Outcome.FIRST_WINS))
    return library


def _with_small_pages(path: Path) -> bytes:
    """Rewrite a library with small pages; return its bytes."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(f"PRAGMA journal_mode = DELETE; PRAGMA page_size = {PAGE}; VACUUM; PRAGMA journal_mode = WAL")
    return path.read_bytes()


def _seeds(folder: Path) -> list[tuple[bytes, bytes]]:
    """Libraries, each with its log, which may be empty."""
    path = folder / "seed.sqlite"
    library = _filled_library(path)
    seeds = [(path.read_bytes(), b""), (_with_small_pages(path), b"")]
    library.delete("a")
    library.save("b", BRAIN, replace=True)
    seeds.append((path.read_bytes(), b""))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:  # while it is connected, the log remains
        other.executescript("PRAGMA journal_mode = WAL; BEGIN; SELECT * FROM save")
        library.save("a", boxed())
        library.keep_game(RESIGNED)
        seeds.append((path.read_bytes(), path.with_name("seed.sqlite-wal").read_bytes()))
    path = folder / "new.sqlite"
    Library(path).keep_game(RESIGNED)
    return [*seeds, (_with_small_pages(path), b"")]


class LibraryFiles:
    """The files of the library under test."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "library.sqlite"
        self.seen: set[int] = set()
        self.refused = 0

    def write(self, library: bytes, log: bytes) -> None:
        for file in self.path.parent.iterdir():
            file.unlink()
        self.path.write_bytes(library)
        if log:
            self.path.with_name(self.path.name + "-wal").write_bytes(log)

    def read(self) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in self.path.parent.iterdir()}

    def result_of(self, query: Callable[[], object]) -> object:
        """The result of a query, or the error message."""
        try:
            return query()
        except LibraryError as error:
            assert_readable(error)
            self.refused += 1
            return str(error)

    def run_queries(self, library: Library, selected: int) -> list[object]:
        """Run the queries whose bits are set in `selected`; return their results."""
        queries: tuple[Callable[[], object], ...] = (
            library.entries,
            *(lambda name=name: self.load_text(library, name) for name in NAMES),
            library.tally,
            lambda: self.games(library),
            lambda: library.stamp("a"),
            lambda: library.player("save:b", HEXAPAWN).label,
        )
        return [self.result_of(query) for place, query in enumerate(queries) if selected >> place & 1]

    def load_text(self, library: Library, name: str) -> str:
        snapshot = library.load(name)
        assert_round_trips(snapshot, self.seen)
        return json_text.write(snapshot)

    def games(self, library: Library) -> object:
        games = library.kept_games(library.game_numbers()[:50])
        for game in games:
            if isinstance(game, DamagedGame):
                assert_readable(ValueError(game.trouble))
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


def libraries(folder: Path) -> Target:
    files_folder = folder / "library"
    files_folder.mkdir()
    files = LibraryFiles(files_folder)

    def use(data: tuple[bytes, bytes]) -> bool:
        library_bytes, log = data
        files.write(library_bytes, log)
        files.refused = 0
        before, mark = files.read(), crc32(library_bytes + log)
        files.run_queries(Library(files.path), (1 << mark % 8) | (1 << mark // 8 % 8))
        valid = not files.refused
        if not log:
            assert files.read() == before, "reading changed it"
        if mark // 512 % 4 == 0:
            _change(files, mark // 4096, logged=bool(log))
        return valid

    seeds = _seeds(folder)
    logged = [(library, log) for library, log in seeds if log]
    wrong_logs = st.sampled_from(logged).flatmap(
        lambda pair: st.tuples(
            st.just(pair[0]), damaged([pair[1]]).flatmap(lambda log: st.sampled_from((log, resealed(log))))
        )
    )
    inputs = damaged_libraries([library for library, _ in seeds]).map(lambda library: (library, b""))
    return Target(st.one_of(st.sampled_from(seeds), inputs, inputs, inputs, wrong_logs), use)


def _change(files: LibraryFiles, mark: int, *, logged: bool) -> None:
    """Change a library: either the change is refused and nothing has changed, or the library is sound afterwards."""
    library = Library(files.path)
    before = files.read()
    number = mark % len(changes := _changes(library))
    others = [name for name in ("b", "c") if (number, name) != (4, "b")]
    loaded = {name: files.result_of(lambda name=name: library.load(name)) for name in others}
    refused = ""
    try:
        changes[number]()
    except LibraryError as error:
        assert_readable(error)
        refused = str(error)
    if refused:
        assert logged or files.read() == before, f"it refused the change, but the files differ: {refused}"
        return
    with closing(sqlite3.connect(files.path)) as db:
        assert db.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
        assert not db.execute("PRAGMA foreign_key_check").fetchone()
    if number in (1, 2):
        assert same(library.load("new" if number == 1 else "a"), BRAIN)
    for name, snapshot in loaded.items():
        if isinstance(snapshot, Snapshot):
            assert same(library.load(name), snapshot)
