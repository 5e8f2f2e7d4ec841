"""The exact results of every kind of player agree with games that are sampled, many of them."""

import numpy as np
import pytest

from engine.evaluate import OPPONENTS, best_response, perfect_policy, scoreboard, uniform_policy
from engine.game import Game, Outcome, Side
from engine.games import parse_game
from engine.solve import values
from engine.spaces import space_of
from learners.genetic.learner import Genetic
from learners.players.minimax import AlphaBeta
from learners.players.plain import PerfectPlayer, RandomPlayer
from tests.learners.cases import CASES, SMALLER, fresh, rounds_for
from tests.oracles.sampled import sampled
from tests.sizes import QUICK_GAMES

GAMES = 200_000
TICTACTOE = parse_game("tictactoe")


def assert_agrees(space, policy, seed=1):
    """Against every opponent that is a policy, as both sides, within four standard errors."""
    exact = scoreboard(space, policy)
    opponents = {"random": uniform_policy(space), "perfect": perfect_policy(space), "self": policy}
    for side in Side:
        for name, opponent in opponents.items():
            if (name, side) == ("self", Side.SECOND):
                continue  # the same games once more
            pair = (policy, opponent) if side is Side.FIRST else (opponent, policy)
            counts = sampled(space, *pair, GAMES, seed)
            seen = exact[side.name.lower()].against[name]
            chances = {side: seen.win, side.other: seen.loss, None: seen.draw}
            for outcome, count in counts.items():
                chance = chances[outcome.winner]
                error = (chance * (1 - chance) / GAMES) ** 0.5
                assert count / GAMES == pytest.approx(chance, abs=4 * error + 1e-12), (side, name, outcome)


@pytest.mark.long
@pytest.mark.parametrize("player", [RandomPlayer, PerfectPlayer, lambda game: AlphaBeta(game, 2)])
def test_players_that_do_not_learn_agree_with_samples(player):
    assert_agrees(space_of(TICTACTOE), player(TICTACTOE).policy())


SEEN = ("failures-riechel-2007", "menace-michie", "menace-scroggs", "genetic-swift")
FEW = [case for case in CASES if case.id.removesuffix("-tictactoe") in SEEN]


@pytest.mark.long
@pytest.mark.parametrize(("kind", "preset", "game"), FEW)
def test_learners_in_the_middle_of_training_agree_with_samples(kind, preset, game):
    learner = fresh(kind, preset, game, seed=5)
    learner.train(rounds_for(kind, 700))
    assert_agrees(learner.space, learner.policy(), seed=2)


@pytest.mark.long
@pytest.mark.parametrize(("kind", "preset", "game"), CASES)
@pytest.mark.parametrize("games", [0, 30, 3000])
def test_every_learner_agrees_with_samples_after_any_training(kind, preset, game, games):
    learner = fresh(kind, preset, game, seed=9)
    learner.train(rounds_for(kind, games))
    assert_agrees(learner.space, learner.policy(), seed=3)


def test_random_against_random_to_six_decimals():
    seen = scoreboard(space_of(TICTACTOE), uniform_policy(space_of(TICTACTOE)))["first"].against["random"]
    assert [round(chance, 6) for chance in (seen.win, seen.draw, seen.loss)] == [0.584921, 0.126984, 0.288095]


@pytest.mark.parametrize("game", QUICK_GAMES, ids=lambda game: game.name)
def test_perfect_play_never_loses_a_side_that_is_not_lost(game: Game):
    space = space_of(game)
    value = int(values(space)[0])
    for side, sign in ((Side.FIRST, 1), (Side.SECOND, -1)):
        worst = best_response(space, side, perfect_policy(space))
        assert worst.loss == (0.0 if value * sign >= 0 else 1.0)


def test_an_evolved_champion_never_loses_to_its_best_responder():
    learner = Genetic(TICTACTOE, "swift", 3, {**SMALLER["genetic"], "population": 200, "until": "perfect"})
    while not learner.perfect:
        learner.train(10)
    exact = scoreboard(learner.space, learner.policy())
    for results in exact.values():
        assert {results.against[name].loss for name in OPPONENTS} == {0.0}
        assert results.losing_pairs == 0
        assert results.perfect_moves < 1  # bred not to lose, it misses many wins


def test_a_sample_counts_resignations_as_losses():
    space = space_of(TICTACTOE)
    gives_up = np.zeros(len(space.move))
    assert sampled(space, gives_up, uniform_policy(space), 100, 1)[Outcome.SECOND_WINS] == 100
