"""What is known of the learners of a race before it begins, from earlier trainings; the order of its words."""

import pytest

from engine.game import Side
from engine.games import parse_game
from lab.race.earlier import earlier_curve, find_earlier, size_text
from lab.race.race_text import ShownMeasure, ranking
from learners.failures.learner import Failures
from learners.race.entrants import parse_entrant
from learners.race.measures import parse_measure
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import train

HEXAPAWN = parse_game("hexapawn")


@pytest.fixture
def library():
    library = Library(library_path())
    library.save("a", train(Failures(HEXAPAWN, "literal", 1), 50))
    return library


def test_a_learner_with_a_save_in_this_game_has_a_curve_of_each_measure(library):
    entrants = [parse_entrant(text, HEXAPAWN, library.opponent) for text in ("failures:literal", "q:exact", "perfect")]
    (ghost,) = find_earlier(library, entrants).values()
    assert ghost.name == "a"
    last = ghost.known[50]
    for name, both in (
        ("loss-random", [last[side].against["random"].loss for side in ("first", "second")]),
        ("perfect-moves", [last[side].perfect_moves for side in ("first", "second")]),
    ):
        curve = earlier_curve(ghost, ShownMeasure(parse_measure(name), None))
        assert [rounds for rounds, _ in curve] == [1, 2, 5, 10, 20, 50]
        assert curve[-1][1] == pytest.approx(sum(both) / 2)
        assert earlier_curve(ghost, ShownMeasure(parse_measure(name), Side.SECOND))[-1][1] == pytest.approx(both[1])
    assert earlier_curve(ghost, ShownMeasure(parse_measure("exploitability"), None)) == []


def test_the_size_of_a_race_is_told():
    assert size_text(5, 20, 1000) == "5 × 20 machines train 1,000 games each: 100,000 in all."


def test_the_ranking_puts_the_better_values_of_a_measure_first():
    lost, won = parse_measure("loss-random"), parse_measure("win-random")
    assert ranking([0.3, float("nan"), 0.1], lost) == [2, 0, 1]
    assert ranking([0.3, float("nan"), 0.1], won) == [0, 2, 1]
