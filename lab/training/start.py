"""Start a training: make its learner, check its name, and save what it learns."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from engine.game import BadText, Game
from engine.plural import listed
from lab.board.opponents import seating_of
from lab.board.seating import Seating
from lab.training.setup import TEACHER, Setup, settings_as_text
from lab.training.teaching_job import TeachingJob
from lab.training.training_job import Pace, TrainingJob
from learners import LEARNERS
from learners.core.learner import PERSON, Learner
from learners.core.snapshot import Snapshot
from learners.rewind import branch_from
from saves.errors import LibraryError, NameTaken
from saves.library.library import Library


@dataclass(frozen=True)
class Prepared:
    setup: Setup
    learner: Learner
    stamp: str | None
    """The stamp of the save to continue; `None` for a new save. The save is replaced only while it has this stamp."""
    continues: bool


def prepare(setup: Setup, library: Library, continued: Snapshot | None = None) -> Prepared:
    """Make the learner of a training, new or from the save `continued`.

    Raises `BadText`; `LibraryError`, of which `NameTaken` for the name; and `TooLarge`.
    """
    stamp = None
    if continued is not None:
        with suppress(LibraryError):  # the save may have learned at the board since it was chosen
            stamp = library.stamp(setup.name)
            continued = library.load(setup.name)
    learner = setup.learner_for(library, continued)
    if continued is None:
        free_name = setup.name
        with suppress(LibraryError):  # reported by the screen when it opens, and by the job when it saves
            free_name = library.free_name(setup.name)
        if free_name != setup.name:
            raise NameTaken(f"{setup.name} is taken. {free_name} is free.")
    return Prepared(setup, learner, stamp, continued is not None)


def make_saver(library: Library, stamp: str | None) -> Callable[[TrainingJob, Snapshot], None]:
    """Return a function that saves a snapshot of a job in the library.

    The function replaces the save with the job's name only if that still has the stamp `stamp`, or later the stamp
    that the last call gave it; `None` means that there is no such save yet. If another program has changed the save,
    the job gets another name.
    """

    def save(job: TrainingJob, snapshot: Snapshot) -> None:
        nonlocal stamp
        try:
            stamp = library.save(job.name, snapshot, replace=stamp is not None, since=stamp)
        except NameTaken:  # raised also if another program has changed the save
            job.name, stamp = library.save_free(job.name, snapshot)

    return save


def make_job(prepared: Prepared, library: Library, pace: Pace) -> TrainingJob:
    """Return the job that trains and saves in the library, under another name if the save was changed meanwhile."""
    setup, save = prepared.setup, make_saver(library, prepared.stamp)
    job: TrainingJob

    def keep(snapshot: Snapshot) -> None:
        save(job, snapshot)

    if setup.opponent == TEACHER:
        job = TeachingJob(prepared.learner, setup.name, pace, keep)
    else:
        job = TrainingJob(prepared.learner, setup.rounds, setup.name, pace, keep)
    return job


def begin_training(setup: Setup, library: Library, continued: Snapshot | None, pace: Pace) -> TrainingJob | Seating:
    """Return the job of a training; for a training against a person, save the learner and seat it at the board.

    Raises what `prepare` raises.
    """
    prepared = prepare(setup, library, continued)
    if setup.opponent != PERSON:
        return make_job(prepared, library, pace)
    library.save(setup.name, prepared.learner.snapshot(), replace=prepared.continues)
    return replace(seating_of(prepared.learner, setup.name), learning=True)


def warm_up(game: Game, kinds: Iterable[type[Learner]] = LEARNERS) -> None:
    """Compile the kernels of learners of a game, or load them from the cache."""
    for kind in kinds:
        for preset in kind.spec.presets_for(game)[:1]:
            kind(game, preset, seed=0).train(1)


def make_branch(job: TrainingJob, setup: Setup, library: Library) -> TrainingJob:
    """Return a job that continues the present state of `job` with a copy of its learner, under the settings of a setup.

    Both jobs get the settings that differ as labels. Raises `BadText` if the job has a branch, if the setup has another
    learner, game or preset, if no setting differs, or if the new settings do not fit what was learned; and
    `LibraryError`.
    """
    view = job.view
    if job.branch is not None:
        raise BadText("this training already has a branch: stop it, and continue either save")
    trained = view.snapshot
    if (setup.learner.spec.name, setup.game, setup.preset) != (trained.learner, trained.game, trained.preset):
        raise BadText("a branch keeps the learner, the game and the preset: change settings only")
    before = trained.settings
    after = setup.learner(setup.game, setup.preset, setup.seed, setup.settings).settings
    changed = {key: value for key, value in after.items() if value != before[key]}
    if not changed:
        raise BadText("these are the settings of the training: change one, as in win=5")
    try:
        learner = branch_from(trained, changed)
    except BadText as error:
        raise BadText(f"{listed([*changed], 'and')} cannot change during a training: {error}") from error
    learner.set_opponent(library.opponent(view.snapshot.opponent, setup.game))
    name = library.free_name(f"{job.name} branch")
    branch = TrainingJob(learner, view.total, name, job.pace, lambda snapshot: save(branch, snapshot))
    branch.view = replace(branch.view, done=view.done)
    save = make_saver(library, None)
    job.label, branch.label = settings_as_text({key: before[key] for key in changed}), settings_as_text(changed)
    return branch
