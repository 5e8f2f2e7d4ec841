"""Compute a paper again: run its tasks on two threads, report progress, and make the report."""

import math
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from threading import Event
from time import perf_counter
from typing import Final, Generic, TypeVar

from engine.compiling.compile_thread import wait_unless
from engine.game import BadText, quoted
from engine.stop import Stop, Stopped, never
from learners.core.generator import LARGEST_SEED
from learners.core.training import THREADS
from learners.papers.report import FindingTable, PaperResult, Report, Source

INTERVAL: Final = 0.02
"""The time between two progress values, and between two calls of `stop`, in seconds."""

T = TypeVar("T")
ReportShare = Callable[[float], None]
"""Takes the share of a task that is done, from 0 to 1."""


@dataclass(frozen=True)
class PaperTask(Generic[T]):
    """One part of the work for a paper, usually one seed of an experiment."""

    what: str
    """The name of the experiment; the same for all its seeds."""
    work: float
    """The time of the task, in any unit that all tasks of a paper share."""
    run: Callable[[ReportShare, Stop], T]
    """Returns the result. Raises `Stopped` soon after `stop()` is true."""


@dataclass(frozen=True)
class PaperProgress:
    """How far the computation has come. The last value has the report."""

    done: float
    total: float
    what: str
    seconds: float
    report: Report | None = None

    @property
    def share(self) -> float:
        """The share that is done, from 0 to 1."""
        return self.done / self.total

    @property
    def left(self) -> float:
        """The remaining seconds at the rate so far; infinite before anything is done."""
        return self.seconds * (1 - self.share) / self.share if self.done else math.inf


@dataclass(frozen=True)
class Paper(Generic[T]):
    """A source, the work to compute it again, and how its results become tables."""

    source: Source
    tasks: Callable[[int], Sequence[PaperTask[T]]]
    tables: Callable[[Mapping[str, Sequence[T]], int], PaperResult]
    """Returns tables and curves, given the results by name of the task, in the order of seeds, and the seed."""
    seeds: int = 1
    """The maximum number of consecutive seeds that the tasks of the paper use."""

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def last_seed(self) -> int:
        return LARGEST_SEED - self.seeds + 1

    def require_seed(self, seed: int) -> None:
        if not 0 <= seed <= self.last_seed:
            raise BadText(f"seed {quoted(str(seed))}: give {self.name} a whole number from 0 to {self.last_seed:,}")

    def run(self, seed: int, stop: Stop = never) -> Iterator[PaperProgress]:
        """Compute the paper again. Yield progress every few hundredths of a second, and the report at the end.

        Ends without a report, and without a thread left, within 0.2 s after `stop()` is true or the iterator is
        closed, unless a kernel is just being loaded. Raises `BadText` for a seed out of range.
        """
        self.require_seed(seed)
        begun, tasks = perf_counter(), self.tasks(seed)
        try:
            results = yield from _results(tasks, stop)
        except Stopped:
            return
        found: dict[str, list[T]] = {}
        for task, result in zip(tasks, results, strict=True):
            found.setdefault(task.what, []).append(result)
        tables, curves = self.tables(found, seed)
        total = sum(task.work for task in tasks)
        seconds = perf_counter() - begun
        yield PaperProgress(total, total, "", seconds, Report(self.source, seed, seconds, tables, curves))


def paper_without_chance(source: Source, made: Mapping[str, Callable[[], FindingTable]]) -> Paper[FindingTable]:
    """Return a paper whose tables involve no chance and take little time. `made` has the function of each, by name."""

    def tables(found: Mapping[str, Sequence[FindingTable]], _seed: int) -> PaperResult:
        return tuple(table for each in found.values() for table in each), ()

    return Paper(
        source, lambda _seed: [PaperTask(what, 1, partial(_make, make)) for what, make in made.items()], tables
    )


def _make(make: Callable[[], T], _report: ReportShare, stop: Stop) -> T:
    if stop():
        raise Stopped
    return make()


def _results(tasks: Sequence[PaperTask[T]], stop: Stop) -> Generator[PaperProgress, None, list[T]]:
    """Run tasks, and return their results in order. Raises `Stopped`, and whatever a task raises."""
    shares, halted, begun = [0.0] * len(tasks), Event(), perf_counter()

    def work(number: int) -> T:
        if halted.is_set():
            raise Stopped
        with wait_unless(halted.is_set):
            return tasks[number].run(partial(shares.__setitem__, number), halted.is_set)

    with ThreadPoolExecutor(THREADS, "papers ") as threads:  # waits for them, so that two never share the processors
        running = [threads.submit(work, number) for number in range(len(tasks))]
        left: Collection[Future[T]] = running
        try:
            while left:
                if stop():
                    raise Stopped
                yield _progress(tasks, shares, running, perf_counter() - begun)
                ended, left = wait(left, INTERVAL, FIRST_EXCEPTION)
                for each in ended:
                    each.result()  # raises what the task has raised
        finally:
            halted.set()
    return [each.result() for each in running]


def _progress(
    tasks: Sequence[PaperTask[T]], shares: Sequence[float], running: Sequence[Future[T]], seconds: float
) -> PaperProgress:
    over = [each.done() for each in running]
    done = sum(task.work * max(share, ended) for task, share, ended in zip(tasks, shares, over, strict=True))
    now = over.index(False) if False in over else len(over) - 1
    same = [number for number, task in enumerate(tasks) if task.what == tasks[now].what]
    which = f", {same.index(now) + 1} of {len(same)}" if len(same) > 1 else ""
    return PaperProgress(done, sum(task.work for task in tasks), tasks[now].what + which, seconds)
