"""All that the program reads: for each reader, damaged inputs, and what must hold of whatever it accepts."""

import json
import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from hypothesis import strategies as st

from engine.game import BadText, Game, Outcome
from engine.games import GAMES, find_game, parse_game
from engine.match import Match, Record, replay_record
from engine.notation import AGREED, RESIGNED, game_text, parse_game_text, position_text
from engine.space import TooLarge
from engine.spaces import space_of
from learners import LEARNERS, revive
from learners.core.snapshot import ITSELF, Snapshot
from learners.genetic.learner import Genetic
from learners.rewind import moments, rewind_to
from saves.encoding.memory import compress, decompress
from saves.errors import LibraryError
from saves.formats import import_file, json_text, riechel_text
from saves.formats.format import Format
from saves.library.game_record import DamagedGame
from saves.library.library import Library
from saves.settings import change_settings, load_settings
from tests.campaigns.mutations import changed_by_sql, damaged, damaged_json, encoded
from tests.libraries import files, sql
from tests.random_games import random_match
from tests.saves.brains import boxed, made_up, same, train
from tests.saves.write_ahead_log import resealed

HEXAPAWN, TICTACTOE = parse_game("hexapawn"), parse_game("tictactoe")
REFUSALS = (BadText, LibraryError, TooLarge)
"""The errors with which a reader may refuse an input."""


@dataclass(frozen=True)
class Reader:
    """A reader, and the inputs that it gets."""

    inputs: st.SearchStrategy[Any]
    read: Callable[[Any], Any]
    """Raises one of `REFUSALS` for an input that is not valid."""
    check: Callable[[Any], object] = bool
    """Raises an error if what was read is wrong."""


def assert_readable(error: Exception) -> None:
    """Expect an error message of one or two short printable lines."""
    lines = str(error).splitlines()
    assert 1 <= len(lines) <= 2, f"of {len(lines)} lines: {error!r}"
    assert all(line.isprintable() for line in lines), f"not printable: {error!r}"
    assert len(str(error)) < 500, f"{len(str(error)):,} characters: {str(error)[:300]}"


# settings and games


def settings(folder: Path) -> Reader:
    path = folder / "settings.json"
    texts = (b"{}", b'{"theme": "nord"}\n', b'{\n  "theme": "textual-light",\n  "ascii": "on",\n  "a": ""\n}\n')
    words = ("theme", '"theme": ', *'{}[]",:\\', "\\ud800", "\\udc00", "null", '{"a": 1}', "[[[[[[")

    def read(data: bytes) -> dict[str, str]:
        path.write_bytes(data)
        try:
            return dict(load_settings(path))
        except LibraryError:
            try:
                change_settings(path, {"a": "b"})
            except LibraryError:
                assert path.read_bytes() == data
                raise
            raise AssertionError("settings that cannot be read were changed") from None

    def check(found: dict[str, str]) -> None:
        assert all(type(each) is str for pair in found.items() for each in pair)
        change_settings(path, {"a": "b"})
        assert load_settings(path) == {**found, "a": "b"}

    return Reader(damaged_json([*texts, '{"ü": "\\u0000"}'.encode()], words), read, check)


def _some_games() -> list[Match]:
    random, lengths = Random(1), (0, 1, 3, 5, 12, 100)
    return [random_match(game, random, each, ends=each in {3, 5}) for game in GAMES for each in lengths]


MARKS = [*"XOWB.-_/", " ", " X", " O", " W", " B", "XO.", "///", "...", ".......", "BBB/", "/WWW", ".......\n/"]


def records(_: Path) -> Reader:
    texts = [text for match in _some_games() for text in (game_text(match), position_text(match))]
    texts += ["b2 a3 1. c1", "1. b2 a3 2. c1, resigned", "XO./.X./... O", "[.../.../...] b2"]
    texts += ["tictactoe [XO./.X./... O] c1"]
    words = [*MARKS, *(game.name for game in GAMES), RESIGNED, AGREED]
    words += ["a1", "b2", "c3", "d4", "a1a2", "[", "]", "1. "]

    def read(data: bytes) -> Match:
        return parse_game_text(data.decode("utf-8", "surrogateescape"), find_game, GAMES[len(data) % len(GAMES)])

    def check(match: Match) -> None:
        game = match.game
        assert parse_game_text(game_text(match), find_game, game) == match
        assert len(match.positions) == len(match.moves) + 1
        if match.outcome is not None and match.positions[0] == game.start:
            assert replay_record(match.record(("human", "random"))).positions == match.positions

    return Reader(damaged([text.encode() for text in texts], words), read, check)


# saves in files


@cache
def _population() -> Snapshot:
    return train(Genetic(HEXAPAWN, "hochmuth", 1, {"population": 4, "elite": 1}), 1)


def round_trips() -> Callable[[Snapshot], None]:
    """Return a check that snapshots can be written, read and revived unchanged, and rewound; once for each."""

    @cache
    def check(text: str, game: Game) -> None:
        snapshot = json_text.read(text, game)
        assert same(revive(snapshot).snapshot(), snapshot)
        for rounds in moments(snapshot):
            space, policy = space_of(game), revive(rewind_to(snapshot, rounds)).policy()
            assert (policy >= 0).all()
            assert (np.bincount(space.source, policy, len(space.position)) <= 1 + 1e-9).all()

    def check_text(snapshot: Snapshot) -> None:
        text = json_text.write(snapshot)
        assert same(json_text.read(text, snapshot.game), snapshot)
        check(text, snapshot.game)

    return check_text


def _tokens_of(texts: list[str]) -> list[str]:
    def keys(node: object) -> Iterator[str]:
        if isinstance(node, dict):
            yield from node
        for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            yield from keys(child)

    specs = [kind.spec for kind in LEARNERS]
    names = {name for spec in specs for name in (spec.name, *spec.presets, *spec.settings, *spec.stat_keys)}
    names |= {game.name for game in GAMES} | {ITSELF, "human", "random", "perfect", "minimax:3", "save:a"}
    known = sorted(names | {key for text in texts for key in keys(json.loads(text))})
    return [*known, *(f'"{word}": ' for word in known), *'{}[],"', "{}", "[]", "\\u0000", "\\ud800"]


def _file_reader(kind: Format, game: Game | None, folder: Path, inputs: st.SearchStrategy[bytes]) -> Reader:
    """Read each input as text, and import one in fifty from a file into a library, which a refusal must not change."""
    library, file = Library(folder / "library.sqlite"), folder / f"file{kind.suffix}"
    library.save("a", boxed())
    before = library.path.read_bytes()

    def read(data: bytes) -> Snapshot:
        if crc32(data) % 50:
            return kind.read(data.decode("utf-8-sig", "surrogateescape"), game)
        file.write_bytes(data)
        try:
            snapshot = import_file(file, game)
        finally:
            assert library.path.read_bytes() == before
        library.save("b", snapshot)
        assert same(library.load("b"), snapshot)
        assert same(library.load("a"), boxed())
        library.path.write_bytes(before)
        return snapshot

    return Reader(inputs, read, round_trips())


def json_files(folder: Path) -> Reader:
    texts = [json_text.write(each) for each in (made_up(HEXAPAWN, 6), boxed(), _population(), made_up(TICTACTOE, 5))]
    population = json.loads(texts[2])
    bulk = decompress(b64decode(population["bulk"]))
    others = (bulk + b"\0", bulk[:-1], bulk * 2, bulk[::-1], bytes(len(bulk)), b"\xff" * len(bulk), b"")
    wrong = [
        json.dumps({**population, "bulk": b64encode(compress(each)).decode()}).encode()
        for each in (*others, bytes(2**24 + 1))
    ]
    inputs = damaged_json(list(map(encoded, texts)), _tokens_of(texts)) | st.sampled_from(wrong)
    return _file_reader(json_text.FORMAT, None, folder, inputs)


def riechel_texts(folder: Path) -> Reader:
    seeds = [riechel_text.write(made_up(HEXAPAWN, entries)) for entries in (0, 3, 6)]
    by_hand = "\n2 failures\nw to play\n- BB\nBW_\nW W\n(2, 2), (1, 2)\n\nB to play\nB B B\n    W\nWW-\n( 0,1 ) (1,1)\n"
    words = [*"WB.-_0", " to play", "W to play\n", " failures\n", "(0, 0)", "(2, 2) (1, 2)", "(-1, 0)", "1 failure"]
    words += ["b b b\n. . .\nw w w\n", "  ", "\n\n", "(99999, 1)"]
    seeds += [by_hand, seeds[1].replace(" ", ""), seeds[1].lower().replace(".", " ")]
    return _file_reader(riechel_text.FORMAT, HEXAPAWN, folder, damaged(list(map(encoded, seeds)), words))


# libraries

PAGE = 512
"""The smallest page size in bytes, so that a small library has many pages."""
RESIGNED_GAME = Record(HEXAPAWN, ("human", "random"), (), Outcome.SECOND_WINS)


def _seeds(folder: Path) -> list[tuple[bytes, bytes]]:
    """Return libraries, each with its log, which may be empty."""

    def with_small_pages(path: Path) -> bytes:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.executescript(f"PRAGMA journal_mode = DELETE; PRAGMA page_size = {PAGE}; VACUUM")
            db.execute("PRAGMA journal_mode = WAL")
        return path.read_bytes()

    path, new = folder / "seed.sqlite", folder / "new.sqlite"
    library = Library(path)
    for name, brain in {"a": made_up(HEXAPAWN, 6), "b": boxed(), "c": _population()}.items():
        library.save(name, brain)
    library.games.add(RESIGNED_GAME)
    library.games.add(Record(TICTACTOE, ("perfect", "human"), (4, 0, 8, 2, 6, 3, 7), Outcome.FIRST_WINS))
    Library(new).games.add(RESIGNED_GAME)
    seeds = [(path.read_bytes(), b""), (with_small_pages(path), b""), (with_small_pages(new), b"")]
    library.delete("a")
    library.save("b", made_up(HEXAPAWN, 6), replace=True)
    seeds.append((path.read_bytes(), b""))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:  # while it is connected, the log remains
        other.executescript("PRAGMA journal_mode = WAL; BEGIN; SELECT * FROM save")
        library.save("a", boxed())
        library.games.add(RESIGNED_GAME)
        return [*seeds, (path.read_bytes(), path.with_name("seed.sqlite-wal").read_bytes())]


def read_game(game: object) -> None:
    if isinstance(game, DamagedGame):
        assert_readable(ValueError(game.trouble))


Query = Callable[[Library], object]
QUERIES: tuple[Query, ...] = (
    Library.entries,
    lambda library: library.games.tally(),
    lambda library: [read_game(game) for game in library.games.read(library.games.numbers()[:50])],
    lambda library: library.stamp("a"),
    *(lambda library, name=name: library.load(name) for name in "abc"),
    lambda library: library.player("save:b", HEXAPAWN).label,
)


class Change(NamedTuple):
    make: Query
    changed: str = ""
    """The save that it renames, deletes or replaces."""
    written: str = ""
    """The save that it writes, always the same one."""


CHANGES = (
    Change(Library.require_writable),
    Change(lambda library: library.save("new", made_up(HEXAPAWN, 6)), written="new"),
    Change(lambda library: library.save("a", made_up(HEXAPAWN, 6), replace=True), "a", written="a"),
    Change(lambda library: library.rename("a", "new"), "a"),
    Change(lambda library: library.delete("b"), "b"),
    Change(lambda library: library.games.add(RESIGNED_GAME)),
    Change(lambda library: library.games.delete(1)),
)


def result_of(query: Callable[[], object]) -> object:
    try:
        return query()
    except LibraryError as error:
        assert_readable(error)
        return error


def try_change(library: Library, change: Change, *, logged: bool) -> None:
    """Expect that a change is refused without a trace, or leaves a sound library with all other saves."""
    before = files(library.path)
    kept = {name: result_of(partial(library.load, name)) for name in {"a", "b", "c"} - {change.changed}}
    if isinstance(result_of(partial(change.make, library)), LibraryError):
        assert logged or files(library.path) == before, "it refused the change, but the files differ"
        return
    assert sql(library, "PRAGMA integrity_check(1)") == [("ok",)]
    assert not sql(library, "PRAGMA foreign_key_check")
    if change.written:
        assert same(library.load(change.written), made_up(HEXAPAWN, 6))
    for name, snapshot in kept.items():
        assert not isinstance(snapshot, Snapshot) or same(library.load(name), snapshot)


def libraries(folder: Path) -> Reader:
    """Read libraries by two queries each, and make a change to one in four."""
    seeds, check, path = _seeds(folder), round_trips(), folder / "library" / "library.sqlite"
    path.parent.mkdir()
    alone, (logged, log) = [each for each, _ in seeds], seeds[-1]
    damaged_alone = changed_by_sql(alone) | damaged(alone, ("CREATE TABLE", "STRICT", "save"))
    logs = damaged([log]).flatmap(lambda each: st.sampled_from((each, resealed(each))))
    inputs = st.tuples(damaged_alone, st.just(b"")) | st.tuples(st.just(logged), logs) | st.sampled_from(seeds)
    queries = st.tuples(*[st.sampled_from(QUERIES)] * 2)
    changes = st.sampled_from((*[None] * 3 * len(CHANGES), *CHANGES))

    def read(data: tuple[tuple[bytes, bytes], tuple[Query, ...], Change | None]) -> None:
        (content, log), queries, change = data
        for file in path.parent.iterdir():
            file.unlink()
        library = Library(path)  # a new one: the first change that a program makes checks for damage
        path.write_bytes(content)
        if log:
            path.with_name(f"{path.name}-wal").write_bytes(log)
        before = files(path)
        results = [result_of(partial(query, library)) for query in queries]
        assert log or files(path) == before, "reading changed it"
        for result in results:
            if isinstance(result, Snapshot):
                check(result)
        if change is not None:
            try_change(library, change, logged=bool(log))
        if refused := [each for each in results if isinstance(each, LibraryError)]:
            raise refused[0]

    return Reader(st.tuples(inputs, queries, changes), read)
