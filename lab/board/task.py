"""Work that takes time: a machine's move, a hint, a write to the library."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.stop import Stop, never
from lab.board.events import Event

Found = TypeVar("Found")


@dataclass(frozen=True)
class Task:
    """Work that blocks. The front end runs it, in the same thread or in another.

    `work` blocks, and may run in any thread: it does not touch the table. It returns a function that changes the table.
    That function does not block, and must be called in the thread of the table.
    """

    name: str
    """What it does: one of the constants in `lab.board.table`."""
    work: Callable[[Stop], "Finish"]
    """Raises `Stopped` soon after its `Stop` returns true."""
    is_wanted: Callable[[], bool]
    """Whether the result is still wanted; may be called from any thread."""
    failed: "Finish"
    """What follows instead if `work` raised anything but `Stopped`; must be called in the thread of the table."""

    def run(self) -> "Sequence[Step]":
        """Do the work and change the table in this thread; return the steps that follow. Raises what `work` raises."""
        try:
            finish = self.work(never)
        except Exception:
            self.failed()
            raise
        return finish()


Step = Event | Task
"""What follows a command: something that happened, or work to be done."""
Finish = Callable[[], Sequence[Step]]


def make_task(
    name: str,
    find: Callable[[Stop], Found],
    use: Callable[[Found], Sequence[Step]],
    is_wanted: Callable[[], bool] = lambda: True,
    failed: Finish = lambda: (),
) -> Task:
    """A task that finds something, which may block, and then uses it at the table, if it is still wanted."""

    def work(stop: Stop) -> Finish:
        found = find(stop)
        return lambda: use(found) if is_wanted() else ()

    return Task(name, work, is_wanted, failed)
