"""Starting a training: make its learner, check its name, and save what it learns."""

from contextlib import suppress
from dataclasses import dataclass

from engine.game import BadText
from lab.training.setup import Setup
from lab.training.training_job import Pace, TrainingJob
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from saves.errors import LibraryError, NameTaken
from saves.library.library import Library


@dataclass(frozen=True)
class Prepared:
    """A training that can start."""

    setup: Setup
    learner: Learner
    stamp: str | None
    """The state of the save to continue, if there is one: it is replaced only while it has this state."""
    continues: bool
    """Whether a save of that name is continued."""


def prepare(setup: Setup, library: Library, continued: Snapshot | None = None) -> Prepared:
    """Make the learner of a training, new or from the save `continued`.

    Raises `BadText`, also for a name that is taken; `LibraryError`; and `TooLarge`.
    """
    stamp = None
    if continued is not None:
        with suppress(LibraryError):  # the save may have learned at the board since it was chosen
            stamp = library.stamp(setup.name)
            continued = library.load(setup.name)
    learner = setup.learner_for(library, continued)
    if continued is None:
        free = setup.name
        with suppress(LibraryError):  # reported when the screen opens, and when the training is saved
            free = library.free_name(setup.name)
        if free != setup.name:
            raise BadText(f"{setup.name} is taken. {free} is free.")
    return Prepared(setup, learner, stamp, continued is not None)


def job_of(prepared: Prepared, library: Library, pace: Pace) -> TrainingJob:
    """The job that trains, and saves in the library; under another name if the save was changed meanwhile."""
    stamp = prepared.stamp

    def save(snapshot: Snapshot) -> None:
        nonlocal stamp
        try:
            stamp = library.save(job.name, snapshot, replace=stamp is not None, since=stamp)
        except NameTaken:  # or changed by another program since this training began
            job.name = library.free_name(job.name)
            stamp = library.save(job.name, snapshot)

    job = TrainingJob(prepared.learner, prepared.setup.rounds, prepared.setup.name, pace, save)
    return job
