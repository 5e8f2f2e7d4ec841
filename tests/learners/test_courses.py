"""Courses: each is followed by an independent machine; the bounds are compared with those of all short courses."""

from random import Random
from statistics import fmean, stdev

import pytest

from engine.evaluate import best_response
from engine.game import BadText, Side
from engine.games import parse_game
from engine.stop import Stopped, never
from learners import parse_learner
from learners.courses.course import SEED, Course, play_course, shipped_courses
from learners.courses.finding import CannotTeach, decisions_as, find_course
from learners.courses.honest import HonestTeacher
from learners.menace.learner import Menace
from learners.papers.courses import findings_of
from tests.oracles.courses import FollowingMenace, FollowingReasoner, fewest_games, verify

TAUGHT = (
    ("failures", "literal", "hexapawn", Side.SECOND),
    ("failures", "riechel-2007", "hexapawn", Side.SECOND),
    ("failures", "literal", "tictactoe", Side.FIRST),
    ("failures", "riechel-2007", "tictactoe", Side.SECOND),
    ("menace", "steady", "hexapawn", Side.SECOND),
    ("menace", "michie", "tictactoe", Side.FIRST),
    ("menace", "her", "hexapawn", Side.SECOND),
    ("menace", "steady", "tictactoe", Side.FIRST),
)


def found(learner: str, preset: str, game: str, *sides: Side, seconds: float = 30) -> Course:
    return find_course(parse_learner(learner), parse_game(game), preset, {}, sides, seconds=seconds)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("learner", "preset", "game", "side"), TAUGHT)
def test_an_independent_machine_follows_the_course_and_never_loses(learner, preset, game, side):
    course, rules = found(learner, preset, game, side), parse_game(game)
    follower = {"failures": FollowingReasoner, "menace": FollowingMenace}[learner]
    games = [[rules.move_name(move) for move in moves] for moves in course.games[side]]
    verify(follower(game, rules.mark(side), preset), games)
    assert 0 < course.bound <= course.length == len(games)
    with pytest.raises(AssertionError):  # the check can fail: after fewer games than the bound the machine still loses
        verify(follower(game, rules.mark(side), preset), games[: course.bound - 1])


@pytest.mark.sample(5)
@pytest.mark.parametrize("preset", ["literal", "riechel-2007"])
@pytest.mark.parametrize("game", ["nim:1,2", "nim:2,2", "nim:1,1,2", "nim:1,1,1,1", "nim:1,3+misere"])
def test_no_course_of_a_tiny_game_is_shorter_than_its_bound(game, preset):
    rules = parse_game(game)
    course = found("failures", preset, game)
    (side,) = course.games
    fewest = fewest_games(game, rules.mark(side), preset)
    assert course.bound <= fewest <= course.length


def test_her_needs_nine_games():
    course = found("menace", "her", "hexapawn")
    assert (course.length, course.bound, course.strikes, course.least_strikes) == (9, 9, 9, 9)
    printed = findings_of(next(each for each in shipped_courses() if each.preset == "her"), 0, lambda _: None, never)
    assert [each.measured for each in printed] == [(9,), (9,)]


@pytest.mark.parametrize(("game", "expected"), [("nim:2+misere", 2), ("nim:1,2", 3.5), ("nim:1,3+misere", 29 / 6)])
def test_the_mean_with_honest_luck_is_that_of_simulated_games(game, expected):
    settings = {"beads": "1", "teaches": "last", "empty": "resign", "least": 0, "win": 0, "draw": 0}
    teacher = HonestTeacher(decisions_as(Menace(parse_game(game), "michie", SEED, settings), Side.FIRST))
    assert teacher.expected_games() == pytest.approx(expected)
    lengths = [len([*teacher.draw_games(Random(seed))]) for seed in range(200)]
    assert abs(fmean(lengths) - expected) < 4 * stdev(lengths) / len(lengths) ** 0.5


def test_the_reasoner_as_x_needs_2984_games():
    course = found("failures", "literal", "tictactoe", Side.FIRST, seconds=100)
    assert (course.length, course.bound, course.strikes, course.least_strikes) == (2984, 2984, 3084, 3084)


@pytest.mark.sample(2)
@pytest.mark.parametrize("learner", ["td", "q", "failures", "menace:steady"])
@pytest.mark.parametrize("game", ["hexapawn", "nim:1,2,2", "notakto", "mnk:3,2,2"])
def test_whoever_followed_a_course_never_loses(learner, game):
    name, _, preset = learner.partition(":")
    kind = parse_learner(name)
    preset = preset or next(iter(kind.spec.presets))
    course = found(name, preset, game)
    pupil = kind(parse_game(game), preset, SEED)
    played = list(play_course(pupil, course))
    assert len(played) == course.length
    assert all(best_response(pupil.space, side, pupil.policy()).loss == 0 for side in course.games)


@pytest.mark.parametrize(
    ("learner", "preset", "game", "sides", "why"),
    [
        ("genetic", "hochmuth", "tictactoe", (), "from many games at once"),
        ("menace", "her", "hexapawn", (Side.FIRST,), "does not play W"),
        ("failures", "literal", "hexapawn", (Side.FIRST,), "W loses against best play"),
    ],
)
def test_what_no_course_teaches_is_refused(learner, preset, game, sides, why):
    with pytest.raises(CannotTeach, match=why):
        found(learner, preset, game, *sides)


@pytest.mark.long
def test_a_machine_that_learns_from_both_sides_may_have_no_course_for_both(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("learners.courses.finding.MAX_DRAWN_COURSES", 0)
    with pytest.raises(CannotTeach, match="not both together"):
        found("q", "exact", "tictactoe")


def test_a_course_for_another_machine_is_refused():
    literal = found("failures", "literal", "hexapawn")
    pupil = parse_learner("menace")(parse_game("hexapawn"), "her", SEED)
    with pytest.raises(BadText, match=r"^game \d+ of the course: MENACE"):
        list(play_course(pupil, literal))


@pytest.mark.parametrize("learner", ["td:exact", "failures:literal", "menace:steady"])
@pytest.mark.parametrize("asked", [1, 8, 30])
def test_a_search_stops_when_told(learner, asked):
    """In whatever part of the search it is asked."""
    name, _, preset = learner.partition(":")
    times = iter(range(1, asked))
    with pytest.raises(Stopped):
        find_course(parse_learner(name), parse_game("tictactoe"), preset, {}, stop=lambda: next(times, None) is None)


def test_without_the_solver_a_course_of_one_side_is_the_one_that_comes_with_the_program(monkeypatch):
    monkeypatch.setattr("learners.courses.finding.has_solver", lambda: False)
    assert found("failures", "literal", "tictactoe", Side.FIRST) in shipped_courses().values()
    assert found("menace", "her", "hexapawn") in shipped_courses().values()
    assert found("failures", "literal", "hexapawn") not in shipped_courses().values()
