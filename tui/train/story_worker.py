"""Updates the story of a training in the background, at most twice a second."""

from time import monotonic
from typing import Final

from textual.widget import Widget
from textual.worker import Worker, get_current_worker

from lab.training.training_job import JobState, JobView
from lab.training.training_story import TrainingStory
from learners.core.snapshot import Snapshot

PAUSE: Final = 0.5
"""Seconds between two updates for a running training."""


class StoryWorker:
    """The story of one training, and the thread that updates it to the newest snapshot."""

    def __init__(self, *, curves_only: bool = False) -> None:
        """Begin with an empty story; with `curves_only`, compute its exact results only."""
        self.story = TrainingStory()
        self._update_story = self.story.update_points if curves_only else self.story.update
        self._worker: Worker[None] | None = None
        self._snapshot: Snapshot | None = None
        """The snapshot of the last update."""
        self._time = 0.0
        """When that update began."""

    def update(self, owner: Widget, view: JobView) -> None:
        """Update the story to the snapshot of a view in a worker of `owner`, if it is time for that."""
        busy = self._worker is not None and not self._worker.is_finished
        too_soon = view.state is JobState.RUNNING and monotonic() - self._time < PAUSE
        if not busy and not too_soon and view.snapshot is not self._snapshot:
            self._snapshot, self._time = view.snapshot, monotonic()
            self._worker = owner.run_worker(self._update, thread=True, group="story", exit_on_error=False)

    def cancel(self) -> None:
        """Stop an update that is under way."""
        if self._worker is not None:
            self._worker.cancel()

    def _update(self) -> None:
        worker = get_current_worker()
        if self._snapshot is not None:
            self._update_story(self._snapshot, lambda: worker.is_cancelled)
