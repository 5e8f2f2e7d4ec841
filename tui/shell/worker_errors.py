"""Errors of background workers."""

from textual.app import App
from textual.worker import Worker, WorkerState

from lab.words.sanitise import plain


class WarnsOfWorkerErrors:
    """A mixin for a screen or widget that shows a warning when one of its workers fails; the app goes on.

    Textual sends the state of a worker only to the widget that started it.
    """

    app: App[object]

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR:
            message = plain(f"That failed: {event.worker.error!r}", 400)
            self.app.notify(message, severity="warning", timeout=8, markup=False)
