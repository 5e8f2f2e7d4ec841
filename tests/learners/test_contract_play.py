"""What every learner promises when it plays: legal moves, no change, and chances that are true."""

from random import Random

import numpy as np
import pytest

from engine.evaluate import SAME
from engine.game import Game
from tests.learners.cases import (
    assert_same,
    every_case,
    fresh,
    frozen,
    running,
    trained,
)
from tests.sizes import short_and_long


@every_case
def test_choosing_is_legal_and_changes_nothing(kind: str, preset: str, game: Game):
    learner = trained(kind, preset, game)
    random = Random(1)
    for position in running(learner):
        choice = learner.choose(position, random)
        assert choice.move is None or choice.move in game.moves(position)
        assert choice.reason.isprintable()
        assert 0 < len(choice.reason) <= 100
        learner.thoughts(position)
    learner.policy()
    assert_same(learner.snapshot(), frozen(kind, preset, game))


@every_case
def test_a_choice_depends_only_on_the_random_numbers(kind: str, preset: str, game: Game):
    learner = trained(kind, preset, game)
    positions = running(learner)[:100]
    one, two = Random(5), Random(5)
    assert [learner.choose(position, one) for position in positions] == [
        learner.choose(position, two) for position in positions
    ]


@short_and_long("positions", 5, 15)
@every_case
def test_choices_fit_the_policy(kind: str, preset: str, game: Game, positions: int):
    learner = trained(kind, preset, game)
    random, policy, draws = Random(2), learner.policy(), 300
    for position in Random(3).sample(running(learner), positions):
        chosen = [learner.choose(position, random).move for _ in range(draws)]
        for edge in learner.space.edges(position):
            chance = policy[edge]
            error = (chance * (1 - chance) / draws) ** 0.5
            assert chosen.count(int(learner.space.move[edge])) / draws == pytest.approx(chance, abs=5 * error)


@every_case
def test_the_policy_has_non_negative_probabilities_that_sum_to_one(kind: str, preset: str, game: Game):
    for learner in (fresh(kind, preset, game), trained(kind, preset, game)):
        policy, space = learner.policy(), learner.space
        assert policy.shape == space.move.shape
        assert np.all(policy >= 0)
        total = np.bincount(space.source, policy, len(space.position))
        positions = running(learner)
        resigns = [learner.choose(position, Random(1)).move is None for position in positions]
        rows = [space.row(position) for position in positions]
        assert total[rows] == pytest.approx(1 - np.array(resigns, np.float64))
        assert np.all(total <= 1 + SAME)


@every_case
def test_thoughts_fit_the_policy(kind: str, preset: str, game: Game):
    learner = trained(kind, preset, game)
    policy, space = learner.policy(), learner.space
    for position in running(learner):
        thoughts = learner.thoughts(position)
        assert tuple(thought.move for thought in thoughts) == game.moves(position)
        assert [thought.chance for thought in thoughts] == pytest.approx(
            [policy[edge] for edge in space.edges(position)]
        )
        assert all(1 <= len(thought.symbol) <= 4 and thought.words.isprintable() for thought in thoughts)
