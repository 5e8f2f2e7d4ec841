from dataclasses import dataclass, field
from itertools import pairwise
from threading import Thread
from time import monotonic

import pytest

from engine.game import BadText
from engine.games import parse_game
from lab.jobs import JobState
from lab.training.setup import Setup
from lab.training.start import make_branch
from lab.training.training_job import PACES, Pace, TrainingJob, TrainingStatus
from learners.core.snapshot import Snapshot
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from saves.errors import LibraryError
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import same, train
from tests.waiting import wait_until as until

TICTACTOE = parse_game("tictactoe")
FULL_SPEED, LOG_PACE, *SLOWER = PACES
MANY = 10**10
LASTING = (
    FULL_SPEED,
    Pace("1 game a day", rounds_per_second=1 / 86_400),
    Pace("1 move a day", seconds_per_move=86_400),
)
"""A pace of each kind at which the next step comes much later than a test waits."""
BRISK = Pace("100 moves a second", seconds_per_move=0.01)


@dataclass
class Shelf:
    """The store of a job; it refuses snapshots while it is full."""

    kept: list[Snapshot] = field(default_factory=list)
    full: bool = False

    def keep(self, snapshot: Snapshot) -> None:
        if self.full:
            raise LibraryError("the disk is full")
        self.kept.append(snapshot)


class Watched(TrainingJob):
    """Records all views that a job publishes, with their times."""

    @property
    def view(self) -> TrainingStatus:
        return self.seen[-1]

    @view.setter
    def view(self, view: TrainingStatus) -> None:
        self.__dict__.setdefault("seen", []).append(view)
        self.__dict__.setdefault("times", []).append(monotonic())


@pytest.fixture
def shelf():
    return Shelf()


@pytest.fixture
def start(shelf):
    """Start jobs, and stop them when the test ends."""
    started = []

    def start_job(games=MANY, pace=FULL_SPEED, *, game=TICTACTOE, preset="literal", seed=1, learner=None):
        job = Watched(learner or Failures(game, preset, seed), games, "a", pace, shelf.keep)
        started.append(job)
        job.start()
        return job

    yield start_job
    for job in started:
        job.stop()
        assert not job.running


def going(job: TrainingJob) -> bool:
    return job.view.done > 0 or len(job.view.moves) > 0


@pytest.mark.parametrize(("game", "preset"), [(TICTACTOE, "literal"), (parse_game("hexapawn"), "riechel-2007")])
def test_a_job_saves_the_same_result_as_training_without_a_screen(start, shelf, game, preset):
    job = start(3000, game=game, preset=preset, seed=5)
    until(lambda: not job.running)
    assert (job.view.state, job.view.done, job.view.error) == (JobState.FINISHED, 3000, "")
    assert same(job.view.snapshot, train(Failures(game, preset, 5), 3000))
    assert shelf.kept == [job.view.snapshot]
    assert not job.unsaved
    assert job.save_error == ""


def test_a_job_begins_as_starting_and_counts_up(start):
    job = start(500_000)
    until(lambda: not job.running)
    assert job.seen[0].state is JobState.STARTING
    assert {view.state for view in job.seen[1:-1]} == {JobState.RUNNING}
    counts = [view.done for view in job.seen]
    assert counts == sorted(counts)
    assert all(view.snapshot.stats["games"] == view.done for view in job.seen)
    assert all(earlier.seconds <= later.seconds for earlier, later in pairwise(job.seen))


@pytest.mark.parametrize("pace", LASTING, ids=lambda pace: pace.label)
def test_a_job_stops_at_once_at_every_pace(start, shelf, pace):
    job = start(pace=pace)
    until(lambda: going(job) or bool(pace.seconds_per_move and job.view.state is JobState.RUNNING))
    Thread(target=job.stop, daemon=True).start()
    until(lambda: not job.running)
    assert job.view.state is JobState.STOPPED
    assert shelf.kept == [job.view.snapshot]
    assert job.view.done == job.view.snapshot.stats["games"] > 0


def test_a_job_without_a_finished_round_saves_nothing(shelf):
    job = TrainingJob(Failures(TICTACTOE, "literal", 1), 10, "a", FULL_SPEED, shelf.keep)
    job.stop()
    job.save_now()
    assert shelf.kept == []
    assert not job.unsaved


@pytest.mark.parametrize("pace", LASTING, ids=lambda pace: pace.label)
def test_a_pause_takes_effect_at_once_at_every_pace_and_saves(start, shelf, pace):
    job = start(pace=pace)
    until(lambda: job.view.state is JobState.RUNNING)
    job.pause()
    until(lambda: job.view.state is JobState.PAUSED)
    assert job.paused
    assert job.running
    done = job.view.done
    assert shelf.kept == [job.view.snapshot]
    job.resume()
    until(lambda: job.view.state is JobState.RUNNING)
    assert not job.paused
    assert job.view.done >= done


def test_steps_play_exactly_one_game_each(start):
    job = start()
    job.pause()
    until(lambda: job.view.state is JobState.PAUSED)
    done = job.view.done
    for step in range(1, 6):
        job.step()
        until(lambda step=step: job.view.state is JobState.PAUSED and job.view.done == done + step)
    job.step()
    job.step()
    until(lambda: job.view.state is JobState.PAUSED and job.view.done == done + 7)
    assert len(job.view.moves) >= 5


def test_a_step_while_training_runs_pauses_after_the_next_game(start):
    job = start()
    until(lambda: going(job))
    job.step()
    until(lambda: job.view.state is JobState.PAUSED)
    counts = [view.done for view in job.seen if view.state is JobState.RUNNING]
    assert counts[-1] == counts[-2] + 1


def test_pauses_steps_and_changes_of_pace_do_not_affect_the_memory(start):
    games = 30_000
    job = start(games, SLOWER[0], seed=9)
    until(lambda: job.view.done >= 100)
    job.pause()
    until(lambda: job.view.state is JobState.PAUSED)
    for pace in (FULL_SPEED, BRISK, LOG_PACE, SLOWER[1]):
        job.set_pace(pace)
        done = job.view.done
        job.step()
        until(lambda done=done: job.view.state is JobState.PAUSED and job.view.done == done + 1)
    job.resume()
    job.set_pace(BRISK)
    job.set_pace(FULL_SPEED)
    until(lambda: not job.running)
    assert same(job.view.snapshot, train(Failures(TICTACTOE, "literal", 9), games))


@pytest.mark.parametrize("pace", LASTING[1:], ids=lambda pace: pace.label)
def test_a_change_of_pace_takes_effect_at_once(start, pace):
    job = start(pace=pace)
    until(lambda: job.view.state is JobState.RUNNING)
    job.set_pace(FULL_SPEED)
    until(lambda: job.view.done >= 100_000)
    job.set_pace(SLOWER[-1])
    slowed = len(job.seen)
    until(lambda: any(view.moves == () for view in job.seen[slowed:]))


HUNDREDS = range(100, 1100, 100)


def test_a_pace_in_games_per_second_is_kept(start):
    job = start(pace=SLOWER[0])
    until(lambda: job.view.done >= 1000)
    job.stop()
    times = [next(at for at, view in zip(job.times, job.seen, strict=True) if view.done >= done) for done in HUNDREDS]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert sum(gaps) >= 0.09 * len(gaps)


def test_moves_are_shown_one_by_one_before_what_was_learned_from_them(start):
    job = start(3, BRISK)
    until(lambda: not job.running)
    for game in range(3):
        views = [view for view in job.seen[1:-1] if view.done == game]
        shown = [view.moves for view in views if len(view.moves) < 5]
        assert shown[-5:] == [views[-1].moves[:count] for count in range(5)]
        after = next(view for view in job.seen if view.done == game + 1)
        assert after.moves[:-1] == views[-1].moves
        assert all(view.snapshot.stats["games"] == game for view in views)


def test_moves_come_at_the_chosen_pace(start):
    job = start(pace=Pace("20 moves a second", seconds_per_move=0.05))
    until(lambda: job.view.done == 2)
    times = [at for at, view in zip(job.times, job.seen, strict=False) if view.state is JobState.RUNNING]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert len(gaps) >= 10
    assert sum(gaps) >= 0.05 * len(gaps)


def test_a_resignation_before_the_first_move_is_shown(start):
    learner = Menace(TICTACTOE, "michie", 1)
    learner.memory[learner.space.edges(TICTACTOE.start)] = 0
    job = start(3, BRISK, learner=learner)
    until(lambda: not job.running)
    assert (job.view.moves, job.view.resigned, job.view.snapshot.stats["resigned"]) == ((), True, 3)
    assert [view.resigned for view in job.seen if view.state is JobState.RUNNING] == [False, True] * 3


def test_a_failed_save_is_reported_and_can_be_repeated(start, shelf):
    shelf.full = True
    job = start()
    until(lambda: going(job))
    job.pause()
    until(lambda: job.view.state is JobState.PAUSED)
    assert job.save_error == "the disk is full"
    assert job.unsaved
    done = job.view.done
    job.resume()
    until(lambda: job.view.done > done)
    shelf.full = False
    job.save_now()
    assert job.save_error == ""
    assert len(shelf.kept) == 1
    job.stop()
    assert not job.unsaved
    assert shelf.kept[-1] is job.view.snapshot


def test_a_job_that_ends_unsaved_can_be_saved_later(start, shelf):
    shelf.full = True
    job = start(1000)
    until(lambda: not job.running)
    assert job.view.state is JobState.FINISHED
    assert job.unsaved
    shelf.full = False
    job.save_now()
    job.save_now()
    assert not job.unsaved
    assert shelf.kept == [job.view.snapshot]


def test_a_long_training_is_saved_regularly(start, shelf, monkeypatch):
    monkeypatch.setattr("lab.training.training_job.SAVE_EVERY", 0.2)
    job = start()
    until(lambda: len(shelf.kept) >= 2)
    assert job.running
    counts = [snapshot.stats["games"] for snapshot in shelf.kept]
    assert counts == sorted(set(counts))


class Failing(Failures):
    """A learner that raises an error after some games."""

    def train(self, games: int) -> None:
        if self.stats()["games"] >= 500:
            raise RuntimeError("the loop broke")
        super().train(min(games, 500))


def test_an_error_of_the_learner_ends_the_job_and_saves_the_last_state(start, shelf):
    job = start(10_000, SLOWER[0], learner=Failing(TICTACTOE, "literal", 1))
    until(lambda: not job.running)
    assert (job.view.state, job.view.error) == (JobState.FAILED, "the loop broke")
    assert job.view.done == 500
    assert [snapshot.stats["games"] for snapshot in shelf.kept] == [500]


def test_an_unexpected_error_of_the_store_does_not_stop_the_training(start, shelf, monkeypatch):
    def burn(_snapshot: Snapshot) -> None:
        raise ZeroDivisionError("fire")

    monkeypatch.setattr(shelf, "keep", burn)
    job = start(1000)
    until(lambda: not job.running)
    assert (job.view.state, job.save_error) == (JobState.FINISHED, "fire")


def setup(kind=Menace, preset="scroggs", **settings):
    return Setup(kind, TICTACTOE, preset, 10, 1, "a", settings=settings)


def test_a_branch_differs_from_its_training_in_the_changed_settings():
    learner = Menace(TICTACTOE, "scroggs", 1)
    learner.train(50)
    job = TrainingJob(learner, 100, "a", FULL_SPEED, lambda _snapshot: None)
    library = Library(library_path())
    branch = make_branch(job, setup(win=9), library)
    assert (job.label, branch.label, branch.name) == ("win=3", "win=9", "a branch")
    assert branch.view.snapshot.settings == {**job.view.snapshot.settings, "win": 9}
    assert (branch.view.snapshot.memory == job.view.snapshot.memory).all()


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (setup(), "these are the settings of the training"),
        (setup(Failures, "literal"), "change settings only"),
        (setup(preset="michie"), "change settings only"),
    ],
)
def test_an_impossible_branch_is_refused(chosen, message):
    job = TrainingJob(Menace(TICTACTOE, "scroggs", 1), 100, "a", FULL_SPEED, lambda _snapshot: None)
    with pytest.raises(BadText, match=message):
        make_branch(job, chosen, Library(library_path()))
