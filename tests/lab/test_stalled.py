"""Learners that have stopped learning: the reason, the round, and what to change."""

import pytest

from engine.evaluate import chances
from engine.games import parse_game
from lab.training.stalled import TRAIN_AGAINST_RANDOM, find_stall
from learners import parse_player
from learners.failures.learner import Failures
from learners.genetic.learner import Genetic
from learners.menace.learner import Menace
from learners.q import QLearner
from tests.saves.brains import train

TICTACTOE = parse_game("tictactoe")


def trained(learner, rounds, opponent=None):
    learner.set_opponent(None if opponent is None else parse_player(opponent, learner.game))
    return train(learner, rounds)


def test_a_machine_with_an_empty_first_box_has_stopped_in_the_game_that_emptied_it():
    snapshot = next(
        snapshot
        for seed in range(20)
        if (snapshot := trained(Menace(TICTACTOE, "michie", seed), 5000, "perfect")).stats["resigned"] > 1000
    )
    stall = find_stall(snapshot)
    assert stall.traced
    assert stall.sentence("game") == (
        f"Since game {stall.rounds:,} it resigns every game as X at its first move, and learns no more. "
        "Train a new one with the setting empty=refill."
    )
    again = Menace(TICTACTOE, "michie", snapshot.seed)
    trained(again, stall.rounds - 1, "perfect")
    first = again.space.edges(TICTACTOE.start)
    assert again.memory[again.cell[first]].any()
    trained(again, 1, "perfect")
    assert not again.memory[again.cell[first]].any()


def test_a_machine_that_learns_has_not_stopped():
    assert find_stall(Menace(TICTACTOE, "steady", 1).snapshot()) is None
    assert find_stall(trained(Menace(TICTACTOE, "steady", 1), 2000)) is None
    assert find_stall(trained(Failures(TICTACTOE, "literal", 1), 2000)) is None
    assert find_stall(trained(Failures(parse_game("hexapawn"), "literal", 1), 2000)) is None


@pytest.mark.parametrize("learner", [Failures(TICTACTOE, "literal", 1), Menace(TICTACTOE, "blog-fixed", 1)])
def test_a_learner_that_draws_all_its_games_with_itself_has_stopped(learner):
    stall = find_stall(trained(learner, 100_000))
    assert 0 < stall.rounds < 100_000
    assert "every game with itself" in stall.reason
    assert stall.remedy == TRAIN_AGAINST_RANDOM


def test_a_learner_that_explores_learns_on_while_it_draws_with_itself():
    learner = QLearner(TICTACTOE, "exact", 1)
    snapshot = trained(learner, 5000)
    policy = learner.policy()
    assert chances(learner.space, policy, policy).draw == 1
    assert find_stall(snapshot) is None


def test_a_population_without_progress_has_stopped():
    settings = {"population": 10, "mutation": "0", "until": "end"}
    snapshot = trained(Genetic(TICTACTOE, "hochmuth", 1, settings), 250)
    stall = find_stall(snapshot)
    assert stall.rounds < 125
    best = {stats["generation"]: stats["best_fitness"] for stats in snapshot.history}
    assert best[stall.rounds] == max(best.values())
    assert stall.sentence("generation").startswith(f"Since generation {stall.rounds} its best strategy has not")
    assert find_stall(trained(Genetic(TICTACTOE, "swift", 1), 60)) is None


def test_a_population_whose_best_draws_with_itself_learns_on():
    learner = Genetic(TICTACTOE, "swift", 1)
    draws = []
    for _ in range(10):
        snapshot = trained(learner, 2)
        draws.append(chances(learner.space, learner.policy(), learner.policy()).draw)
        assert find_stall(snapshot) is None
    assert max(draws) == 1
