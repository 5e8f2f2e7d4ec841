"""What Q-learning, SARSA and TD share: the games of a naive program, and that they lose to nobody."""

import numpy as np
import pytest

from engine.game import Game
from engine.games import GAMES
from learners import parse_player, revive
from learners.q import QLearner
from learners.td import TemporalDifferences
from learners.values.learner import ValueLearner
from tests.learners.values import assert_same_games, most_losses, opponent_of
from tests.oracles.generator import Generator
from tests.oracles.values import MACHINES, NaiveValues
from tests.sizes import quick_game, short_and_long

TICTACTOE = GAMES[0]
KINDS = (QLearner, TemporalDifferences)
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.spec.name)
every_preset = pytest.mark.parametrize(
    ("kind", "preset"),
    [pytest.param(kind, preset, id=f"{kind.spec.name}-{preset}") for kind in KINDS for preset in kind.spec.presets],
)


@short_and_long("games", 60, 2000)
@every_preset
@quick_game
def test_the_games_are_those_of_the_naive_learner(game: Game, kind: type[ValueLearner], preset: str, games: int):
    naive = NaiveValues(game.name, MACHINES[kind.spec.name, preset], Generator.seeded(3))
    assert_same_games(kind(game, preset, 3), naive, games)


@pytest.mark.sample(6)
@every_preset
@pytest.mark.parametrize("opponent", ["random", "perfect"])
def test_games_against_others_are_those_of_the_naive_learner(kind: type[ValueLearner], preset: str, opponent: str):
    learner = kind(TICTACTOE, preset, 5)
    learner.set_opponent(parse_player(opponent, TICTACTOE))
    machine, foe = MACHINES[kind.spec.name, preset], opponent_of("tictactoe", opponent)
    assert_same_games(learner, NaiveValues("tictactoe", machine, Generator.seeded(5), foe), 200)
    again = revive(learner.snapshot())
    for one in (learner, again):
        one.train(50)
    assert np.array_equal(again.memory, learner.memory)


@every_kind
def test_it_loses_to_nobody_from_any_seed(kind: type[ValueLearner]):
    """In 100 seeds none lost anything from 7,000 to 16,000 games; nor did 300 others after 50,000."""
    learner = kind(TICTACTOE, "exact", 20_071_102)
    learner.train(10_000)
    assert most_losses(learner) == 0


@pytest.mark.long
@every_kind
def test_it_loses_to_nobody_from_100_seeds(kind: type[ValueLearner]):
    for seed in range(2_000, 2_100):
        learner = kind(TICTACTOE, "exact", seed)
        learner.train(kind.spec.rounds_for("exact"))
        assert most_losses(learner) == 0, seed
