"""A learner taken back to a checkpoint is as it was then, and trains on as it did then."""

from dataclasses import replace

import numpy as np
import pytest

from engine.game import BadText
from engine.games import parse_game
from learners import revive
from learners.core.learner import Learner
from learners.core.snapshot import CHECKPOINTS, Snapshot, checkpoint_of
from learners.core.training import TrainingPlan, run
from learners.failures.learner import Failures
from learners.genetic.learner import Genetic
from learners.menace.learner import Menace
from learners.players.plain import PerfectPlayer, RandomPlayer
from learners.rewind import moments, rewind_to
from noughts.testing.learners import assert_same
from tests.learners.cases import every_case, fresh, rounds_for
from tests.saves.brains import train

TICTACTOE, HEXAPAWN = parse_game("tictactoe"), parse_game("hexapawn")


def at(snapshot: Snapshot, rounds: int) -> Learner:
    return revive(rewind_to(snapshot, rounds))


@pytest.mark.sample(13)
@every_case
def test_a_learner_trained_again_from_any_checkpoint_becomes_the_same(kind, preset, game):
    whole = train(fresh(kind, preset, game), rounds_for(kind, 250))
    known = moments(whole)
    counted = whole.stats[revive(whole).spec.round_statistic]
    assert known[0] == 0
    assert known[-1] == counted
    assert set(known[1:-1]) == {rounds for rounds in CHECKPOINTS if rounds < counted}
    for rounds in (known[0], known[1], known[len(known) // 2], known[-2]):
        learner = at(whole, rounds)
        assert learner.rounds == rounds
        again = train(learner, counted - rounds)
        assert_same(replace(again, last_game=()), replace(whole, last_game=()))


@pytest.mark.parametrize("rounds", [3, 99, 101, -1, 10**9])
def test_an_unknown_moment_is_refused_with_a_list_of_checkpoints(rounds):
    whole = train(Failures(HEXAPAWN, "literal", 1), 100)
    with pytest.raises(BadText, match=r"there are checkpoints after 0, 1, 2, 5, 10, 20, 50, 100$"):
        rewind_to(whole, rounds)


def test_a_checkpoint_without_its_generator_plays_but_is_not_trained_further():
    whole = train(Menace(HEXAPAWN, "her", 1), 20)
    old = replace(whole, checkpoints={10: checkpoint_of(whole.checkpoints[10].memory, opponent="perfect")})
    assert moments(old) == (0, 10, 20)
    learner = at(old, 10)
    assert np.array_equal(learner.policy(), at(whole, 10).policy())
    with pytest.raises(BadText, match="its random generator is unknown at this checkpoint"):
        train(learner, 1)
    assert (learner.rounds, learner.snapshot().generator) == (10, ())


def test_the_history_alone_determines_the_moments_of_a_failure_database():
    whole = train(Failures(TICTACTOE, "literal", 1), 1000)
    old = replace(whole, checkpoints={})
    assert moments(old) == moments(whole)
    assert np.array_equal(rewind_to(old, 200).memory, rewind_to(whole, 200).memory)


def test_breeding_a_population_again_can_be_stopped():
    whole = train(Genetic(TICTACTOE, "hochmuth-points", 1, {"population": 20}), 60)
    learner = at(whole, 50)
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 2

    *_, last = run(learner, TrainingPlan(10), stop)
    assert (last.done, last.snapshot.stats["generation"], len(learner.population)) == (0, 50, 0)
    assert_same(train(learner, 10), whole)


def test_a_learner_that_knew_something_before_training_is_rewound_to_that():
    taught = train(Failures(TICTACTOE, "literal", 1), 50)
    stats = {**dict.fromkeys(taught.stats, 0), "entries": taught.stats["entries"]}
    learner = revive(replace(taught, stats=stats, history=(), checkpoints={}))
    whole = train(learner, 100)
    assert moments(whole) == (0, 1, 2, 5, 10, 20, 50, 100)
    assert np.array_equal(rewind_to(whole, 0).memory, taught.memory)
    assert_same(train(at(whole, 0), 100), whole)


def test_snapshots_are_equal_if_all_their_numbers_are():
    one, again = (train(Menace(TICTACTOE, "steady", 1), 10) for _ in range(2))
    assert one.memory is not again.memory
    assert one == again
    for field in ("memory", "times"):
        numbers = getattr(one, field).copy()
        numbers[0] += 1
        assert one != replace(again, **{field: numbers})
        checkpoint = checkpoint_of(**{"memory": one.memory, "times": one.times, field: numbers})
        assert one != replace(again, checkpoints={**again.checkpoints, 5: checkpoint})
    assert one != replace(again, times=None)
    assert one != replace(again, seed=2)
    assert one != "a snapshot"


def test_a_rewound_learner_has_its_opponent_of_that_moment():
    learner = Menace(TICTACTOE, "michie", 3)
    for opponent, rounds in ((RandomPlayer(TICTACTOE), 5), (PerfectPlayer(TICTACTOE), 15)):
        learner.set_opponent(opponent)
        whole = train(learner, rounds)
    assert [rewind_to(whole, rounds).opponent for rounds in (0, 1, 5, 10, 20)] == ["random"] * 3 + ["perfect"] * 2
