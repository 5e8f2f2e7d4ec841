"""Compute a paper again: run its parts on two threads, report progress, and make the report."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import chain
from threading import Event
from time import perf_counter
from typing import Final, Generic, TypeVar

from engine.compiling.compile_thread import wait_unless
from engine.game import BadText, quoted
from engine.stop import Stop, Stopped, never
from learners.core.generator import LARGEST_SEED
from learners.core.training import THREADS
from learners.papers.report import FindingTable, PaperResult, Report, Source

INTERVAL_SECONDS: Final = 0.02
"""The time between two progress values, and between two calls of `stop`, in seconds."""

T = TypeVar("T")
ReportShare = Callable[[float], None]
"""Takes the share of the work for a seed that is done, from 0 to 1."""


@dataclass(frozen=True)
class PaperPart(Generic[T]):
    """A part of the work for a paper, run once for each of several seeds."""

    name: str
    run: Callable[[int, ReportShare, Stop], T]
    """A function that takes a seed, and returns the result. Raises `Stopped` soon after `stop()` is true."""
    work: float = 1
    """How long one seed takes, in any unit that all parts of a paper share."""
    seeds: int = 1


@dataclass
class _Task(Generic[T]):
    """A part with one of its seeds."""

    part: PaperPart[T]
    number: int
    seed: int
    share: float = 0.0

    def run(self, stop: Stop) -> T:
        if stop():
            raise Stopped
        with wait_unless(stop):
            result = self.part.run(self.seed, self._report, stop)
        self.share = 1.0
        return result

    def _report(self, share: float) -> None:
        self.share = share


@dataclass(frozen=True)
class PaperProgress:
    """How far the computation has come. The last value has the report."""

    share: float
    """The share that is done, from 0 to 1."""
    what: str
    seconds: float
    report: Report | None = None

    @property
    def left(self) -> float:
        """The remaining seconds at the rate so far; infinite before anything is done."""
        return self.seconds * (1 - self.share) / self.share if self.share else math.inf


@dataclass(frozen=True)
class Paper(Generic[T]):
    """A source, the work to compute it again, and how its results become tables."""

    source: Source
    parts: Sequence[PaperPart[T]]
    tables: Callable[[Mapping[str, Sequence[T]], int], PaperResult]
    """Returns tables and curves, given the results of each part by its name, in the order of seeds, and the first seed.
    """

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def seeds(self) -> int:
        """The maximum number of consecutive seeds that the parts of the paper use."""
        return max(part.seeds for part in self.parts)

    @property
    def last_seed(self) -> int:
        return LARGEST_SEED - self.seeds + 1

    def require_seed(self, seed: int) -> None:
        if not 0 <= seed <= self.last_seed:
            raise BadText(f"seed {quoted(str(seed))}: give {self.name} a whole number from 0 to {self.last_seed:,}")

    def run(self, seed: int, stop: Stop = never) -> Iterator[PaperProgress]:
        """Compute the paper again. Yield progress every few hundredths of a second, and the report at the end.

        Ends without a report, and without a thread left, within 0.2 s after `stop()` is true or the iterator is
        closed, unless a kernel is just being loaded. Raises `BadText` for a seed out of range, and whatever a part
        raises.
        """
        self.require_seed(seed)
        start, halted = perf_counter(), Event()
        tasks = [_Task(part, number, seed + number) for part in self.parts for number in range(part.seeds)]
        # the pool waits for its threads at the end, so that two never share the processors
        with ThreadPoolExecutor(THREADS, "papers ") as threads:
            running = {threads.submit(task.run, halted.is_set): task for task in tasks}
            pending: Collection[Future[T]] = running
            try:
                while pending:
                    if stop():
                        return
                    yield _progress(tasks, perf_counter() - start)
                    ended, pending = wait(pending, INTERVAL_SECONDS, FIRST_EXCEPTION)
                    for each in ended:
                        each.result()  # raises what the task has raised
            except Stopped:
                return
            finally:
                halted.set()
        results: dict[str, list[T]] = {}
        for future, task in running.items():
            results.setdefault(task.part.name, []).append(future.result())
        tables, curves = self.tables(results, seed)
        seconds = perf_counter() - start
        yield PaperProgress(1.0, "", seconds, Report(self.source, seed, seconds, tables, curves))


def paper_without_chance(source: Source, tables: Mapping[str, Callable[[], FindingTable]]) -> Paper[FindingTable]:
    """Return a paper whose tables involve no chance and take little time, given the function that makes each."""

    def part(name: str, make_table: Callable[[], FindingTable]) -> PaperPart[FindingTable]:
        return PaperPart(name, lambda _seed, _report, _stop: make_table())

    parts = [part(name, make_table) for name, make_table in tables.items()]
    return Paper(source, parts, lambda results, _seed: (tuple(chain(*results.values())), ()))


def _progress(tasks: Sequence[_Task[T]], seconds: float) -> PaperProgress:
    share = sum(task.part.work * task.share for task in tasks) / sum(task.part.work for task in tasks)
    task = next((task for task in tasks if task.share < 1), tasks[-1])
    what = task.part.name
    if task.part.seeds > 1:
        what += f", {task.number + 1} of {task.part.seeds}"
    return PaperProgress(share, what, seconds)
