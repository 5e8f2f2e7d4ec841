"""Progress of long work, shown on standard error: as a bar in a terminal, else in a few lines."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeVar

from cli.shared.common import print_error
from engine.plural import counted_noun
from engine.stop import Stop
from lab.text.columns import cut
from lab.text.numbers import duration_text, rate_text, remaining_seconds, rounds_text, short_count

if TYPE_CHECKING:  # slow to import
    from lab.judging.asking.agent import AskProgress, Report
    from learners.core.training import Progress as Training
    from learners.race.race import Standings

BAR: Final = 20
"""The width of the bar, in columns."""
INTERVAL: Final = 0.2
"""The least time between two updates of work that says very often how far it is, in seconds."""
FIRST_LINE: Final = 20.0
"""After how many seconds of work the first line is printed where no bar can be drawn."""
T = TypeVar("T")
Show = Callable[[T], None]
Describe = Callable[[T], tuple[float, str]]
"""Returns the progress as a fraction from 0 to 1, and in words."""


def progress_of_rounds(rounds: int, noun: str) -> "AbstractContextManager[Show[Training | Standings]]":
    return progress_bar("", _described_rounds(rounds, noun))


def rounds_in_lines(rounds: int, noun: str) -> "Show[Training | Standings]":
    """Return a function that tells the same in a few lines, where a bar would disturb."""
    return _told_in_lines("", _described_rounds(rounds, noun))


def _described_rounds(rounds: int, noun: str) -> "Describe[Training | Standings]":
    def describe(progress: "Training | Standings") -> tuple[float, str]:
        done, total, rate = progress.done, progress.total, progress.per_second
        left, share = duration_text(remaining_seconds(done, total, rate)), done / max(rounds, 1)
        return share, f"{short_count(done)} of {rounds_text(total, noun)}, {rate_text(rate)}, {left} left"

    return describe


@contextmanager
def asking_bar() -> "Iterator[Report]":
    """Show how many answers an agent has given, at what rate, and the time left as far as it is known."""
    with progress_bar("", _described_answers()) as show:
        yield _now_and_then(show)


def asking_in_lines() -> "Report":
    """Return a function that tells the same in a few lines, where a bar would disturb."""
    return _now_and_then(_told_in_lines("", _described_answers()))


def _described_answers() -> "Describe[AskProgress]":
    begun = monotonic()

    def describe(asking: "AskProgress") -> tuple[float, str]:
        rate = rate_text(asking.asked / max(monotonic() - begun, INTERVAL))
        left = "" if asking.seconds_left is None else f", {duration_text(asking.seconds_left)} left"
        return asking.share, f"{asking.doing}{counted_noun(asking.asked, 'answer')}, {rate}{left}"

    return describe


def _now_and_then(show: Show[T]) -> Show[T]:
    """Return a function that calls `show` at most once in `INTERVAL`: an agent may answer within microseconds."""
    shown = monotonic()

    def tell(progress: T) -> None:
        nonlocal shown
        if monotonic() - shown >= INTERVAL:
            shown = monotonic()
            show(progress)

    return tell


def progress_bar(title: str, describe: Describe[T]) -> AbstractContextManager[Show[T]]:
    """Open a progress bar; call the function that it yields with each new state of the work.

    If standard error is not a terminal, or is one that cannot move its cursor, long work is reported in a few lines.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return nullcontext(_told_in_lines(title, describe))
    return _drawn_bar(title, describe)


def _told_in_lines(title: str, describe: Describe[T]) -> Show[T]:
    """Return a function that prints a line `FIRST_LINE` seconds after its first call, then at intervals that double."""
    pause = FIRST_LINE
    due: float | None = None  # what comes before the work, such as compiling, does not count

    def show(progress: T) -> None:
        nonlocal due, pause
        _, words = describe(progress)  # always: it may measure a rate
        now = monotonic()
        due = now + pause if due is None else due
        if now >= due:
            pause *= 2
            due += pause
            print_error(_titled(title, words))

    return show


def _titled(title: str, words: str) -> str:
    return f"{title}: {words}" if title else words


@contextmanager
def waiting_bar(
    title: str, describe: Callable[[], tuple[float, str]] = lambda: (0.0, "")
) -> Iterator[Callable[[], None]]:
    """Open a progress bar that also says how long the work has lasted; call what it yields as time passes."""
    begun = monotonic()

    def described(now: float) -> tuple[float, str]:
        share, words = describe()
        return share, f"{words}for {duration_text(now - begun)}"

    with progress_bar(title, described) as show:
        yield lambda: show(monotonic())


def telling(show: Callable[[], object]) -> Stop:
    """Return a `Stop` that never stops, and calls `show` from time to time."""
    shown = monotonic()

    def stop() -> bool:
        nonlocal shown
        if monotonic() - shown > INTERVAL:
            show()
            shown = monotonic()
        return False

    return stop


@contextmanager
def _drawn_bar(title: str, describe: Describe[T]) -> Iterator[Show[T]]:
    from rich.console import Console  # slow to import, and rarely needed
    from rich.progress import BarColumn, Progress, TextColumn

    console = Console(stderr=True)

    def line(words: str) -> str:
        return cut(_titled(title, words), console.width - BAR - 4)

    columns = BarColumn(BAR), TextColumn("{task.fields[words]}", markup=False)
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as drawn:
        task = drawn.add_task("", total=1.0, words=line("getting ready"))
        drawn.refresh()

        def show(progress: T) -> None:
            share, words = describe(progress)
            drawn.update(task, completed=share, words=line(words), refresh=True)

        yield show
