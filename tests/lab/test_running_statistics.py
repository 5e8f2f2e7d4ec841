"""What kind of games a training had."""

from lab.words.running_statistics import kind_of_games, kind_text

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


def test_the_kind_of_games_has_their_length_and_the_share_of_resigned_ones():
    before = dict.fromkeys(BOXES, 0)
    assert kind_text(kind_of_games(before, PAPER)) == "8.00 plies per game"
    assert kind_text(kind_of_games(before, BOXES)) == "8.00 plies per game, 1.4 % resigned"


def test_the_kind_of_games_is_that_of_one_run():
    after = {**BOXES, "games": 100_100, "plies": 800_550, "resigned": 1370}
    assert kind_of_games(BOXES, after) == {"plies_per_game": 5.5, "resigned_share": 0.1}
