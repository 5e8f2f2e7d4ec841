from collections.abc import Mapping

import pytest

from engine import GAMES, parse_game
from learners import LEARNERS
from learners.training import MOST_GAMES
from tui.running_stats import FULL, MIDDLE, stats_table

TICTACTOE = parse_game("tictactoe")
FAILURES = LEARNERS[0]
PAPER = {
    "games": 100_000,
    "plies": 800_000,
    "first_wins": 3824,
    "second_wins": 2389,
    "draws": 93_787,
    "avoided": 1_571_823,
    "entries": 6409,
}


def most(learner) -> Mapping[str, int]:
    """Statistics as large as a training can make them: everything counted by games, moves passed over by far more."""
    return {
        **dict.fromkeys(("games", "first_wins", "second_wins", "draws"), MOST_GAMES),
        "plies": 9 * MOST_GAMES,
        **dict.fromkeys(learner.own_stats, 20 * MOST_GAMES),
    }


def test_a_wide_table_names_everything_and_tells_shares():
    assert stats_table(PAPER, FAILURES, TICTACTOE, FULL).splitlines() == [
        "draws          93,787  93.8 %   games                    100,000",
        "X wins          3,824   3.8 %   failures avoided       1,571,823",
        "O wins          2,389   2.4 %   failures recorded          6,409",
    ]


def test_a_middling_table_leaves_out_the_shares():
    assert stats_table(PAPER, FAILURES, TICTACTOE, FULL - 1).splitlines() == [
        "draws       93,787   games           100,000",
        "X wins       3,824   avoided       1,571,823",
        "O wins       2,389   recorded          6,409",
    ]


def test_a_narrow_table_rounds():
    assert stats_table(PAPER, FAILURES, TICTACTOE, MIDDLE - 1).splitlines() == [
        "draws  93.8 k   games      100 k",
        "X wins  3.8 k   avoided    1.6 M",
        "O wins  2.4 k   recorded   6.4 k",
    ]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: learner.name)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("stats", [PAPER, "most"], ids=["paper", "most"])
@pytest.mark.parametrize("room", [FULL + 20, FULL, FULL - 1, MIDDLE, MIDDLE - 1, 32])
def test_a_table_is_never_wider_than_its_room_nor_ragged(learner, game, stats, room):
    lines = stats_table(most(learner) if stats == "most" else stats, learner, game, room).splitlines()
    assert len(lines) == 3
    assert len({len(line) for line in lines}) == 1
    assert len(lines[0]) <= room


def test_the_marks_are_those_of_the_game():
    table = stats_table(PAPER, FAILURES, parse_game("hexapawn"), FULL)
    assert "W wins" in table
    assert "B wins" in table


def test_before_the_first_game_there_is_nothing_to_divide_by():
    table = stats_table(dict.fromkeys(PAPER, 0), FAILURES, TICTACTOE, FULL)
    assert table.count(" 0 %") == 3
