"""Fuzz targets for saves in files: the parsers of JSON saves, of the gallery and of Riechel's texts."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

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
from tests.campaigns.bounded import Target, assert_readable
from tests.campaigns.made_up_population import made_up_population
from tests.campaigns.mutations import damaged, damaged_json, encoded
from tests.saves.brains import boxed, made_up, same

HEXAPAWN, TICTACTOE = parse_game("hexapawn"), parse_game("tictactoe")


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


def tokens_of(texts: list[str]) -> list[str]:
    """The tokens of JSON texts: keys, known names, and punctuation."""
    keys = {key for text in texts for key in _keys(json.loads(text))}
    names = {
        name
        for kind in LEARNERS
        for name in (kind.spec.name, *kind.spec.presets, *kind.spec.settings, *kind.spec.stat_keys)
    }
    games = {game.name for game in GAMES}
    known = sorted(keys | names | games | {ITSELF, "human", "random", "perfect", "minimax:3", "save:a"})
    return [*known, *(f'"{word}": ' for word in known), "{", "}", "[", "]", ",", '"', "{}", "[]", "\\u0000", "\\ud800"]


def _keys(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        yield from node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _keys(child)


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
    population = json.loads(texts[2])
    bulk = unpacked(b64decode(population["bulk"]))
    others = (
        bulk + b"\0",
        bulk[:-1],
        bulk * 2,
        bulk[::-1],
        bytes(len(bulk)),
        b"\xff" * len(bulk),
        b"",
        bytes(2**24 + 1),
    )
    wrong = [json.dumps({**population, "bulk": b64encode(packed(each)).decode()}) for each in others]
    inputs = damaged_json(list(map(encoded, texts)), tokens_of(texts)) | st.sampled_from(list(map(encoded, wrong)))
    return Target(inputs, _reader_of(json_text.FORMAT, None, folder))


def gallery_files(folder: Path) -> Target:
    """The saves of the gallery, at their first checkpoints."""
    snapshots = [json_text.read(gallery._text(name), None) for name in gallery.names()]
    short = [json_text.write(rewound(snapshot, at)) for snapshot in snapshots for at in moments(snapshot)[:4]]
    small = [text for text in short if len(text) < 8000]
    read = _reader_of(json_text.FORMAT, None, folder)

    def use(data: bytes) -> bool:
        try:
            head = json_text.read_head(data.decode("utf-8", "surrogateescape"))
            entry = make_entry("a", head, gallery.SHIPPED, gallery=True)
        except BadText as error:
            assert_readable(error)
        else:
            assert entry.gallery
        return read(data)

    return Target(damaged_json(list(map(encoded, small)), tokens_of(small)), use)


def riechel_texts(folder: Path) -> Target:
    seeds = [riechel_text.write(made_up(HEXAPAWN, entries)) for entries in (0, 3, 6)]
    by_hand = "\n2 failures\nw to play\n- BB\nBW_\nW W\n(2, 2), (1, 2)\n\nB to play\nB B B\n    W\nWW-\n( 0,1 ) (1,1)\n"
    words = [*"WB.-_0", " to play", "W to play\n", " failures\n", "(0, 0)", "(2, 2) (1, 2)", "(-1, 0)", "1 failure"]
    words += ["b b b\n. . .\nw w w\n", "  ", "\n\n", "(99999, 1)"]
    seeds += [by_hand, seeds[1].replace(" ", ""), seeds[1].lower().replace(".", " ")]
    return Target(damaged(list(map(encoded, seeds)), words), _reader_of(riechel_text.FORMAT, HEXAPAWN, folder))
