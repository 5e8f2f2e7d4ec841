"""Finished games in words, and the next ones to list."""

from datetime import UTC, datetime

import pytest

from engine.game import Outcome
from engine.games.tictactoe import TICTACTOE
from engine.match import Record
from lab.review import finished_games
from saves.library.game_record import ALL, GameFilter, StoredGame

X_ROW, O_ROW, OPEN = (0, 3, 1, 4, 2), (0, 3, 1, 4, 8, 5), (4, 0)
FIRST, SECOND, DRAW = Outcome
YOU, THEY, BOTH = ("human", "save:a b"), ("perfect", "human"), ("human", "human")


@pytest.mark.parametrize(
    ("players", "moves", "outcome", "words"),
    [
        (YOU, X_ROW, FIRST, "you won"),
        (THEY, X_ROW, FIRST, "you lost"),
        (BOTH, X_ROW, FIRST, "X won"),
        (YOU, O_ROW, SECOND, "you lost"),
        (THEY, O_ROW, SECOND, "you won"),
        (BOTH, O_ROW, SECOND, "O won"),
        (YOU, OPEN, SECOND, "you resigned"),
        (THEY, OPEN, SECOND, "it resigned"),
        (BOTH, OPEN, SECOND, "X resigned"),
        (BOTH, OPEN[:1], FIRST, "O resigned"),
        (YOU, OPEN, DRAW, "draw agreed"),
        (YOU, (0, 1, 2, 4, 3, 5, 7, 6, 8), DRAW, "drawn"),
    ],
)
def test_how_a_game_ended_and_for_whom(players, moves, outcome, words):
    assert finished_games.record_ending_text(Record(TICTACTOE, players, moves, outcome)) == words


def test_names_of_players_are_plain_text():
    assert finished_games.players_text(YOU) == ("you", "a b")
    assert finished_games.players_text(BOTH) == ("a person", "a person")
    hostile = ("save:[b]\x1b[31m\u202e" + "x" * 100_000, "human")
    first, second = finished_games.players_text(hostile)
    assert first.startswith("[b][31mxxx")
    assert len(first) <= 100
    assert second == "you"


def test_a_game_in_a_line():
    kept = StoredGame(1, datetime(2026, 1, 31, 12, 34, tzinfo=UTC), Record(TICTACTOE, YOU, X_ROW, FIRST))
    line = finished_games.summary_text(kept)
    assert line.startswith(("Tic-tac-toe, 2026-01-31 ", "Tic-tac-toe, 2026-02-01 "))
    assert line.endswith(": X you, O a b; you won after 5 moves: a3 a2 b3 b2 c3")
    at_once, soon = Record(TICTACTOE, BOTH, (), SECOND), Record(TICTACTOE, BOTH, OPEN[:1], FIRST)
    assert finished_games.record_end_text(at_once) == "X resigned before the first move"
    assert finished_games.record_end_text(soon) == "O resigned after 1 move"
    assert len(finished_games.short_moment_text(kept.played, kept.played)) == 5
    assert len(finished_games.short_moment_text(kept.played, datetime(2026, 3, 1, tzinfo=UTC))) == 10


def test_filters_are_cycled():
    tally = {
        GameFilter("tictactoe", "perfect"): 2,
        GameFilter("hexapawn", "human"): 3,
        GameFilter("hexapawn", "save:a"): 1,
    }
    tally[GameFilter("chess", "save:a")] = 1
    assert finished_games.games_in(tally) == ["tictactoe", "hexapawn", "chess"]
    assert finished_games.opponents_in(tally, None) == ["human", "perfect", "save:a"]
    assert finished_games.opponents_in(tally, "hexapawn") == ["human", "save:a"]
    assert finished_games.opponents_in({**tally, GameFilter("misere", "save:a"): 2}, None) == [
        "save:a",
        "human",
        "perfect",
    ]
    seen, now = [], ALL
    for _ in range(4):
        now = finished_games.next_game(tally, now)
        seen.append(now.game)
    assert seen == ["tictactoe", "hexapawn", "chess", None]
    forward = [ALL]
    for _ in range(3):
        forward.append(finished_games.next_opponent(tally, forward[-1]))
    assert [which.opponent for which in forward] == [None, "human", "perfect", "save:a"]
    assert finished_games.next_opponent(tally, forward[-1]) == ALL
    assert finished_games.next_game(tally, GameFilter("tictactoe", "perfect")) == GameFilter("hexapawn")
    assert finished_games.next_game(tally, GameFilter("hexapawn", "save:a")) == GameFilter("chess", "save:a")
    assert finished_games.next_game(tally, GameFilter("gone", None)) == ALL
    words = [
        finished_games.filter_text(which)
        for which in (ALL, GameFilter("hexapawn", "save:a"), GameFilter("chess", "human"))
    ]
    assert words == ["every game, against everybody", "Hexapawn, against a", "chess, against another person"]
