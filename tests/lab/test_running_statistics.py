from collections.abc import Mapping

import pytest

from engine.games import parse_game
from lab.words.running_statistics import kind_of_games, kind_text, stats_table
from learners import LEARNERS, parse_learner
from learners.core.checkpoint_marks import LAST
from learners.core.training import MOST_ROUNDS
from tests.sizes import QUICK_GAMES

TICTACTOE = parse_game("tictactoe")
FAILURES, MENACE = parse_learner("failures"), parse_learner("menace")
PAPER = {
    "games": 100_000,
    "plies": 800_000,
    "first_wins": 3824,
    "second_wins": 2389,
    "draws": 93_787,
    "avoided": 1_571_823,
    "entries": 6409,
}


BOXES = {**PAPER, "resigned": 1360, "refilled": 0, "beads": 160_477, "boxes": 593}
ROOMS = (76, 65, 54, 44, 32)
"""The available width on terminals of 120, 80 and 60 columns, and some between."""


def most(learner, rounds: int) -> Mapping[str, int]:
    """The largest statistics after a number of rounds."""
    return {
        **dict.fromkeys(learner.spec.stat_keys, 20 * rounds),
        **dict.fromkeys(("games", "first_wins", "second_wins", "draws"), rounds),
        "plies": 9 * rounds,
        "lost": 0,  # of those games: there are no more than that
    }


def test_a_wide_table_has_full_names_and_shares():
    assert stats_table(PAPER, FAILURES, TICTACTOE, 65).splitlines() == [
        "draws        93,787  93.8 %   games                    100,000",
        "X wins        3,824   3.8 %   failures avoided       1,571,823",
        "O wins        2,389   2.4 %   failures recorded          6,409",
    ]


def test_a_table_of_medium_width_rounds():
    assert stats_table(PAPER, FAILURES, TICTACTOE, 44).splitlines() == [
        "draws   93.8 k  93.8 %   games      100 k",
        "X wins   3.8 k   3.8 %   avoided    1.6 M",
        "O wins   2.4 k   2.4 %   recorded   6.4 k",
    ]


def test_a_narrow_table_leaves_out_the_shares():
    assert stats_table(PAPER, FAILURES, TICTACTOE, 32).splitlines() == [
        "draws  93.8 k  games     100 k",
        "X wins  3.8 k  avoided   1.6 M",
        "O wins  2.4 k  recorded  6.4 k",
    ]


def test_many_statistics_take_two_columns():
    assert stats_table(BOXES, MENACE, TICTACTOE, 76).splitlines() == [
        "draws       93,787  93.8 %  games          100,000  beads       160,477",
        "X wins       3,824   3.8 %  resigned         1,360  boxes           593",
        "O wins       2,389   2.4 %  refilled             0                     ",
    ]
    assert stats_table(BOXES, MENACE, TICTACTOE, 44).splitlines() == [
        "draws  93.8 k  games     100 k  beads  160 k",
        "X wins  3.8 k  resigned  1.4 k  boxes    593",
        "O wins  2.4 k  refilled      0              ",
    ]


def test_many_statistics_take_more_lines_in_a_narrow_table():
    assert stats_table(BOXES, MENACE, TICTACTOE, 32).splitlines() == [
        "draws  93.8 k  games     100 k",
        "X wins  3.8 k  resigned  1.4 k",
        "O wins  2.4 k  refilled      0",
        "               beads     160 k",
        "               boxes       593",
    ]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: learner.spec.name)
@pytest.mark.parametrize("game", QUICK_GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("rounds", [0, MOST_ROUNDS, 2**31, LAST], ids=["paper", "one plan", "2^31", "many plans"])
@pytest.mark.parametrize("room", ROOMS)
def test_a_table_fits_and_its_lines_have_equal_widths(learner, game, rounds, room):
    shown = most(learner, rounds) if rounds else {**dict.fromkeys(learner.spec.stat_keys, 9_999), **PAPER}
    lines = stats_table(shown, learner, game, room).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert len(lines[0]) <= room
    assert len(lines) == 3 or room < 44


def test_the_marks_are_those_of_the_game():
    table = stats_table(PAPER, FAILURES, parse_game("hexapawn"), 65)
    assert "W wins" in table
    assert "B wins" in table


def test_shares_before_the_first_game():
    none = dict.fromkeys(PAPER, 0)
    assert stats_table(none, FAILURES, TICTACTOE, 65).count(" 0 %") == 3
    assert kind_of_games(none, none) == {"plies_per_game": 0}


def test_the_kind_of_games_has_their_length_and_the_share_of_resigned_ones():
    before = dict.fromkeys(BOXES, 0)
    assert kind_text(kind_of_games(before, PAPER)) == "8.00 plies per game"
    assert kind_text(kind_of_games(before, BOXES)) == "8.00 plies per game, 1.4 % resigned"


def test_the_kind_of_games_is_that_of_one_run():
    after = {**BOXES, "games": 100_100, "plies": 800_550, "resigned": 1370}
    assert kind_of_games(BOXES, after) == {"plies_per_game": 5.5, "resigned_share": 0.1}
