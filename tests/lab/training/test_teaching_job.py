"""A training by a teacher: the course is found, played on the machine, and told game by game."""

import pytest

from engine.evaluate import best_response
from engine.game import Side
from engine.games import parse_game
from lab.jobs import JobState
from lab.training.teaching_job import TeachingJob
from lab.training.training_job import FULL_SPEED
from learners import parse_learner, revive
from tests.waiting import wait_until

HEXAPAWN = parse_game("hexapawn")


def taught(kind: str, preset: str, game=HEXAPAWN) -> TeachingJob:
    job = TeachingJob(parse_learner(kind)(game, preset, 3), "taught", FULL_SPEED, lambda _snapshot: None)
    job.start()
    wait_until(lambda: not job.running)
    return job


@pytest.mark.parametrize(("kind", "preset"), [("menace", "her"), ("failures", "literal"), ("q", "exact")])
def test_after_its_course_nobody_beats_the_machine(kind, preset):
    job = taught(kind, preset)
    assert (job.view.state, job.view.error) == (JobState.FINISHED, "")
    learner = revive(job.view.snapshot)
    assert best_response(learner.space, Side.SECOND, learner.policy()).loss == 0
    losses = [exact["second"].against["best_responder"].loss for exact in job.known.values()]
    assert [*job.known] == [*range(job.view.total + 1)]
    assert losses[-1] == 0 < losses[-2]
    assert max(job.alone) == 10 * job.view.total
    if kind != "q":  # which sometimes learns as much from so many games by itself
        assert list(job.alone.values())[-1]["second"].against["best_responder"].loss > 0


def test_a_course_is_told_as_a_list_with_what_is_learned_and_left():
    job = taught("menace", "her")
    assert job.view.done == job.view.total == 9
    assert [job.remaining_text(done) for done in (0, 4, 9)] == ["9 of 9 left", "5 of 9 left", "0 of 9 left"]
    lines, at = job.lines(4)
    assert ([line.rounds for line in lines], at) == ([*range(1, 10)], 3)
    assert [bool(line.mark) for line in lines] == [True] * 4 + [False] * 5
    for done in range(9):
        position, move = job.aim(done)
        assert HEXAPAWN.side(position) is Side.SECOND
        assert f"({HEXAPAWN.move_name(move)})" in job.lines(done)[0][done].text
        assert f"{HEXAPAWN.move_name(move)} in " in job.learned_text(done + 1)  # what it aims at is what is struck
    assert job.aim(9) is None
    assert job.learned_text(0) == ""
    assert job.verdict_text() == "9 games teach it never to lose as B; no course is shorter."


def test_of_a_long_course_the_part_around_the_present_game_is_listed():
    job = taught("failures", "literal", parse_game("nim:3,4,5"))
    total = job.view.total
    assert total > 100
    assert [line.rounds for line in job.lines(0)[0]] == [*range(1, 11)]
    lines, at = job.lines(70)
    assert (lines[0].rounds, lines[at].rounds, lines[-1].rounds) == (31, 70, 80)
    assert job.lines(total)[0][-1].rounds == total


def test_a_machine_that_cannot_be_taught_says_why():
    job = taught("genetic", "swift")
    assert job.view.state is JobState.FAILED
    assert "no course teaches it" in job.view.error


def test_the_search_for_a_course_stops():
    job = TeachingJob(parse_learner("td")(parse_game("tictactoe"), "exact", 3), "x", FULL_SPEED, lambda _snapshot: None)
    job.start()
    job.stop()
    assert job.view.state is JobState.STOPPED
