"""The figures of Riechel 2007 (Figures 1 and 3), as earlier re-runs found them, each with a tolerance for chance.

Every mean is over 60 seeds, a number chosen before any result was seen.
"""

from functools import cache

import numpy as np
import pytest

from engine.games import GAMES
from engine.solve import edge_values
from learners.failures.learner import Failures

SEEDS = range(60)
STEPS = (1000, 10_000, 100_000)


@cache
def mean(preset: str) -> dict[int, dict[str, float]]:
    """The mean of each statistic after each number of games."""
    found: dict[int, list[dict[str, int]]] = {games: [] for games in STEPS}
    for seed in SEEDS:
        learner = Failures(GAMES[0], preset, seed)
        for games in STEPS:
            learner.train(games - learner.stats()["games"])
            found[games].append(learner.stats())
    return {
        games: {key: float(np.mean([run[key] for run in runs])) for key in runs[0]} for games, runs in found.items()
    }


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("preset", "games", "key", "figure", "tolerance"),
    [
        ("literal", 1000, "draws", 142, 6),
        ("literal", 1000, "first_wins", 559, 9),
        ("literal", 1000, "second_wins", 299, 9),
        ("literal", 1000, "entries", 858, 6),
        ("literal", 1000, "avoided", 489, 20),
        ("literal", 10_000, "draws", 4065, 45),
        ("literal", 10_000, "first_wins", 3601, 35),
        ("literal", 10_000, "second_wins", 2333, 30),
        ("literal", 10_000, "entries", 6085, 40),
        ("literal", 10_000, "avoided", 68_400, 900),
        ("literal", 100_000, "draws", 93_629, 50),
        ("literal", 100_000, "first_wins", 3908, 35),
        ("literal", 100_000, "second_wins", 2463, 30),
        ("literal", 100_000, "entries", 6550, 50),
        ("literal", 100_000, "avoided", 1_588_400, 1500),
        ("riechel-2007", 1000, "draws", 147, 6),
        ("riechel-2007", 1000, "first_wins", 552, 9),
        ("riechel-2007", 1000, "second_wins", 300, 9),
        ("riechel-2007", 1000, "entries", 853, 6),
        ("riechel-2007", 1000, "avoided", 610, 25),
        ("riechel-2007", 10_000, "draws", 4504, 50),
        ("riechel-2007", 10_000, "first_wins", 3331, 35),
        ("riechel-2007", 10_000, "second_wins", 2165, 30),
        ("riechel-2007", 10_000, "entries", 5665, 40),
        ("riechel-2007", 10_000, "avoided", 72_700, 900),
        ("riechel-2007", 100_000, "draws", 93_798, 50),
        ("riechel-2007", 100_000, "first_wins", 3800, 35),
        ("riechel-2007", 100_000, "second_wins", 2402, 30),
        ("riechel-2007", 100_000, "entries", 6436, 50),
        ("riechel-2007", 100_000, "avoided", 1_565_400, 1500),
    ],
)
def test_a_figure_is_reproduced_within_its_spread(preset: str, games: int, key: str, figure: float, tolerance: float):
    assert mean(preset)[games][key] == pytest.approx(figure, abs=tolerance)


STOPPED = {"literal": 100_000, "riechel-2007": 400_000}
"""Games after which nothing more is learned. The rounded pick seldom tries an outer move: it learns for longer."""


@pytest.mark.parametrize("preset", list(Failures.spec.presets))
@pytest.mark.parametrize("seed", [pytest.param(seed, marks=pytest.mark.long if seed >= 3 else ()) for seed in SEEDS])
def test_learning_has_stopped_long_before_a_million_games(preset: str, seed: int):
    learner = Failures(GAMES[0], preset, seed)
    learner.train(STOPPED[preset])
    database, stats = learner.memory.copy(), learner.stats()
    learner.train(1_000_000 - STOPPED[preset])
    assert np.array_equal(learner.memory, database)
    later = learner.stats()
    assert later["first_wins"] == stats["first_wins"]
    assert later["second_wins"] == stats["second_wins"]
    assert later["draws"] == stats["draws"] + 1_000_000 - STOPPED[preset]


def test_about_four_in_five_losing_pairs_are_found():
    learner = Failures(GAMES[0], "literal", 1)
    learner.train(100_000)
    losing = edge_values(learner.space) == -1
    found = np.count_nonzero(learner.memory[losing])
    assert found == np.count_nonzero(learner.memory)
    assert 0.75 < found / np.count_nonzero(losing) < 0.82
