"""A moment of a training to be drawn, and the threads that find the stories of it and of its branch."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final

from textual.widget import Widget
from textual.worker import Worker, get_current_worker

from engine.game import Game
from lab.jobs import JobState
from lab.pictures.save_pictures import curve_picture, telling_points
from lab.results.exact_results import ExactResults
from lab.training.teaching_job import TeachingJob
from lab.training.training_job import TrainingJob, TrainingStatus
from lab.training.training_story import TrainingStory
from learners import revive
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from tui.shell.files import Export
from tui.shell.guards import release_worker_after

UPDATE_PAUSE: Final = 0.5
"""The minimum number of seconds between two updates for a running training."""


@dataclass(frozen=True)
class Moment:
    """The state of a training at one moment, to be drawn."""

    view: TrainingStatus
    game: Game
    story: TrainingStory
    branches: Mapping[str, Mapping[int, ExactResults]]
    """The exact results of a training and of its branch, or of one without its teacher, by label; empty if alone."""
    teaching: TeachingJob | None = None
    """The training, if a teacher trains it."""

    @property
    def learner(self) -> Learner:
        """The learner without its bulk, which is slow to read and not drawn."""
        return revive(replace(self.view.snapshot, bulk=b""))


class StoryWorker:
    """The story of one training, and the worker that updates it to the newest snapshot."""

    def __init__(self, *, curves_only: bool = False) -> None:
        """Start with an empty story. With `curves_only`, compute no turning points, only exact results."""
        self.story = TrainingStory()
        self._curves_only = curves_only
        self._worker: Worker[None] | None = None
        self._snapshot: Snapshot | None = None
        """The snapshot of the last update."""
        self._ended = False
        """Whether the training had ended at the last update."""
        self._time = 0.0
        """The time when the last update started."""

    def update(self, owner: Widget, view: TrainingStatus, *, ended: bool) -> None:
        """Update the story to the snapshot of a view, in a worker of `owner`; `ended` tells that it is the last one.

        Do nothing if that snapshot was the last one, if an update is in progress, or if the last update was just now.
        """
        busy = self._worker is not None and not self._worker.is_finished
        too_soon = view.state is JobState.RUNNING and monotonic() - self._time < UPDATE_PAUSE
        if not busy and not too_soon and (view.snapshot is not self._snapshot or ended is not self._ended):
            self._snapshot, self._time, self._ended = view.snapshot, monotonic(), ended
            self._worker = owner.run_worker(
                release_worker_after(self._update), thread=True, group="story", exit_on_error=False
            )

    def cancel(self) -> None:
        if self._worker is not None:
            self._worker.cancel()

    def _update(self) -> None:
        worker = get_current_worker()
        if self._snapshot is None:
            return
        if self._curves_only:
            self.story.update_points(self._snapshot, lambda: worker.is_cancelled)
        else:
            self.story.update(self._snapshot, lambda: worker.is_cancelled, ended=self._ended)


class Watch:
    """What was drawn last of a training, and its story and that of its branch, which threads update."""

    def __init__(self, source: TrainingJob | Snapshot | tuple[type[Learner], Game] | None = None) -> None:
        """Watch a training, or a save to be continued; without both, a learner and the game to begin with."""
        self.source = source
        self.drawn: TrainingStatus | None = None
        """The view that was drawn last; `None` forces drawing."""
        self.drawn_with: tuple[object, ...] = ()
        """What was drawn together with that view: the view of the branch, and parts of both stories."""
        self._story_worker, self._branch_worker = StoryWorker(), StoryWorker(curves_only=True)

    @property
    def story(self) -> TrainingStory:
        return self._story_worker.story

    def curve(self) -> Export | None:
        """Return the export of the losses over the training, with its turning points; `None` before it."""
        points, turning_points = self.story.points, self.story.turning_points
        if not points or not points[-1].exact:
            return None
        name = self.source.name if isinstance(self.source, TrainingJob) else "training"
        return Export(f"{name}-curve", lambda: curve_picture(name, points, telling_points(turning_points, points[-1])))

    @property
    def losses(self) -> tuple[float, float] | None:
        """The shares of games lost to a perfect player at first and at the end, once a training has ended."""
        job = self.source if isinstance(self.source, TrainingJob) else None
        return None if job is None or job.running else self.story.losses(job.view.snapshot)

    def cancel(self) -> None:
        self._story_worker.cancel()
        self._branch_worker.cancel()

    def moment(self, owner: Widget, view: TrainingStatus) -> Moment | None:
        """Return the moment to be drawn; `None` if nothing has changed. Threads of `owner` update the stories."""
        job = self.source if isinstance(self.source, TrainingJob) else None
        branch = None if job is None else job.branch
        story, branch_story = self.story, self._branch_worker.story
        self._story_worker.update(owner, view, ended=job is None or not view.state.active)
        branch_view = None
        if branch is not None:
            branch_view = branch.view
            self._branch_worker.update(owner, branch_view, ended=not branch_view.state.active)
        parts = (branch_view, story.points, story.turning_points, story.stall, story.complete, branch_story.points)
        if view is self.drawn and all(new is old for new, old in zip(parts, self.drawn_with, strict=True)):
            return None
        self.drawn, self.drawn_with = view, parts
        branches: dict[str, Mapping[int, ExactResults]] = {}
        if job is not None and branch is not None:
            branches = {job.label: story.known, branch.label: branch_story.known}
        teaching = job if isinstance(job, TeachingJob) else None
        if teaching is not None and teaching.course is not None:
            branches = {"taught": dict(sorted({**story.known, **teaching.known}.items())), "by itself": teaching.alone}
        return Moment(view, view.snapshot.game, story, branches, teaching)
