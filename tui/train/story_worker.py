"""Updates of the story of a training in the background, at most twice a second."""

from time import monotonic
from typing import Final

from textual.widget import Widget
from textual.worker import Worker, get_current_worker

from lab.training.training_job import JobState, JobView
from lab.training.training_story import TrainingStory
from learners.core.snapshot import Snapshot

PAUSE: Final = 0.5
"""The minimum number of seconds between two updates for a running training."""


class StoryWorker:
    """The story of one training, and the worker that updates it to the newest snapshot."""

    def __init__(self, *, curves_only: bool = False) -> None:
        """Start with an empty story. With `curves_only`, compute no turning points, only exact results."""
        self.story = TrainingStory()
        self._update_story = self.story.update_points if curves_only else self.story.update
        self._worker: Worker[None] | None = None
        self._snapshot: Snapshot | None = None
        """The snapshot of the last update."""
        self._time = 0.0
        """When that update started."""

    def update(self, owner: Widget, view: JobView) -> None:
        """Update the story to the snapshot of a view, in a worker of `owner`.

        Do nothing if that snapshot was the last one, if an update is in progress, or if the last update was just now.
        """
        busy = self._worker is not None and not self._worker.is_finished
        too_soon = view.state is JobState.RUNNING and monotonic() - self._time < PAUSE
        if not busy and not too_soon and view.snapshot is not self._snapshot:
            self._snapshot, self._time = view.snapshot, monotonic()
            self._worker = owner.run_worker(self._update, thread=True, group="story", exit_on_error=False)

    def cancel(self) -> None:
        """Cancel the update in progress, if any."""
        if self._worker is not None:
            self._worker.cancel()

    def _update(self) -> None:
        worker = get_current_worker()
        if self._snapshot is not None:
            self._update_story(self._snapshot, lambda: worker.is_cancelled)
