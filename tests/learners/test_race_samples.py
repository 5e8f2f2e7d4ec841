"""How the machines of a race are judged by samples, compared with exact results."""

import numpy as np
import pytest

from engine.evaluate import chances_as, uniform_policy
from engine.game import Side
from engine.games import parse_game
from engine.spaces import space_of
from engine.stop import Stopped
from learners.race import measures
from learners.race.entrants import parse_entrant
from learners.race.measures import (
    EXACT,
    KNOWN_MEASURES,
    LOSS_MEASURES,
    PLAYED_MEASURE,
    PLAYED_MOVES,
    SAMPLED_GAMES,
    SAMPLED_MEASURES,
    WIN_MEASURES,
    judging_of,
    parse_measure,
)
from learners.race.race import race
from learners.race.sampling import OPENING_PLIES

CONNECT_FOUR, BOARD = parse_game("connectfour"), parse_game("mnk:4,3,3")


@pytest.fixture(autouse=True)
def counts_of_the_usual_games() -> None:
    """Keep them for later tests before one plays fewer games."""
    judging_of(CONNECT_FOUR)


def test_only_games_that_are_too_large_are_sampled():
    assert judging_of(BOARD) is EXACT
    sampled = judging_of(CONNECT_FOUR)
    assert sampled.measures == SAMPLED_MEASURES
    assert judging_of(parse_game("mnk:5,5,4")).measures == (*LOSS_MEASURES, *WIN_MEASURES)
    assert sampled.trials[KNOWN_MEASURES[0]] == (137, 164)
    assert sampled.trials[KNOWN_MEASURES[1]] == (288, 312)
    assert sampled.trials[PLAYED_MEASURE] == (PLAYED_MOVES, PLAYED_MOVES)


@pytest.mark.long
def test_sampled_results_of_a_race_agree_with_exact_ones():
    space, entrant = space_of(BOARD), parse_entrant("ntuple:small", BOARD)
    *_, standings = race([entrant], range(2), 500, judging=measures._sampled_judging(BOARD))
    measure = parse_measure("loss-random", standings.judging.measures)
    opening = space.ply[space.source] < OPENING_PLIES  # no game of three in a row is over after four moves
    random = uniform_policy(space)
    for seed, judged in enumerate(standings.judged[0][:, -1]):
        machine = entrant.machine(seed)
        machine.train(500)
        policy = np.where(opening, random, machine.policy())
        for side in Side:
            exact = chances_as(space, side, policy, random).loss
            error = float(standings.judging.error(measure, side, np.array(exact)))
            assert error == pytest.approx((exact * (1 - exact) / SAMPLED_GAMES) ** 0.5)
            assert abs(judged[side, measure.column] - exact) <= 4 * error


def test_the_share_along_the_games_counts_the_moves_that_keep_the_value(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(measures, "SAMPLED_GAMES", 12)  # enough for the moves that are counted
    judging = judging_of(CONNECT_FOUR)
    random, ahead = (
        judging.judge(machine, machine.policy, lambda: False)[:, PLAYED_MEASURE.column]
        for machine in (parse_entrant(text, CONNECT_FOUR).machine(1) for text in ("random", "alphabeta:2"))
    )
    assert (random < ahead).all()
    assert (PLAYED_MOVES * ahead == np.round(PLAYED_MOVES * ahead)).all()


def test_the_error_of_a_mean_is_smaller_and_exact_results_have_none():
    judging, share = judging_of(CONNECT_FOUR), np.array([0.5, np.nan])
    one, both = (judging.error(LOSS_MEASURES[0], side, share) for side in (Side.FIRST, None))
    assert one[0] == pytest.approx(0.1)
    assert both[0] == pytest.approx(0.1 / 2**0.5)
    assert np.isnan(both[1])
    assert EXACT.error(EXACT.measures[0], None, np.array([0.5])).tolist() == [0]


@pytest.mark.long
def test_a_machine_gets_the_same_results_beside_others(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(measures, "SAMPLED_GAMES", 12)
    entrants = [parse_entrant(text, CONNECT_FOUR) for text in ("ntuple:small", "ntuple:small+rate=0.1")]
    *_, together = race(entrants, range(2), 2, judging=judging_of(CONNECT_FOUR))
    *_, alone = race(entrants[:1], range(1, 2), 2, threads=1, judging=judging_of(CONNECT_FOUR))
    assert together.finished
    np.testing.assert_array_equal(together.judged[0][1], alone.judged[0][0])
    assert not np.isnan(alone.judged[0][..., : PLAYED_MEASURE.column]).any()


@pytest.mark.long
def test_a_player_takes_part_as_it_is_and_is_judged_once_for_all_marks(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(measures, "SAMPLED_GAMES", 12)
    asked, judge = [], measures._judge

    def judge_and_note(machine, *values):
        asked.append(machine.label)
        return judge(machine, *values)

    monkeypatch.setattr(measures, "_judge", judge_and_note)
    entrants = [parse_entrant(text, CONNECT_FOUR) for text in ("alphabeta:1", "ntuple:small")]
    *_, standings = race(entrants, range(2), 5, threads=1, judging=measures._sampled_judging.__wrapped__(CONNECT_FOUR))
    assert standings.finished
    fixed = standings.judged[0]
    np.testing.assert_array_equal(fixed, np.broadcast_to(fixed[0, 0], fixed.shape))
    assert not np.isnan(fixed[..., : PLAYED_MEASURE.column]).any()
    assert asked.count("alphabeta:1") == 1
    assert [entrant.text for entrant in entrants] == ["alphabeta:1", "ntuple:small"]


def test_a_player_that_thinks_for_long_can_be_stopped():
    machine = parse_entrant("alphabeta:9", CONNECT_FOUR).machine(1)
    calls = iter(range(3))
    with pytest.raises(Stopped):
        judging_of(CONNECT_FOUR).judge(machine, machine.policy, lambda: next(calls, None) is None)
