"""The steps of a table carried out: its events are shown, and its tasks run in threads."""

from collections.abc import Callable, Iterable
from functools import partial

from textual.worker import get_current_worker

from engine.stop import Stopped
from lab.board import events
from lab.board.table import THINKING, Table
from tui.shell.guards import call_after, release_worker_after
from tui.shell.screen import LabScreen

THINKING_TIME = 0.35
"""Seconds before a machine moves against a person, so that the eye can follow."""
WATCHING_TIME = 0.7
"""Seconds before a machine moves if two machines play."""


class StepRunner:
    """Carries out the steps of a table on its screen."""

    def __init__(
        self, screen: LabScreen, table: Table, show: Callable[[events.Event], None], draw: Callable[[], None]
    ) -> None:
        """Show each event by `show`, and all that the steps have changed by `draw`."""
        self._screen, self._table, self._show, self._draw = screen, table, show, draw

    def carry_out(self, steps: Iterable[events.Step]) -> None:
        """Show the events and start the tasks in order, then draw the screen."""
        for step in steps:
            if not isinstance(step, events.Task):
                self._show(step)
            elif step.name == THINKING:
                pause = THINKING_TIME if self._table.session.has_person else WATCHING_TIME
                call_after(self._screen, pause, partial(self._start, step))
            else:
                self._start(step)
        self._draw()

    def _start(self, task: events.Task) -> None:
        """Run a task in a thread; its steps are then carried out in the thread of the screen."""
        run = release_worker_after(partial(self._run, task))
        self._screen.run_worker(run, group=task.name, thread=True, exit_on_error=False)

    def _run(self, task: events.Task) -> None:
        worker = get_current_worker()
        if not task.is_wanted():
            return
        try:
            finish = task.work(lambda: worker.is_cancelled or not task.is_wanted())
        except Stopped:
            return
        except Exception:
            self._screen.app.call_from_thread(self._screen.pass_on, self._finish, task.failed)
            raise
        self._screen.app.call_from_thread(self._screen.pass_on, self._finish, finish)

    def _finish(self, finish: events.Finish) -> None:
        self.carry_out(finish())
