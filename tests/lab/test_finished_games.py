"""Finished games in words, and the next ones to list."""

from datetime import UTC, datetime

import pytest

from engine.game import Outcome
from engine.games.tictactoe import TICTACTOE
from engine.match import Record
from lab.review.finished_games import (
    filter_text,
    games_in,
    next_game,
    next_opponent,
    opponents_in,
    players_text,
    plies_text,
    record_ending_text,
    short_moment_text,
    summary_text,
    turns,
)
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
    assert record_ending_text(Record(TICTACTOE, players, moves, outcome)) == words


def test_names_of_players_are_plain_text():
    assert players_text(YOU) == ("you", "a b")
    assert players_text(BOTH) == ("a person", "a person")
    hostile = ("save:[b]\x1b[31m\u202e" + "x" * 100_000, "human")
    first, second = players_text(hostile)
    assert first.startswith("[b][31mxxx")
    assert len(first) <= 100
    assert second == "you"


def test_a_game_in_a_line():
    kept = StoredGame(1, datetime(2026, 1, 31, 12, 34, tzinfo=UTC), Record(TICTACTOE, YOU, X_ROW, FIRST))
    line = summary_text(kept)
    assert line.startswith(("Tic-tac-toe, 2026-01-31 ", "Tic-tac-toe, 2026-02-01 "))
    assert line.endswith(": X you, O a b; you won, 5 plies: a3 a2 b3 b2 c3")
    assert plies_text(Record(TICTACTOE, BOTH, OPEN[:1], FIRST)) == "1 ply"
    assert turns(kept.record) == ["1. a3 a2", "2. b3 b2", "3. c3"]
    assert len(short_moment_text(kept.played, kept.played)) == 5
    assert len(short_moment_text(kept.played, datetime(2026, 3, 1, tzinfo=UTC))) == 10


def test_filters_are_cycled():
    tally = {
        GameFilter("tictactoe", "perfect"): 2,
        GameFilter("hexapawn", "human"): 3,
        GameFilter("hexapawn", "save:a"): 1,
    }
    tally[GameFilter("chess", "save:a")] = 1
    assert games_in(tally) == ["tictactoe", "hexapawn", "chess"]
    assert opponents_in(tally, None) == ["human", "perfect", "save:a"]
    assert opponents_in(tally, "hexapawn") == ["human", "save:a"]
    assert opponents_in({**tally, GameFilter("misere", "save:a"): 2}, None) == ["save:a", "human", "perfect"]
    seen, now = [], ALL
    for _ in range(4):
        now = next_game(tally, now)
        seen.append(now.game)
    assert seen == ["tictactoe", "hexapawn", "chess", None]
    forward = [ALL]
    for _ in range(3):
        forward.append(next_opponent(tally, forward[-1]))
    assert [which.opponent for which in forward] == [None, "human", "perfect", "save:a"]
    assert next_opponent(tally, forward[-1]) == ALL
    assert next_game(tally, GameFilter("tictactoe", "perfect")) == GameFilter("hexapawn")
    assert next_game(tally, GameFilter("hexapawn", "save:a")) == GameFilter("chess", "save:a")
    assert next_game(tally, GameFilter("gone", None)) == ALL
    words = [filter_text(which) for which in (ALL, GameFilter("hexapawn", "save:a"), GameFilter("chess", "human"))]
    assert words == ["every game, against everybody", "Hexapawn, against a", "chess, against another person"]
