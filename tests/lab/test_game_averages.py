"""The averages per game of a training."""

from lab.training.setup import averages_per_game, averages_text

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


def test_the_averages_are_the_length_and_the_share_of_resigned_games():
    before = dict.fromkeys(BOXES, 0)
    assert averages_text(averages_per_game(before, PAPER)) == "8.00 moves per game"
    assert averages_text(averages_per_game(before, BOXES)) == "8.00 moves per game, 1.4 % resigned"


def test_the_averages_are_those_of_one_run():
    after = {**BOXES, "games": 100_100, "plies": 800_550, "resigned": 1370}
    assert averages_per_game(BOXES, after) == {"plies_per_game": 5.5, "resigned_share": 0.1}
