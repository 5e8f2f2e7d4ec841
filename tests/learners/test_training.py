"""Training by plan: in slices short enough to stop, reported by time, with a history at fixed numbers of games."""

from itertools import pairwise
from time import perf_counter, thread_time

import numpy as np
import pytest

from engine.game import Game, Outcome
from engine.games import GAMES
from engine.match import Record
from learners import LEARNERS
from learners.core.learner import Learner
from learners.core.snapshot import MARKS
from learners.core.training import MAX_ROUNDS, Progress, TrainingPlan, run
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from learners.q import QLearner
from tests.learners import cases
from tests.sizes import QUICK_GAMES

CASES = [
    pytest.param(kind, game, id=f"{kind.spec.name}-{game.name}")
    for kind in LEARNERS
    for game in QUICK_GAMES
    if kind.spec.fits(game)
]
every_case = pytest.mark.parametrize(("kind", "game"), CASES)

PROMPT = 0.5
"""Ten times the intended time of a slice, in seconds, for a busy machine."""


def fresh(kind: type[Learner], game: Game) -> Learner:
    return cases.fresh(kind.spec.name, next(iter(kind.spec.presets)), game)


class Counter(Failures):
    """Learns nothing, takes no time, and records the length of every slice."""

    def __init__(self) -> None:
        super().__init__(GAMES[0], "literal", 1)
        self.slices: list[int] = []

    def train(self, games: int) -> None:
        self.slices.append(games)
        self.tally[0] += games


@pytest.mark.sample(11)
@every_case
@pytest.mark.parametrize("games", [1, 2, 99, 12_345])
def test_a_plan_trains_exactly_its_rounds(kind: type[Learner], game: Game, games: int):
    learner, at_once, rounds = fresh(kind, game), fresh(kind, game), cases.rounds_for(kind.spec.name, games)
    *_, last = run(learner, TrainingPlan(rounds))
    at_once.train(rounds)
    assert (last.done, last.total, last.finished, last.perfect) == (rounds, rounds, True, False)
    assert learner.stats() == at_once.stats() == last.snapshot.stats
    assert np.array_equal(learner.memory, at_once.memory)
    assert np.array_equal(learner.generator, at_once.generator)
    assert last.seconds > 0
    assert last.per_second == pytest.approx(rounds / last.seconds)


@every_case
def test_stopping_is_prompt_and_keeps_what_was_learned(kind: type[Learner], game: Game):
    learner = fresh(kind, game)
    learner.train(1)
    looks: list[float] = []

    def stop() -> bool:
        looks.append(thread_time())  # a busy machine is no reason to fail
        return len(looks) > 40

    *_, last = run(learner, TrainingPlan(MAX_ROUNDS), stop)
    assert not last.finished
    assert 0 < last.done < MAX_ROUNDS
    assert learner.stats() == last.snapshot.stats
    assert last.snapshot.stats[kind.spec.round_statistic] == last.done + 1
    assert max(later - earlier for earlier, later in pairwise(looks)) < PROMPT
    learner.train(10)
    assert last.snapshot.stats[kind.spec.round_statistic] == last.done + 1


class Solver(Counter):
    """Becomes perfect by its 40th game."""

    @property
    def perfect(self) -> bool:
        return self.rounds >= 40


def test_a_learner_that_is_already_perfect_trains_the_whole_plan():
    learner = Solver()
    learner.train(100)
    *_, last = run(learner, TrainingPlan(200))
    assert (last.done, last.perfect, last.finished) == (200, False, True)
    assert learner.rounds == 300


def test_history_has_every_mark():
    learner = Counter()
    *_, last = run(learner, TrainingPlan(1_000_000))
    marks = [stats["games"] for stats in learner.history.statistics]
    assert marks == [mark for mark in MARKS if mark <= 1_000_000]
    assert {step * 10**power for step in (1, 2, 5) for power in range(6)} <= set(marks)
    assert tuple(last.snapshot.history) == learner.history.statistics


def test_progress_is_reported_at_intervals_of_time():
    learner = Failures(GAMES[0], "literal", 1)
    begun = perf_counter()
    reported = list(run(learner, TrainingPlan(3_000_000, interval=0.05)))
    took = perf_counter() - begun
    assert 1 <= len(reported) <= took / 0.05 + 1
    assert [progress.done for progress in reported] == sorted({progress.done for progress in reported})
    assert all(not progress.finished for progress in reported[:-1])


def test_progress_holds_a_snapshot_of_its_moment():
    learner = Failures(GAMES[2], "literal", 1)
    reported: list[Progress] = list(run(learner, TrainingPlan(200_000, interval=0.0)))
    assert len(reported) > 10
    assert [progress.snapshot.stats["games"] for progress in reported] == [progress.done for progress in reported]
    for progress in reported:
        again = Failures(GAMES[2], "literal", 1)
        again.train(progress.done)
        assert np.array_equal(again.memory, progress.snapshot.memory)


@pytest.mark.parametrize("kind", [Failures, Menace, QLearner])
def test_the_tables_of_the_kernel_are_made_once_for_a_training(kind, monkeypatch):
    learner = fresh(kind, GAMES[0])
    made = []
    original = kind.make_tables
    monkeypatch.setattr(kind, "make_tables", lambda self: made.append(self) or original(self))
    slices, train = [], kind.train
    monkeypatch.setattr(kind, "train", lambda self, rounds: slices.append(rounds) or train(self, rounds))
    for _ in range(2):
        list(run(learner, TrainingPlan(1_000)))
    assert len(slices) > 6  # a slice ends at each history mark, at any speed
    assert made == [learner]


@pytest.mark.parametrize("kind", [Menace, QLearner])
def test_the_tables_are_copied_to_the_memory_only_when_it_is_read(kind, monkeypatch):
    learner = fresh(kind, GAMES[0])
    copied = []
    original = kind.copy_back
    monkeypatch.setattr(kind, "copy_back", lambda self, *numbers: copied.append(self) or original(self, *numbers))
    for _ in range(3):
        learner.train(100)
        assert learner.stats()["games"] == learner.rounds
    assert not copied
    assert learner.times.sum() > 0
    assert learner.memory.any()
    assert len(copied) == 1


@pytest.mark.parametrize("kind", [Failures, Menace, QLearner])
def test_a_training_after_a_record_continues_from_what_was_learned(kind):
    """The tables of the earlier training are made again from the memory."""
    once, again = fresh(kind, GAMES[0]), fresh(kind, GAMES[0])
    record = Record(GAMES[0], ("a", "b"), (0, 1, 4, 2, 8), Outcome.FIRST_WINS)
    for learner in (once, again):
        learner.train(500)
        learner.learn_record(record)
    again.restore(again.snapshot())
    for learner in (once, again):
        learner.train(500)
    assert np.array_equal(once.memory, again.memory)
