"""Work in the background: a thread computes, and the thread of the screen shows the result."""

from collections.abc import Callable, Iterable
from typing import Final

from textual.dom import DOMNode
from textual.worker import Worker, WorkerState, get_current_worker

from engine.game import BadText, PluginFailed
from engine.space import TooLarge
from engine.stop import Stop, Stopped
from saves.errors import LibraryError
from tui.shell.guards import Result, release_worker_after, warn

EXPECTED_ERRORS: Final = (BadText, LibraryError, TooLarge)
"""Errors in what a person typed, or in what a file or the library contains: they are shown as messages."""


def ignore(_: str) -> None:
    """Ignore an error that is reported elsewhere."""


class Background(DOMNode):
    """A screen or widget for which threads work. It warns if a thread has failed, unless it was stopped.

    Textual reports the state of a worker only to the widget that started it, so each widget that starts workers derives
    from this class. A subclass names another base first, since Textual takes styles only from the first base.
    """

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        error = event.worker.error
        if event.state is not WorkerState.ERROR or isinstance(error, Stopped):
            return
        self.warn(str(error) if isinstance(error, PluginFailed) else f"An error in the background: {error!r}")

    def run_in_background(
        self,
        group: str,
        work: Callable[[Stop], Result],
        show: Callable[[Result], object],
        show_error: Callable[[str], object] | None = None,
    ) -> None:
        """Run `work` in a thread, and pass its result to `show` in the thread of the screen.

        A later call for the same group cancels this one. `work` gets a function that says so, and may raise `Stopped`.
        The message of an expected error goes to `show_error`, by default to `warn`. Nothing is passed on once the work
        is cancelled or the screen closes.
        """
        self.run_in_steps(group, lambda stop: [work(stop)], show, show_error)

    def run_in_steps(
        self,
        group: str,
        steps: Callable[[Stop], Iterable[Result]],
        show: Callable[[Result], object],
        show_error: Callable[[str], object] | None = None,
    ) -> None:
        """Pass each result of `steps` to `show` as soon as it is there, otherwise as `run_in_background`."""

        @release_worker_after
        def run() -> None:
            worker = get_current_worker()
            try:
                for result in steps(lambda: worker.is_cancelled):
                    self.app.call_from_thread(self.pass_on, show, result)
            except Stopped:
                return
            except EXPECTED_ERRORS as error:
                self.app.call_from_thread(self.pass_on, show_error or self.warn, str(error))

        self.run_worker(run, thread=True, exclusive=True, group=group, exit_on_error=False)

    def pass_on(self, show: Callable[[Result], object], result: Result) -> None:
        """Call a function through a method of this widget, so that the app calls it only while the widget is there."""
        show(result)

    def warn(self, message: str) -> None:
        """Show a warning."""
        warn(self.app, message)
