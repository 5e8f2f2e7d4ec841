"""Re-runs a paper: its tasks on two threads, told of by time, and at last the report."""

import math
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import perf_counter
from typing import Final, Generic, TypeVar

from engine.game import BadText, quoted
from engine.stop import Stop, Stopped, never
from learners.core.generator import LARGEST_SEED
from learners.core.learner import Learner
from learners.core.training import THREADS, Plan
from learners.core.training import Progress as Trained
from learners.core.training import run as train
from learners.papers.figures import Curves, Report, Source, Table

LOOK: Final = 0.02
"""Seconds between two looks at how far it has come, and at whether to stop."""
TELL: Final = 0.2
"""Seconds between two words from a training: each brings all that it knows along."""

T = TypeVar("T")
Tell = Callable[[float], None]
"""Takes the share of a task that is done."""


@dataclass(frozen=True)
class Task(Generic[T]):
    """Something to run for a paper, mostly one seed of something."""

    what: str
    """What is run; tasks of different seeds have the same."""
    work: float
    """How long it takes, in the paper's own measure."""
    run: Callable[[Tell, Stop], T]
    """Raises `Stopped` soon after it is told to stop."""


@dataclass(frozen=True)
class Progress:
    """How far a re-run has come; the last one holds the report."""

    done: float
    total: float
    what: str
    seconds: float
    report: Report | None = None

    @property
    def share(self) -> float:
        return self.done / self.total

    @property
    def left(self) -> float:
        """The seconds that the rest takes at the rate so far; infinite before there is one."""
        return self.seconds * (1 - self.share) / self.share if self.done else math.inf


@dataclass(frozen=True)
class Paper(Generic[T]):
    source: Source
    tasks: Callable[[int], Sequence[Task[T]]]
    """What is to be run for a seed."""
    tables: Callable[[Mapping[str, Sequence[T]], int], tuple[tuple[Table, ...], tuple[Curves, ...]]]
    """What the results come to, by what was run, and the seed."""
    seeds: int = 1
    """How many seeds are run, one after the other, at most."""

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def last_seed(self) -> int:
        """The largest one to begin with."""
        return LARGEST_SEED - self.seeds + 1

    def require_seed(self, seed: int) -> None:
        """Raises `BadText` for a seed that is none to begin with."""
        if not 0 <= seed <= self.last_seed:
            raise BadText(f"seed {quoted(str(seed))}: give {self.name} a whole number from 0 to {self.last_seed:,}")

    def run(self, seed: int, stop: Stop = never) -> Iterator[Progress]:
        """Re-run it; yields every few hundredths of a second, and at last the report. Without one, it was stopped.

        Ends within 0.2 s after `stop()` holds, or the iterator is closed, unless a kernel is just being loaded; no
        thread is left then. Raises `BadText` for a seed beyond the last one.
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
        yield Progress(total, total, "", seconds, Report(self.source, seed, seconds, tables, curves))


def counted(source: Source, made: Mapping[str, Callable[[], Table]]) -> Paper[Table]:
    """A paper whose tables chance has no part in, each of them by what it tells of; they take next to no time."""

    def tables(found: Mapping[str, Sequence[Table]], _seed: int) -> tuple[tuple[Table, ...], tuple[Curves, ...]]:
        return tuple(table for each in found.values() for table in each), ()

    return Paper(source, lambda _seed: [Task(what, 1, partial(_made, make)) for what, make in made.items()], tables)


def _made(make: Callable[[], T], _tell: Tell, stop: Stop) -> T:
    if stop():
        raise Stopped
    return make()


def _results(tasks: Sequence[Task[T]], stop: Stop) -> Generator[Progress, None, list[T]]:
    """Run tasks; returns their results in order. Raises `Stopped`, and whatever goes wrong in a task."""
    shares, results, told, begun = [0.0] * len(tasks), dict[int, T](), 0.0, perf_counter()
    waiting, ended, halted = deque(enumerate(tasks)), SimpleQueue[tuple[int, T] | Exception](), Event()
    # daemons, so that nothing waits for them where the program breaks
    workers = [
        Thread(target=_work, args=(waiting, shares, ended, halted), name=f"papers {number}", daemon=True)
        for number in range(THREADS)
    ]
    try:
        for worker in workers:
            worker.start()
        while len(results) < len(tasks):
            if stop():
                raise Stopped
            if perf_counter() - told >= LOOK:
                yield _progress(tasks, shares, results, perf_counter() - begun)
                told = perf_counter()
            with suppress(Empty):
                result = ended.get(timeout=LOOK)
                if isinstance(result, Exception):
                    raise result
                results[result[0]] = result[1]
    finally:
        halted.set()
        for worker in workers:
            worker.join()  # two papers never share the processors
    return [results[number] for number in range(len(tasks))]


def _work(
    waiting: deque[tuple[int, Task[T]]],
    shares: list[float],
    ended: SimpleQueue[tuple[int, T] | Exception],
    halted: Event,
) -> None:
    """Run one task after the other, until none is left or somebody says so."""
    while not halted.is_set():
        try:
            number, task = waiting.popleft()
        except IndexError:
            return
        try:
            ended.put((number, task.run(partial(shares.__setitem__, number), halted.is_set)))
        except Exception as error:  # noqa: BLE001  raised again where the results are wanted
            ended.put(error)
            return


def _progress(tasks: Sequence[Task[T]], shares: Sequence[float], results: Mapping[int, T], seconds: float) -> Progress:
    done = sum(task.work * (1.0 if number in results else shares[number]) for number, task in enumerate(tasks))
    now = next(number for number in range(len(tasks)) if number not in results)
    same = [number for number, task in enumerate(tasks) if task.what == tasks[now].what]
    which = f", {same.index(now) + 1} of {len(same)}" if len(same) > 1 else ""
    return Progress(done, sum(task.work for task in tasks), tasks[now].what + which, seconds)


def seeds(first: int, count: int) -> range:
    """That many seeds, one after the other."""
    return range(first, first + count)


def seeds_text(first: int, count: int) -> str:
    """Which seeds these are, and what the figures beside them mean."""
    numbers = seeds(first, count)
    return f"mean ± standard deviation of {count} seeds, {numbers[0]} … {numbers[-1]}"


def trained(learner: Learner, rounds: int, tell: Tell, stop: Stop) -> Trained:
    """Train a learner to the end. Raises `Stopped`."""
    learner.train(0)  # loads the kernel
    for progress in train(learner, Plan(rounds, TELL), stop):
        tell(progress.done / rounds)
    if not progress.finished:
        raise Stopped
    return progress
