"""The parsers of the program, their inputs, and the checks of what they read."""

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
from tests.campaigns.fuzz_run import Subject
from tests.campaigns.made_up_population import made_up_population
from tests.campaigns.mutator import mutated_bytes, mutated_text, mutated_tree
from tests.saves.brains import boxed, made_up, same

HEXAPAWN, TICTACTOE = parse_game("hexapawn"), parse_game("tictactoe")
OF_SNAPSHOTS = (
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
OF_GAMES = (engine.grid_game, engine.games.tictactoe, engine.games.hexapawn, engine.games.connectfour)


SMALL = 8000
"""The most characters of a text for most mutations."""


def clear(error: Exception) -> None:
    """Expect an error that can be shown to a person."""
    lines = str(error).splitlines()
    assert 1 <= len(lines) <= 2, f"of {len(lines)} lines: {error!r}"
    assert all(line.isprintable() for line in lines), f"not printable: {error!r}"
    assert len(str(error)) < 500, f"{len(str(error)):,} characters: {str(error)[:300]}"


def whole(snapshot: Snapshot, seen: set[int]) -> None:
    """Expect a snapshot that was read to be valid: it is written, read, revived and rewound without a difference."""
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


def earlier(text: str, version: int) -> str:
    """A text as that version of the program wrote it."""
    fields = {**json.loads(text), "version": version}
    kept = fields.pop("checkpoints")
    for key in {1: ("opponent", "times", "bulk"), 2: ("bulk",), 3: ()}[version]:
        del fields[key]
    if version > 1:
        fields["memories"] = {rounds: each["memory"] for rounds, each in kept.items()}
    return "{\n  " + ",\n  ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in fields.items()) + "\n}\n"


def words_of(texts: list[str]) -> list[str]:
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


def _of_text(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text_of(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


Mutate = Callable[[Random, str, str], str]


def _mutating(mutate: Mutate) -> Callable[[Random, bytes, bytes], bytes]:
    """Mutations of bytes, some of which are no longer text."""

    def of_bytes(random: Random, data: bytes, other: bytes) -> bytes:
        if random.random() < 0.03:
            return mutated_bytes(random, data, other, [b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\0"])
        text, piece = (each.decode("utf-8", "replace") for each in (data, other))
        return _of_text(mutate(random, text, piece))

    return of_bytes


def _of_json(words: list[str]) -> Mutate:
    def mutate(random: Random, text: str, other: str) -> str:
        kind = random.random()
        if kind < 0.1:
            return _repacked(random, text)
        if kind < 0.5 and len(text) < 20_000:
            return mutated_tree(random, text, other, words)
        return mutated_text(random, text, other, words)

    return mutate


def _repacked(random: Random, text: str) -> str:
    """A text with another bulk, correctly packed."""
    try:
        fields = json.loads(text)
        bulk = unpacked(b64decode(fields["bulk"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        return text
    bulk = random.choice((bulk + b"\0", bulk[:-1], bulk * 2, bulk[::-1], bytes(len(bulk)), b"\xff" * len(bulk), b""))
    written = _nothing(random.choice((2**24, 2**24 + 1, 2**26))) if random.random() < 0.02 else _as_written(bulk)
    return json.dumps({**fields, "bulk": written})


def _as_written(bulk: bytes) -> str:
    return b64encode(packed(bulk)).decode()


@cache
def _nothing(size: int) -> str:
    """A decompression bomb: many zero bytes in a thousandth of the space."""
    return _as_written(bytes(size))


class Shelf:
    """A folder with a library, which is changed only by a valid import."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.library = Library(folder / "library.sqlite")
        self.turn = 0
        if not self.library.path.exists():
            self.library.save("a", boxed())

    def bring(self, data: bytes, suffix: str, game: Game | None) -> Snapshot | None:
        """Import from a file, and keep what is valid for a moment."""
        file = self.folder / f"file{suffix}"
        file.write_bytes(data)
        before = self.library.path.read_bytes()
        try:
            snapshot = import_file(file, game)
        except (BadText, LibraryError, TooLarge) as error:
            clear(error)
            assert self.library.path.read_bytes() == before
            return None
        self.library.save("b", snapshot)
        assert same(self.library.load("b"), snapshot)
        assert same(self.library.load("a"), boxed())
        self.library.path.write_bytes(before)
        return snapshot


def _reading(kind: Format, game: Game | None, folder: Path, every: int = 50) -> Callable[[bytes], bool]:
    """A test of a format: each input as text, some as a file imported into a library."""
    seen: set[int] = set()
    shelf = Shelf(folder)

    def use(data: bytes) -> bool:
        shelf.turn += 1
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = ""
        if not text or shelf.turn % every == 0:
            snapshot = shelf.bring(data, kind.suffix, game)
            return snapshot is not None
        try:
            snapshot = kind.read(text, game)
        except (BadText, TooLarge) as error:
            clear(error)
            return False
        whole(snapshot, seen)
        return True

    return use


def json_files(folder: Path) -> Subject:
    brains = [made_up(HEXAPAWN, 6), boxed(), made_up_population(HEXAPAWN), made_up(TICTACTOE, 5)]
    texts = [json_text.write(brain) for brain in brains]
    texts += [earlier(text, version) for text in texts[:3] for version in (1, 2, 3)]
    return Subject(
        "json",
        [_of_text(text) for text in texts],
        _mutating(_of_json(words_of(texts))),
        _reading(json_text.FORMAT, None, folder),
        (json_text, saves.formats, *OF_SNAPSHOTS),
    )


def gallery_files(folder: Path) -> Subject:
    """The saves of the gallery: mostly their beginnings, sometimes a whole one."""
    shipped = [gallery._text(name) for name in gallery.names()]
    brains = [json_text.read(text, None) for text in shipped]
    short = [json_text.write(rewound(brain, at)) for brain in brains for at in moments(brain)[:4]]
    small = [text for text in short if len(text) < SMALL]
    mutate = _of_json(words_of(small))
    read = _reading(json_text.FORMAT, None, folder)

    def use(data: bytes) -> bool:
        try:
            entry = make_entry("a", json_text.read_head(_text_of(data)), gallery.SHIPPED, gallery=True)
        except BadText as error:
            clear(error)
        else:
            assert entry.gallery
        return read(data)

    def mutated(random: Random, text: str, other: str) -> str:
        large = random.random()
        return mutate(random, random.choice(shipped if large < 0.005 else short) if large < 0.03 else text, other)

    return Subject(
        "gallery",
        [_of_text(text) for text in small],
        _mutating(mutated),
        use,
        (json_text, saves.entry, *OF_SNAPSHOTS),
        small=SMALL,
    )


def riechel_texts(folder: Path) -> Subject:
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
    return Subject(
        "riechel",
        [_of_text(text) for text in seeds],
        _mutating(lambda random, text, other: mutated_text(random, text, other, words)),
        _reading(riechel_text.FORMAT, HEXAPAWN, folder),
        (
            riechel_text,
            saves.formats,
            saves.encoding.memory,
            saves.encoding.check,
            learners.failures.learner,
            *OF_GAMES,
        ),
    )
