"""The words and the order of a race."""

from lab.race.race_text import ranking
from learners.race.measures import parse_measure


def test_the_ranking_puts_the_better_values_of_a_measure_first():
    lost, won = parse_measure("loss-random"), parse_measure("win-random")
    assert ranking([0.3, float("nan"), 0.1], lost) == [2, 0, 1]
    assert ranking([0.3, float("nan"), 0.1], won) == [0, 2, 1]
