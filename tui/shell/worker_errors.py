"""Work behind the screen that fails: told, wherever it was started."""

from textual.app import App
from textual.worker import Worker, WorkerState

from lab.words.sanitise import plain


class Troubled:
    """A screen or a widget whose workers may fail: whatever they raise is told, and the app goes on.

    Textual tells of a worker only to whom it belongs.
    """

    app: App[object]

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR:
            message = plain(f"That failed: {event.worker.error!r}", 400)
            self.app.notify(message, severity="warning", timeout=8, markup=False)
