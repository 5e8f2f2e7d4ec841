"""Champions of the genetic algorithm: when evolution ends, what it finds, how it continues, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from engine.evaluate import best_response
from engine.game import BadText, Side
from engine.games import parse_game
from learners import revive
from learners.core.training import TrainingPlan, run
from learners.genetic.learner import Genetic
from noughts.testing.learners import assert_same
from tests.learners.strategies import strategy_of
from tests.oracles import genetic as oracle

TICTACTOE = parse_game("tictactoe")


def champion(preset: str, seed: int, **settings) -> Genetic:
    learner = Genetic(TICTACTOE, preset, seed, settings)
    *_, last = run(learner, TrainingPlan(500))
    assert last.perfect == learner.perfect
    assert last.finished
    return learner


def assert_loses_to_nobody(learner: Genetic) -> None:
    """Check it by its best responder, by playing every game, and by the number of games that is possible."""
    policy = learner.policy()
    assert {best_response(learner.space, side, policy).loss for side in Side} == {0.0}
    best = learner.population[int(learner._scores.fitness.argmax())]
    strategy = strategy_of(learner.game.name, best, boards=learner.settings["genes"] == "boards")
    merge = learner.settings["replies"] == "symmetric"
    tallies = [oracle.tally(learner.game.name, strategy, side, merge=merge) for side in (0, 1)]
    assert [counts["lost"] for counts in tallies] == [0, 0]
    least, most = oracle.games_of_never_losing(learner.game.name, merge=merge)
    assert least <= learner.stats()["games"] <= most
    assert learner.spec.json_stats(learner.stats())["best_fitness"] == 1.0
    assert learner.stats()["lost"] == 0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_swift_finds_a_strategy_that_loses_to_nobody(seed: int):
    learner = champion("swift", seed)
    assert learner.perfect
    assert learner.rounds == learner.history.statistics[-1]["generation"] < 500
    assert [stats["perfect"] for stats in learner.history.statistics].count(1) == 1
    assert_loses_to_nobody(learner)


def test_no_strategy_is_perfect_if_a_side_is_lost():
    learner = Genetic(parse_game("hexapawn"), "swift", 1)
    learner.train(100)
    assert not learner.perfect
    assert learner.rounds == 100
    policy = learner.policy()
    assert [best_response(learner.space, side, policy).loss for side in Side] == [1.0, 0.0]


def found(**settings) -> Genetic:
    """A small population, bred until it is perfect or for 200 generations."""
    learner = Genetic(TICTACTOE, "swift", 1, {"population": 100, **settings})
    learner.train(200)
    return learner


def test_evolution_ends_at_the_first_perfect_champion_or_continues_by_setting():
    ended, on = found(), found(until="end")
    assert ended.perfect
    assert ended.rounds < on.rounds == 200
    assert not on.perfect
    on = Genetic(TICTACTOE, "swift", 1, {"population": 100, "until": "end"})
    on.train(ended.rounds - 1)
    assert not on.stats()["perfect"]
    on.train(1)
    assert on.stats() == ended.stats()
    assert np.array_equal(on.memory, ended.memory)
    assert on.generator.tolist() == ended.generator.tolist()
    ended.train(10)
    on.train(10)
    assert on.stats() == ended.stats()


def test_an_interrupted_plan_continues_as_if_it_had_never_stopped():
    whole, half = Genetic(TICTACTOE, "hochmuth", 4), Genetic(TICTACTOE, "hochmuth", 4)
    *_, last = run(half, TrainingPlan(13))
    *_, gone_on = run(revive(last.snapshot), TrainingPlan(12))
    *_, at_once = run(whole, TrainingPlan(25))
    assert_same(gone_on.snapshot, at_once.snapshot)


def test_the_elite_never_gets_worse():
    learner = Genetic(TICTACTOE, "hochmuth", 2, {"population": 50, "elite": 2, "mutation": ".1"})
    best = []
    for _ in range(40):
        learner.train(1)
        best.append(learner.stats()["best_fitness"])
    assert best == sorted(best)
    assert best[0] < best[-1]


def test_a_checkpoint_without_its_population_plays_but_is_not_bred_further():
    learner = Genetic(TICTACTOE, "swift", 1, {"population": 10})
    *_, last = run(learner, TrainingPlan(10))
    stats = next(stats for stats in last.snapshot.history if stats["generation"] == 5)
    memory = last.snapshot.checkpoints[5].memory
    learner = revive(replace(last.snapshot, memory=memory, stats=stats, history=(), checkpoints={}, bulk=b""))
    assert learner.policy().sum() == (learner.genome.gene >= 0).sum()
    before = learner.snapshot()
    with pytest.raises(BadText, match="its seed leads to another population"):
        learner.train(1)
    assert_same(learner.snapshot(), before)


@pytest.mark.parametrize("rate", ["-0.1", "1.0001", "nan", "inf", "-inf", "1e999", "15%", "", "0,5", "-1e-9", "1/2"])
@pytest.mark.parametrize("key", ["replication", "crossover", "mutation"])
def test_a_rate_that_is_no_chance_is_refused(key: str, rate: str):
    with pytest.raises(BadText, match=f"^{key} cannot be .*; it is a chance from 0 to 1"):
        Genetic(TICTACTOE, "hochmuth", 1, {key: rate})


@pytest.mark.parametrize(("population", "elite"), [(2, 2), (2, 100), (100, 100)])
def test_an_elite_that_leaves_nobody_to_breed_is_refused(population: int, elite: int):
    with pytest.raises(BadText, match=f"an elite of {elite} leaves nobody to breed: the population is {population}"):
        Genetic(TICTACTOE, "hochmuth", 1, {"population": population, "elite": elite})
    Genetic(TICTACTOE, "hochmuth", 1, {"population": population, "elite": population - 1}).train(3)


def test_slices_do_not_matter_where_evolution_ends():
    at_once, in_parts = found(), Genetic(TICTACTOE, "swift", 1, {"population": 100})
    while not in_parts.perfect:
        in_parts.train(3)
    assert_same(in_parts.snapshot(), at_once.snapshot())


@pytest.mark.parametrize("population", ["0", "1", "-5", "10001", "1e3", "nan", "2.5", ""])
def test_a_population_that_cannot_breed_is_refused(population: str):
    with pytest.raises(BadText, match=f"^population cannot be '{population}'; it is "):
        Genetic(TICTACTOE, "hochmuth", 1, {"population": population})
