"""The compiled judge against the exact evaluator, number by number."""

import numpy as np
import pytest

from engine.evaluate import OPPONENTS, SAME, Policy, perfect_policy, scoreboard, uniform_policy
from engine.game import Side
from engine.space import Space
from engine.spaces import space_of
from learners.race.measures import JUDGED, MEASURES, Floats, judge_policy, measure_shares, parse_measure
from tests.sizes import QUICK_GAMES, quick_game


def judged_slowly(space: Space, policy: Policy) -> Floats:
    """What `judge_policy` should return, by the evaluator."""
    rows = []
    for seen in scoreboard(space, policy).values():
        chances = [seen.against[opponent] for opponent in OPPONENTS]
        shares = [share for each in chances for share in (each.win, each.draw, each.loss)]
        rows.append([*shares, seen.decisions, seen.perfect_moves, seen.losing_pairs, seen.exploitability])
    return np.array(rows)


def invented(space: Space, seed: int, *, resigns: bool) -> Policy:
    """A policy that never plays many moves. It resigns where it plays none; with `resigns`, sometimes elsewhere too."""
    random = np.random.default_rng(seed)
    weight = random.random(len(space.move)) * (random.random(len(space.move)) < 0.4)
    total = np.bincount(space.source, weight, len(space.position))[space.source]
    policy = np.divide(weight, total, out=np.zeros(len(weight)), where=total > 0)
    return policy * random.choice((0.0, 0.5, 1.0), len(policy)) if resigns else policy


def assert_judged(space: Space, policy: Policy) -> None:
    np.testing.assert_allclose(judge_policy(space, policy), judged_slowly(space, policy), rtol=0, atol=1e-12)


@quick_game
def test_any_policy_is_judged_as_by_the_evaluator(game):
    space = space_of(game)
    invented_ones = [invented(space, seed, resigns=seed % 2 == 1) for seed in range(6)]
    for policy in (uniform_policy(space), perfect_policy(space), np.zeros(len(space.move)), *invented_ones):
        assert_judged(space, policy)


@quick_game
def test_a_rounding_error_is_no_chance_and_certain_results_are_exact(game):
    space = space_of(game)
    nearly = perfect_policy(space) * (1 - SAME / 100)
    judged = judge_policy(space, nearly)
    assert set(judged[:, JUDGED.index(("perfect", "loss"))]) <= {0.0, 1.0}
    assert set(judged[:, JUDGED.index(("moves", "perfect"))]) == {1.0}
    assert_judged(space, nearly)


def test_a_measure_is_that_of_a_side_or_the_mean_of_the_sides_played():
    space = space_of(QUICK_GAMES[0])
    judged = np.array([[judge_policy(space, uniform_policy(space)), judge_policy(space, perfect_policy(space))]])
    loss = parse_measure("loss-random")
    seen = [scoreboard(space, policy) for policy in (uniform_policy(space), perfect_policy(space))]
    as_first, as_second = ([each[side].against["random"].loss for each in seen] for side in ("first", "second"))
    both = [(first + second) / 2 for first, second in zip(as_first, as_second, strict=True)]
    for side, plays, expected in (
        (Side.FIRST, tuple(Side), as_first),
        (Side.SECOND, tuple(Side), as_second),
        (None, tuple(Side), both),
        (None, (Side.FIRST,), as_first),
    ):
        np.testing.assert_allclose(measure_shares(judged, loss, side, plays), [expected], atol=1e-12)
    assert np.isnan(measure_shares(judged, loss, Side.SECOND, (Side.FIRST,))).all()


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_a_measure_is_what_its_name_says(measure):
    space = space_of(QUICK_GAMES[0])
    seen = scoreboard(space, uniform_policy(space))["first"]
    what, _, opponent = measure.name.partition("-")
    against = seen.against.get({"best": "best_responder"}.get(opponent, opponent))
    expected = getattr(seen, measure.name.replace("-", "_")) if against is None else getattr(against, what)
    share = measure_shares(judge_policy(space, uniform_policy(space)), measure, Side.FIRST, tuple(Side))
    assert share == pytest.approx(expected, abs=1e-12)
