"""A branch of a training that runs: which settings it may have, and how both are labelled."""

import pytest

from engine.game import BadText
from engine.games import parse_game
from lab.training.setup import Setup
from lab.training.start import branch_of
from lab.training.training_job import FULL_SPEED, TrainingJob
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from saves.library.library import Library
from saves.paths import library_path

TICTACTOE = parse_game("tictactoe")


def setup(kind=Menace, preset="scroggs", **settings):
    return Setup(kind, TICTACTOE, preset, 10, 1, "a", settings=settings)


def test_a_branch_differs_from_its_training_in_the_changed_settings():
    learner = Menace(TICTACTOE, "scroggs", 1)
    learner.train(50)
    job = TrainingJob(learner, 100, "a", FULL_SPEED, lambda _snapshot: None)
    library = Library(library_path())
    branch = branch_of(job, setup(win=9), library)
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
        branch_of(job, chosen, Library(library_path()))
