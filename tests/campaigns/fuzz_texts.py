"""Fuzz targets for short texts that people write or paste: settings, positions and games."""

from pathlib import Path
from random import Random

from engine.game import BadText
from engine.games import GAMES, SMALL_GAMES, find_game
from engine.match import Match, replayed
from engine.notation import AGREED, RESIGNED, game_text, parse_game_text, position_text
from engine.spaces import space_of
from saves.errors import LibraryError
from saves.settings import change_settings, load_settings
from tests.campaigns.bounded import Target, assert_readable
from tests.campaigns.mutations import damaged, damaged_json


def settings(folder: Path) -> Target:
    path = folder / "settings.json"
    texts = [
        "{}",
        '{"theme": "nord"}\n',
        '{\n  "theme": "textual-light",\n  "ascii": "on",\n  "a": ""\n}\n',
        '{"ü": "\\u0000"}',
    ]
    words = [
        "theme",
        '"theme": ',
        "{",
        "}",
        "[",
        "]",
        '"',
        ",",
        ":",
        "\\ud800",
        "\\udc00",
        "\\",
        "null",
        '{"a": 1}',
        "[[[[[[",
    ]

    def use(data: bytes) -> bool:
        path.write_bytes(data)
        try:
            found = load_settings(path)
        except LibraryError as error:
            assert_readable(error)
            _refuse_change(path, data)
            return False
        assert all(type(each) is str for pair in found.items() for each in pair)
        assert path.read_bytes() == data
        change_settings(path, {"a": "b"})
        assert load_settings(path) == {**found, "a": "b"}
        return True

    return Target(damaged_json([text.encode() for text in texts], words), use)


def _refuse_change(path: Path, data: bytes) -> None:
    """Expect unreadable settings not to be changed."""
    try:
        change_settings(path, {"a": "b"})
    except LibraryError:
        assert path.read_bytes() == data
    else:
        raise AssertionError("settings that cannot be read were changed")


def _some_games() -> list[Match]:
    """Random games: some end, some are resigned, some are drawn by agreement."""
    random, found = Random(1), []
    for game in GAMES:
        for length in (0, 1, 3, 5, 12, 100):
            match = Match(game)
            while match.outcome is None and len(match.moves) < length:
                match.play(random.choice(game.moves(match.position)))
            if match.outcome is None and length == 3:
                match.resign()
            if match.outcome is None and length == 5 and game.has_draws:
                match.agree()
            found.append(match)
    return found


MARKS = [*"XOWB.-_/", " ", " X", " O", " W", " B", "XO.", "///", "...", ".......", "BBB/", "/WWW", ".......\n/"]


def positions(_: Path) -> Target:
    """Positions: the first byte of an input is the number of the game."""
    seeds = [
        bytes([GAMES.index(match.game)]) + match.game.to_text(position).encode()
        for match in _some_games()
        for position in match.positions[-1:]
    ]
    known = {game: frozenset(space_of(game).position.tolist()) for game in SMALL_GAMES}

    def use(data: bytes) -> bool:
        game = GAMES[data[0] % len(GAMES)] if data else GAMES[0]
        text = data[1:].decode("utf-8", "surrogateescape")
        try:
            position = game.from_text(text)
        except BadText as error:
            assert_readable(error)
            return False
        assert game.from_text(game.to_text(position)) == position
        assert (game.outcome(position) is None) == bool(game.moves(position))
        assert position in known.get(game, (position,))
        return True

    return Target(damaged(seeds, MARKS), use)


def records(_: Path) -> Target:
    texts = [text for match in _some_games() for text in (game_text(match), position_text(match))]
    texts += [
        "b2 a3 1. c1",
        "1. b2 a3 2. c1, resigned",
        "XO./.X./... O",
        "tictactoe [XO./.X./... O] c1",
        "[.../.../...] b2",
    ]
    words = [
        *MARKS,
        *(game.name for game in GAMES),
        RESIGNED,
        AGREED,
        "a1",
        "b2",
        "c3",
        "d4",
        "a1a2",
        "[",
        "]",
        "1. ",
        "...",
    ]

    def use(data: bytes) -> bool:
        text = data.decode("utf-8", "surrogateescape")
        try:
            match = parse_game_text(text, find_game, GAMES[len(data) % len(GAMES)])
        except BadText as error:
            assert_readable(error)
            return False
        game = match.game
        again = parse_game_text(game_text(match), find_game, game)
        assert again == match
        assert len(match.positions) == len(match.moves) + 1
        if match.outcome is not None and match.positions[0] == game.start:
            assert replayed(game, match.record(("human", "random"))).positions == match.positions
        return True

    return Target(damaged([text.encode() for text in texts], words), use)
