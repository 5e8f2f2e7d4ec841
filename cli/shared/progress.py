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

BAR_WIDTH: Final = 20
"""The width of the bar, in columns."""
INTERVAL: Final = 0.2
"""The minimum number of seconds between two updates by `reporting_stop`."""
ANSWER_INTERVAL: Final = 0.1
"""The minimum number of seconds between two updates of how many answers an agent has given."""
FIRST_LINE: Final = 20.0
"""Seconds of work until the first line is printed where no bar can be drawn."""
T = TypeVar("T")
Show = Callable[[T], None]
Describe = Callable[[T], tuple[float, str]]
"""Returns the progress as a fraction from 0 to 1, and in words."""


def progress_of_rounds(rounds: int, noun: str) -> "AbstractContextManager[Show[Training | Standings]]":
    return progress_bar("", _describe_rounds(rounds, noun))


def rounds_in_lines(rounds: int, noun: str) -> "Show[Training | Standings]":
    """Return a function that reports the same in a few lines, where a bar would disturb."""
    return _print_in_lines("", _describe_rounds(rounds, noun))


def _describe_rounds(rounds: int, noun: str) -> "Describe[Training | Standings]":
    def describe(progress: "Training | Standings") -> tuple[float, str]:
        done, total, rate = progress.done, progress.total, progress.per_second
        time_left = duration_text(remaining_seconds(done, total, rate))
        text = f"{short_count(done)} of {rounds_text(total, noun)}, {rate_text(rate)}, {time_left} left"
        return done / max(rounds, 1), text

    return describe


@contextmanager
def asking_bar() -> "Iterator[Report]":
    """Show how many answers an agent has given, at what rate, and the time left as far as it is known."""
    with progress_bar("", _describe_answers()) as show:
        yield _show_rarely(show)


def asking_in_lines() -> "Report":
    """Return a function that reports the same in a few lines, where a bar would disturb."""
    return _show_rarely(_print_in_lines("", _describe_answers()))


def _describe_answers() -> "Describe[AskProgress]":
    start = monotonic()

    def describe(progress: "AskProgress") -> tuple[float, str]:
        rate = rate_text(progress.asked / max(monotonic() - start, ANSWER_INTERVAL))
        time_left = "" if progress.seconds_left is None else f", {duration_text(progress.seconds_left)} left"
        return progress.share, f"{progress.doing}{counted_noun(progress.asked, 'answer')}, {rate}{time_left}"

    return describe


def _show_rarely(show: Show[T]) -> Show[T]:
    """Return a function that calls `show` at most once in `ANSWER_INTERVAL`: an agent may answer in microseconds."""
    last_time = monotonic()

    def show_rarely(progress: T) -> None:
        nonlocal last_time
        if monotonic() - last_time >= ANSWER_INTERVAL:
            last_time = monotonic()
            show(progress)

    return show_rarely


def progress_bar(title: str, describe: Describe[T]) -> AbstractContextManager[Show[T]]:
    """Open a progress bar; call the function that it yields with each new state of the work.

    If standard error is not a terminal, or is one that cannot move its cursor, long work is reported in a few lines.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return nullcontext(_print_in_lines(title, describe))
    return _draw_bar(title, describe)


def _print_in_lines(title: str, describe: Describe[T]) -> Show[T]:
    """Return a function that prints a line `FIRST_LINE` seconds after its first call, then at intervals that double."""
    pause = FIRST_LINE
    next_time: float | None = None  # what comes before the work, such as compiling, does not count

    def show(progress: T) -> None:
        nonlocal next_time, pause
        _, text = describe(progress)  # always: it may measure a rate
        now = monotonic()
        if next_time is None:
            next_time = now + pause
        if now >= next_time:
            pause *= 2
            next_time += pause
            print_error(_with_title(title, text))

    return show


def _with_title(title: str, text: str) -> str:
    return f"{title}: {text}" if title else text


@contextmanager
def waiting_bar(
    title: str, describe: Callable[[], tuple[float, str]] = lambda: (0.0, "")
) -> Iterator[Callable[[], None]]:
    """Open a progress bar that also says how long the work has lasted; call what it yields as time passes."""
    start = monotonic()

    def describe_time(now: float) -> tuple[float, str]:
        share, text = describe()
        return share, f"{text}for {duration_text(now - start)}"

    with progress_bar(title, describe_time) as show:
        yield lambda: show(monotonic())


def reporting_stop(show: Callable[[], object]) -> Stop:
    """Return a `Stop` that never stops, and calls `show` from time to time."""
    last_time = monotonic()

    def stop() -> bool:
        nonlocal last_time
        if monotonic() - last_time > INTERVAL:
            show()
            last_time = monotonic()
        return False

    return stop


@contextmanager
def _draw_bar(title: str, describe: Describe[T]) -> Iterator[Show[T]]:
    from rich.console import Console  # slow to import, and rarely needed
    from rich.progress import BarColumn, Progress, TextColumn

    console = Console(stderr=True)

    def line(text: str) -> str:
        return cut(_with_title(title, text), console.width - BAR_WIDTH - 4)

    columns = BarColumn(BAR_WIDTH), TextColumn("{task.fields[line]}", markup=False)
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as bar:
        task = bar.add_task("", total=1.0, line=line("getting ready"))
        bar.refresh()

        def show(progress: T) -> None:
            share, text = describe(progress)
            bar.update(task, completed=share, line=line(text), refresh=True)

        yield show
