"""Fuzz targets for saves in files: the parsers of JSON saves, of the gallery and of Riechel's texts."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

import engine.games.connectfour
import engine.games.hexapawn
import engine.games.tictactoe
import engine.grid_game
import learners.core.learner
import learners.failures.learner
import learners.genetic.learner
import learners.menace.learner
import learners.menace.matchboxes
import saves.encoding.bulk
import saves.encoding.check
import saves.encoding.memory
import saves.entry
import saves.formats
import saves.formats.json_text
import saves.formats.riechel_text
import saves.names
import saves.strict_json
from engine.game import BadText, Game
from engine.games import GAMES, parse_game
from engine.space import TooLarge
from engine.spaces import space_of
from learners import LEARNERS, revive
from learners.core.snapshot import ITSELF, Snapshot
from learners.rewind import moments, rewound
from saves import gallery
from saves.encoding.bulk import packed, unpacked
from saves.entry import make_entry
from saves.errors import LibraryError
from saves.formats import import_file, json_text, riechel_text
from saves.formats.format import Format
from saves.library.library import Library
from tests.campaigns.fuzz_run import Target
from tests.campaigns.made_up_population import made_up_population
from tests.campaigns.mutator import mutated_bytes, mutated_text, mutated_tree
from tests.saves.brains import boxed, made_up, same

HEXAPAWN, TICTACTOE = parse_game("hexapawn"), parse_game("tictactoe")
SNAPSHOT_MODULES = (
    saves.strict_json,
    saves.encoding.memory,
    saves.encoding.check,
    saves.encoding.bulk,
    saves.names,
    *(
        (
            learners.failures.learner,
            learners.menace.learner,
            learners.menace.matchboxes,
            learners.genetic.learner,
            learners.core.learner,
        )
    ),
)
GAME_MODULES = (engine.grid_game, engine.games.tictactoe, engine.games.hexapawn, engine.games.connectfour)


SMALL = 8000
"""The most characters of a gallery save that is mutated; now and then, a larger one is mutated, too."""


def assert_readable(error: Exception) -> None:
    """Expect an error message of one or two short printable lines."""
    lines = str(error).splitlines()
    assert 1 <= len(lines) <= 2, f"of {len(lines)} lines: {error!r}"
    assert all(line.isprintable() for line in lines), f"not printable: {error!r}"
    assert len(str(error)) < 500, f"{len(str(error)):,} characters: {str(error)[:300]}"


def assert_round_trips(snapshot: Snapshot, seen: set[int]) -> None:
    """Expect that a snapshot can be written, read and revived unchanged, and rewound; skip texts that are in `seen`."""
    text = json_text.write(snapshot)
    if hash(text) in seen:
        return
    seen.add(hash(text))
    game = parse_game(snapshot.game)
    assert same(json_text.read(text, game), snapshot)
    learner = revive(snapshot, game)
    assert same(learner.snapshot(), snapshot)
    for rounds in moments(snapshot):
        learner = revive(rewound(snapshot, rounds), game)
        space, policy = space_of(game), learner.policy()
        assert (policy >= 0).all()
        assert (np.bincount(space.source, policy, len(space.position)) <= 1 + 1e-9).all()


def in_version(text: str, version: int) -> str:
    """Convert a JSON save to an earlier version of the format."""
    fields = {**json.loads(text), "version": version}
    kept = fields.pop("checkpoints")
    for key in {1: ("opponent", "times", "bulk"), 2: ("bulk",), 3: ()}[version]:
        del fields[key]
    if version > 1:
        fields["memories"] = {rounds: each["memory"] for rounds, each in kept.items()}
    return "{\n  " + ",\n  ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in fields.items()) + "\n}\n"


def tokens_of(texts: list[str]) -> list[str]:
    """The tokens of JSON texts: keys, known names, and punctuation."""
    keys = {key for text in texts for key in _keys(json.loads(text))}
    names = {
        name
        for kind in LEARNERS
        for name in (kind.spec.name, *kind.spec.presets, *kind.spec.settings, *kind.spec.stat_keys)
    }
    games = {game.name for game in GAMES}
    known = sorted(keys | names | games | {ITSELF, "human", "random", "perfect", "minimax:3", "save:a", "memories"})
    return [*known, *(f'"{word}": ' for word in known), "{", "}", "[", "]", ",", '"', "{}", "[]", "\\u0000", "\\ud800"]


def _keys(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        yield from node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _keys(child)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


Mutate = Callable[[Random, str, str], str]


def _mutator_of_bytes(mutate: Mutate) -> Callable[[Random, bytes, bytes], bytes]:
    """Make a mutator of bytes from one of texts; some results are not UTF-8."""

    def of_bytes(random: Random, data: bytes, other: bytes) -> bytes:
        if random.random() < 0.03:
            return mutated_bytes(random, data, other, [b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\0"])
        text, piece = (each.decode("utf-8", "replace") for each in (data, other))
        return _encoded(mutate(random, text, piece))

    return of_bytes


def _mutator_of_json(words: list[str]) -> Mutate:
    def mutate(random: Random, text: str, other: str) -> str:
        kind = random.random()
        if kind < 0.1:
            return _with_other_bulk(random, text)
        if kind < 0.5 and len(text) < 20_000:
            return mutated_tree(random, text, other, words)
        return mutated_text(random, text, other, words)

    return mutate


def _with_other_bulk(random: Random, text: str) -> str:
    """Replace the bulk of a JSON save by a wrong one, correctly packed."""
    try:
        fields = json.loads(text)
        bulk = unpacked(b64decode(fields["bulk"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        return text
    bulk = random.choice((bulk + b"\0", bulk[:-1], bulk * 2, bulk[::-1], bytes(len(bulk)), b"\xff" * len(bulk), b""))
    written = _zeros(random.choice((2**24, 2**24 + 1, 2**26))) if random.random() < 0.02 else _packed_text(bulk)
    return json.dumps({**fields, "bulk": written})


def _packed_text(bulk: bytes) -> str:
    return b64encode(packed(bulk)).decode()


@cache
def _zeros(size: int) -> str:
    """A decompression bomb: zero bytes, compressed to about a thousandth of their size."""
    return _packed_text(bytes(size))


class ImportFolder:
    """A folder with a library, for imports; an import that is refused must not change the library."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.library = Library(folder / "library.sqlite")
        self.inputs = 0
        if not self.library.path.exists():
            self.library.save("a", boxed())

    def import_data(self, data: bytes, suffix: str, game: Game | None) -> Snapshot | None:
        """Import from a file; store what is valid in the library, check it, and restore the library."""
        file = self.folder / f"file{suffix}"
        file.write_bytes(data)
        before = self.library.path.read_bytes()
        try:
            snapshot = import_file(file, game)
        except (BadText, LibraryError, TooLarge) as error:
            assert_readable(error)
            assert self.library.path.read_bytes() == before
            return None
        self.library.save("b", snapshot)
        assert same(self.library.load("b"), snapshot)
        assert same(self.library.load("a"), boxed())
        self.library.path.write_bytes(before)
        return snapshot


def _reader_of(kind: Format, game: Game | None, folder: Path, every: int = 50) -> Callable[[bytes], bool]:
    """Make the `use` of a target for a format: it reads each input as text, but imports every nth one from a file."""
    seen: set[int] = set()
    import_folder = ImportFolder(folder)

    def use(data: bytes) -> bool:
        import_folder.inputs += 1
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = ""
        if not text or import_folder.inputs % every == 0:
            snapshot = import_folder.import_data(data, kind.suffix, game)
            return snapshot is not None
        try:
            snapshot = kind.read(text, game)
        except (BadText, TooLarge) as error:
            assert_readable(error)
            return False
        assert_round_trips(snapshot, seen)
        return True

    return use


def json_files(folder: Path) -> Target:
    snapshots = [made_up(HEXAPAWN, 6), boxed(), made_up_population(HEXAPAWN), made_up(TICTACTOE, 5)]
    texts = [json_text.write(snapshot) for snapshot in snapshots]
    texts += [in_version(text, version) for text in texts[:3] for version in (1, 2, 3)]
    return Target(
        "json",
        [_encoded(text) for text in texts],
        _mutator_of_bytes(_mutator_of_json(tokens_of(texts))),
        _reader_of(json_text.FORMAT, None, folder),
        (json_text, saves.formats, *SNAPSHOT_MODULES),
    )


def gallery_files(folder: Path) -> Target:
    """The saves of the gallery: mostly their first checkpoints, sometimes a whole save."""
    shipped = [gallery._text(name) for name in gallery.names()]
    snapshots = [json_text.read(text, None) for text in shipped]
    short = [json_text.write(rewound(snapshot, at)) for snapshot in snapshots for at in moments(snapshot)[:4]]
    small = [text for text in short if len(text) < SMALL]
    mutate = _mutator_of_json(tokens_of(small))
    read = _reader_of(json_text.FORMAT, None, folder)

    def use(data: bytes) -> bool:
        try:
            entry = make_entry("a", json_text.read_head(_decoded(data)), gallery.SHIPPED, gallery=True)
        except BadText as error:
            assert_readable(error)
        else:
            assert entry.gallery
        return read(data)

    def mutated(random: Random, text: str, other: str) -> str:
        large = random.random()
        return mutate(random, random.choice(shipped if large < 0.005 else short) if large < 0.03 else text, other)

    return Target(
        "gallery",
        [_encoded(text) for text in small],
        _mutator_of_bytes(mutated),
        use,
        (json_text, saves.entry, *SNAPSHOT_MODULES),
        small=SMALL,
    )


def riechel_texts(folder: Path) -> Target:
    seeds = [riechel_text.write(made_up(HEXAPAWN, entries)) for entries in (0, 3, 6)]
    by_hand = "\n2 failures\nw to play\n- BB\nBW_\nW W\n(2, 2), (1, 2)\n\nB to play\nB B B\n    W\nWW-\n( 0,1 ) (1,1)\n"
    words = [
        "W",
        "B",
        ".",
        "-",
        "_",
        "0",
        " to play",
        "W to play\n",
        " failures\n",
        "(0, 0)",
        "(2, 2) (1, 2)",
        "(-1, 0)",
    ]
    words += ["b b b\n. . .\nw w w\n", "  ", "\n\n", "(99999, 1)", "1 failure"]
    seeds += [by_hand, seeds[1].replace(" ", ""), seeds[1].lower().replace(".", " ")]
    return Target(
        "riechel",
        [_encoded(text) for text in seeds],
        _mutator_of_bytes(lambda random, text, other: mutated_text(random, text, other, words)),
        _reader_of(riechel_text.FORMAT, HEXAPAWN, folder),
        (
            riechel_text,
            saves.formats,
            saves.encoding.memory,
            saves.encoding.check,
            learners.failures.learner,
            *GAME_MODULES,
        ),
    )
