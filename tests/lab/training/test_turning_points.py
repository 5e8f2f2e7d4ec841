"""The turning points of a training: each is checked by training again, one round at a time."""

import pytest

from engine.game import Side
from engine.games import parse_game
from lab.results.exact_results import TimelinePoint, exact_of, point_at
from lab.training.turning_points import (
    Condition,
    TurningPoint,
    find_turning_points,
    lasting_changes,
    merge_by_round,
    opening_probability,
    openings,
    sentence_with_rounds,
)
from learners import parse_learner
from learners.rewind import moments
from tests.saves.brains import train

TICTACTOE = parse_game("tictactoe")
CASES = [
    ("failures", "literal", {}, 3000),
    ("menace", "michie", {}, 300),
    ("menace", "scroggs", {"empty": "refill"}, 1000),
    ("menace", "blog-fixed", {}, 100),
]


def trained(kind, preset, settings, games, game=TICTACTOE):
    learner = parse_learner(kind)(game, preset, 3, settings)
    train(learner, games)
    return learner


def points_of(learner):
    snapshot = learner.snapshot()
    return find_turning_points(snapshot, [point_at(snapshot, rounds) for rounds in moments(snapshot)])


@pytest.mark.long
@pytest.mark.parametrize(("kind", "preset", "settings", "games"), CASES)
def test_each_change_holds_after_its_round_and_not_before_it(kind, preset, settings, games):
    found = points_of(trained(kind, preset, settings, games))
    assert found
    again = parse_learner(kind)(TICTACTOE, preset, 3, settings)
    for point in found:
        again.train(point.rounds - 1 - again.rounds) if again.rounds < point.rounds - 1 else None
        if again.rounds == point.rounds - 1:
            assert not point.condition.holds(TimelinePoint(again.rounds, again, exact_of(again)))
            again.train(1)
        moment = TimelinePoint(again.rounds, again, exact_of(again))
        assert again.rounds == point.rounds
        assert point.condition.holds(moment)
        assert point.sentence == point.condition.describe(moment)


@pytest.mark.long
def test_turning_points_ascend_and_read_as_lines_of_a_list():
    found = points_of(trained(*CASES[0]))
    assert [point.rounds for point in found] == sorted(point.rounds for point in found)
    line = sentence_with_rounds(found[0], "game")
    assert line.startswith(f"Game {found[0].rounds:,}: gives up ")


def test_a_stopped_search_returns_what_it_has_found():
    learner = trained(*CASES[0])
    snapshot = learner.snapshot()
    assert find_turning_points(snapshot, [point_at(snapshot, rounds) for rounds in (0, 3000)], lambda: True) == []


def test_symmetric_openings_belong_together():
    learner = parse_learner("failures")(TICTACTOE, "literal", 1)
    names = [sorted(TICTACTOE.move_name(move) for move in moves) for moves in openings(TICTACTOE)]
    assert sorted(names) == [["a1", "a3", "c1", "c3"], ["a2", "b1", "b3", "c2"], ["b2"]]
    assert [opening_probability(learner, moves) for moves in openings(TICTACTOE)] == pytest.approx(
        [4 / 9, 4 / 9, 1 / 9]
    )
    assert learner.sides == (Side.FIRST, Side.SECOND)


@pytest.mark.parametrize(
    ("states", "ended", "told", "forever"),
    [
        ("nny yyy", True, [3], [3]),
        ("nyn nny", True, [6], [6]),
        ("nyn nny", False, [], []),
        ("nyn yyn", True, [4], []),
        ("nyy nyy", True, [2, 5], [5]),
    ],
)
def test_a_change_is_told_once_it_holds(states, ended, told, forever):
    """`states` has a letter for each point, 1 to 6: whether the condition holds there."""
    holds = dict(enumerate(states.replace(" ", ""), 1))
    learner = parse_learner("failures")(TICTACTOE, "literal", 1)
    points = [TimelinePoint(rounds, learner, {}) for rounds in holds]

    def is_so(point):
        return holds[point.rounds] == "y"

    for stays, those in ((None, told), (is_so, forever)):
        condition = Condition(is_so, str, stays=stays)
        found = [TurningPoint(at, "", condition) for at in holds if holds[at] == "y" and holds.get(at - 1) == "n"]
        assert [each.rounds for each in lasting_changes(found, points, ended=ended)] == those


@pytest.mark.parametrize("seed", [2, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 3, 4))])
def test_a_learner_is_said_to_lose_no_longer_only_if_it_never_does_again(seed):
    learner = parse_learner("genetic")(TICTACTOE, "swift", seed)
    train(learner, 40)
    snapshot = learner.snapshot()
    points = [point_at(snapshot, rounds) for rounds in moments(snapshot)]
    told = [
        each for each in lasting_changes(find_turning_points(snapshot, points), points) if each.condition.ends_losses
    ]
    assert len({each.sentence for each in told}) == len(told)
    for change in told:
        assert all(change.condition.holds(point) for point in points if point.rounds >= change.rounds)


def ended(side, opponent):
    mark = TICTACTOE.mark(side)
    return Condition(
        lambda _: True, lambda _: f"Ends losses to {opponent} as {mark}.", rarer=(side, opponent), ends_losses=True
    )


def test_all_that_changes_in_one_round_is_told_in_one_sentence():
    first = [ended(Side.FIRST, each) for each in ("random", "perfect", "best_responder")]
    second = [ended(Side.SECOND, each) for each in ("random", "perfect")]
    rare = [
        Condition(lambda _: True, lambda _, text=text: text, rarer=(Side.SECOND, "best_responder"))
        for text in ("Half.", "Few.")
    ]
    found = [TurningPoint(7, each.describe(None), each) for each in (*first, *second, *rare)]
    alone = TurningPoint(9, "Alone.", first[0])
    assert [(each.rounds, each.sentence) for each in merge_by_round([*found, alone], TICTACTOE)] == [
        (7, "No longer loses to anybody as X; no longer loses to random play or perfect play as O; few."),
        (9, "Alone."),
    ]
