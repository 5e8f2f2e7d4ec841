"""The pace that takes the same time for every size of training."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games import parse_game
from lab.jobs import JobState
from lab.training.training_job import SECONDS, TICK, TrainingStatus, next_burst, seconds_left
from learners import parse_learner


def bursts(total: int) -> list[tuple[int, float]]:
    """All bursts of a training, in order."""
    found, done = [], 0
    while done < total:
        found.append(next_burst(done, total))
        done += found[-1][0]
    return found


@pytest.mark.parametrize("total", [1, 2, 3, 10, 500, 100_000, 10_000_000, 10**12])
def test_every_training_takes_the_same_time(total: int):
    found = bursts(total)
    assert sum(rounds for rounds, _ in found) == total
    assert sum(seconds for _, seconds in found) == pytest.approx(SECONDS)


def test_the_first_games_come_one_by_one_and_the_last_in_great_numbers():
    rounds = [count for count, _ in bursts(1_000_000)]
    assert rounds[:10] == [1] * 10
    assert rounds[-2] > 10_000
    assert all(before <= after for before, after in pairwise(rounds[:-1]))


@given(st.integers(1, 10**12).flatmap(lambda total: st.tuples(st.integers(0, total - 1), st.just(total))))
def test_a_burst_ends_within_the_training_and_is_short_unless_it_is_one_round(case: tuple[int, int]):
    done, total = case
    rounds, seconds = next_burst(done, total)
    assert 1 <= rounds <= total - done
    assert seconds > 0
    assert rounds == 1 or seconds <= TICK * 1.001


@pytest.mark.parametrize(("done", "total"), [(3, 3), (4, 3), (-1, 3)])
def test_no_burst_without_rounds_that_are_left(done: int, total: int):
    with pytest.raises(ValueError, match="none are left"):
        next_burst(done, total)


@given(st.integers(1, 10**12).flatmap(lambda total: st.tuples(st.integers(0, total - 1), st.just(total))))
def test_the_seconds_left_fall_by_those_of_each_burst(case: tuple[int, int]):
    done, total = case
    rounds, seconds = next_burst(done, total)
    assert seconds_left(done, total) - seconds_left(done + rounds, total) == pytest.approx(seconds)
    assert (seconds_left(0, total), seconds_left(total, total)) == (SECONDS, 0.0)


def test_the_share_of_a_training_goes_by_time_where_the_pace_determines_it():
    snapshot = parse_learner("failures")(parse_game("tictactoe"), "literal", 1).snapshot()
    view = TrainingStatus(JobState.RUNNING, 999, 1_000_000 - 1, 0.0, snapshot, {})
    assert view.share == pytest.approx(0.001, rel=0.01)
    assert replace(view, seconds_left=seconds_left(view.done, view.total)).share == pytest.approx(0.5)
    assert replace(view, perfect=True).share == 1
