"""The same games played through both front ends: the same events happen, and the same position is on the board."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import dropwhile
from random import Random

import pytest

from cli.plain.presenter import Presenter
from engine.games import GAMES, find_game, parse_game
from engine.notation import parse_game_text
from lab.board import events
from lab.board.session import PlayOn
from learners.menace.learner import Menace
from saves.errors import LibraryError
from saves.library.game_record import PlayedGames
from saves.library.library import Library
from saves.paths import settings_path
from tests.cli.plain_game import PlainGame
from tests.tui.piloting import running
from tui.app import NoughtsApp
from tui.play.screen import PlayScreen

KEYS = {"back": "u", "new": "n", "swap": "s", "hint": "h", "check": "B", "draw": "equals_sign", "learn": "i"}
"""The commands that are one key in the app."""
ANY_MOVE = "any move"
"""Stands for the first legal move, if the game is not over."""


@dataclass(frozen=True)
class Case:
    """A game to play: the players, and the lines that a person writes."""

    game: str
    first: str
    second: str
    lines: tuple[str, ...]
    happens: frozenset[type]
    """Events that the case is about: without them it would test nothing."""


def case(game: str, first: str, second: str, lines: str, *happens: type) -> Case:
    """A case whose lines are separated by commas; `any * 4` is four times `ANY_MOVE`."""
    found: list[str] = []
    for line in lines.split(", "):
        word, _, times = line.partition(" * ")
        found += [ANY_MOVE] * int(times) if word == "any" else [line]
    return Case(game, first, second, tuple(found), frozenset(happens))


CASES = {
    "two people": case(
        *("tictactoe", "human", "human"),
        "a3, b2, back, hint, hint, hint, c1, draw, draw, back, resign, back, b3, swap, a1",
        *(
            events.HintGiven,
            events.TakenBack,
            events.DrawOffered,
            events.DrawAgreed,
            events.GameEnded,
            events.GameStored,
            events.GameWithdrawn,
        ),
    ),
    "a machine that answers": case(
        *("tictactoe", "human", "perfect"),
        "back, hint, b2, hint, back, a1, draw, back, resign, resign, new, swap, any * 1",
        *(events.Refused, events.DrawAgreed, events.GameEnded, events.Seated, events.GameStarted),
    ),
    "a machine that wins declines a draw": case(
        *("tictactoe", "perfect", "human", "paste tictactoe a3 b3 b2, draw, back, new"),
        events.PracticeStarted,
        events.DrawRefused,
    ),
    "the blunder check": case(
        *("tictactoe", "human", "human", "check, a3, b3, a2, a2, check, back, b3, resign"), events.MoveHeldBack
    ),
    "a save that learns": case(
        *("tictactoe", "save:a", "human"),
        "learn, any * 4, resign, back, new, any * 4, resign, learn, swap, b2, resign",
        *(events.LearningSwitched, events.SaveLearned, events.Refused),
    ),
    "a save that is gone": case("tictactoe", "human", "save:gone", "learn, b2, resign, new, b2", events.SaveNotLearned),
    "practice of another game": case(
        *("tictactoe", "human", "save:riechel", "b2, paste hexapawn a1a2 b3a2, b1a2, back, back, resign"),
        *(events.PracticeStarted, events.SeatFilled, events.Seated),
    ),
    "hexapawn": case("hexapawn", "random", "human", "any * 5, draw, new", events.Refused),
    "connect four": case("connectfour", "human", "alphabeta:2", "d, hint, c, back, draw, resign"),
}


def library_with_saves(path) -> Library:
    library = Library(path)
    for name in ("a", "gone"):
        library.save(name, Menace(parse_game("tictactoe"), "scroggs", 1).snapshot())
    return library


def described(event):
    """An event as a value that can be compared: a lesson holds a learner."""
    if not isinstance(event, events.SaveLearned):
        return event
    return event.lesson.learner.label, event.lesson.words, event.lesson.gained


def since_the_start(shown):
    """The events after the players took their seats for the first time."""
    return list(dropwhile(lambda event: isinstance(event, events.Seated | events.GameStarted), shown))


def record_events(monkeypatch, front_end) -> list:
    """Let a front end record all events that it shows."""
    shown, show = [], front_end.show

    def recorded(self, event):
        shown.append(event)
        show(self, event)

    monkeypatch.setattr(front_end, "show", recorded)
    return shown


def play_plain(case, library, shown):
    """Play a case line by line; return the table, and the lines with the number of events before and after each."""
    plain = PlainGame(case.game, case.first, case.second, library=library)
    written = []
    if case.second == "save:gone":
        library.delete("gone")

    def lines() -> Iterator[str]:
        for line in case.lines:
            match = plain.table.match
            if line == ANY_MOVE and match.outcome is not None:
                continue
            name = match.game.move_name(match.game.moves(match.position)[0]) if line == ANY_MOVE else line
            before = len(since_the_start(shown))
            yield name
            written.append((name, before, len(since_the_start(shown))))

    plain.go(lines())
    return plain.table, written


async def give(pilot, line):
    """Give the app the command that a line gives the plain dialogue."""
    table = pilot.screen.table
    word, _, text = line.partition(" ")
    if word == "paste":
        match = parse_game_text(text, find_game, table.game)
        pilot.screen.play_on(PlayOn(match, table.session.labels))
    elif word == "resign":
        await pilot.press(*["F"] * (2 if table.can_move else 1))
    elif word in KEYS:
        await pilot.press(KEYS[word])
    elif table.game.name == "connectfour":
        await pilot.press(str("abcdefg".index(word) + 1))
    else:
        move = table.game.parse_move(table.match.position, word)
        await pilot.press(*(str(square + 1) for square in table.game.board.squares(table.match.position, move)))


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", CASES)
async def test_both_front_ends_show_the_same_events(name, tmp_path, monkeypatch):
    monkeypatch.setattr("tui.play.steps.THINKING_TIME", 0.001)
    case = CASES[name]
    plain_events = record_events(monkeypatch, Presenter)
    plain_table, written = play_plain(case, library_with_saves(tmp_path / "plain.sqlite"), plain_events)
    expected = [described(event) for event in since_the_start(plain_events)]
    assert case.happens <= {type(event) for event in plain_events}

    library = library_with_saves(tmp_path / "app.sqlite")
    shown = record_events(monkeypatch, PlayScreen)
    app = NoughtsApp(library, settings_path(), (case.first, case.second), parse_game(case.game), Random(1))
    async with running(app) as pilot:
        await pilot.seated(case.first, case.second)
        if case.second == "save:gone":
            library.delete("gone")
        for line, before, after in written:
            await pilot.until(lambda before=before: len(since_the_start(shown)) >= before)
            await give(pilot, line)
            await pilot.until(lambda after=after: len(since_the_start(shown)) >= after)
            assert [described(event) for event in since_the_start(shown)] == expected[:after], line
        table = app.screen.table
    assert (table.match.moves, table.session.labels) == (plain_table.match.moves, plain_table.session.labels)
    assert (table.session.points, table.session.draws) == (plain_table.session.points, plain_table.session.draws)


@pytest.mark.long
@pytest.mark.parametrize("error", [LibraryError("the library is full"), OSError("no disk")])
async def test_both_front_ends_say_that_a_game_could_not_be_stored(error, tmp_path, monkeypatch):
    def fail(_games, _record):
        raise error

    monkeypatch.setattr(PlayedGames, "add", fail)
    case = Case("tictactoe", "human", "human", ("b2", "resign"), frozenset())
    plain_events = record_events(monkeypatch, Presenter)
    play_plain(case, Library(tmp_path / "plain.sqlite"), plain_events)
    shown = record_events(monkeypatch, PlayScreen)
    app = NoughtsApp(Library(tmp_path / "app.sqlite"), settings_path(), ("human", "human"), GAMES[0], Random(1))
    async with running(app) as pilot:
        await pilot.seated("human", "human")
        for line in case.lines:
            await give(pilot, line)
        await pilot.until(lambda: events.GameNotStored(str(error)) in shown)
    assert since_the_start(shown) == since_the_start(plain_events)
