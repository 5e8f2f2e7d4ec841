"""A sweep: batches go to workers, and their rows are kept as they come in.

How many machines a batch has follows from how long machines of its point took: about a second, less at the beginning
and towards the end, so that workers end together. Rows do not depend on it.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from lab.sweep.workers import Gone, Workers
from learners import parse_learner
from learners.sweep.batch import Batch, Rows
from learners.sweep.definition import Definition
from learners.sweep.layout import Layout, layout_of
from learners.sweep.point import Point

INTERVAL: Final = 0.1
"""The longest time between two looks at whether to stop, and between two reports, in seconds."""
AHEAD: Final = 2
"""How many batches there are for each worker, so that none waits for the next."""
BATCH: Final = 1.0
"""How long a batch takes, in seconds."""
LOOK: Final = 1.0
"""The time between two looks at how many workers there are, in seconds."""
SHORTEST: Final = 0.1
PER_SECOND: Final = 200
"""How many batches a second come in at most: with more workers than this, batches are longer."""
ATTEMPTS: Final = 5
"""How often a batch is tried whose workers die."""


@dataclass(frozen=True)
class Plan:
    """A sweep whose points are known and valid."""

    definition: Definition
    points: tuple[Point, ...]
    layout: Layout

    @property
    def machines(self) -> int:
        """How many machines there are in all."""
        return len(self.points) * len(self.definition.seeds)

    @property
    def rounds(self) -> dict[str, int]:
        """How many rounds all machines train, by what their learners call a round."""
        found: dict[str, int] = {}
        for point in self.points:
            noun = parse_learner(point.learner).spec.round_noun
            found[noun] = found.get(noun, 0) + self.definition.marks_of(point.learner)[-1] * len(self.definition.seeds)
        return found

    def batch(self, number: int, seeds: range) -> Batch:
        """Return machines of a point."""
        point = self.points[number]
        return Batch(number, point, seeds, self.definition.marks_of(point.learner), self.layout)


def plan_of(definition: Definition) -> Plan:
    """Return the plan of a sweep. Raise `BadText` for a point that is not valid, naming it."""
    points = definition.points()
    return Plan(definition, points, layout_of(points))


@dataclass(frozen=True)
class Progress:
    """How far a sweep has come."""

    done: int
    """Machines that have come in, also before this run."""
    total: int
    workers: int
    """How many batches can run at the same time."""


class _Queue:
    """The machines that are left, divided into batches as they are asked for."""

    def __init__(self, plan: Plan, missing: Iterable[tuple[int, range]]) -> None:
        self._plan = plan
        self._left = deque(missing)
        self._again: deque[Batch] = deque()
        self.machines = sum(len(seeds) for _, seeds in self._left)
        """How many machines have not come in."""
        self._seconds: dict[int, float] = {}
        """How long a machine of a point took."""
        self._usual = 0.0
        """How long a machine took last, of whatever point; 0 at first."""

    def next(self, workers: int) -> Batch | None:
        """Return the next batch; `None` if there is none."""
        if not self._left:
            return self._again.popleft() if self._again else None
        number, seeds = self._left.popleft()
        known = self._seconds.get(number)
        each = known or self._usual
        share = self.machines * each / (4 * max(1, workers))
        longest = BATCH * max(1.0, workers / PER_SECOND) if known else SHORTEST
        count = max(1, int(min(longest, max(SHORTEST, share)) / each)) if each else 1
        if count < len(seeds):
            self._left.appendleft((number, seeds[count:]))
        return self._plan.batch(number, seeds[:count])

    def put_back(self, batch: Batch) -> None:
        """Let a batch run again, after all others: it may be the one that ends workers."""
        self._again.append(batch)

    def came_in(self, rows: Rows) -> None:
        """Note how long a batch took."""
        self.machines -= len(rows.seeds)
        self._usual = self._seconds[rows.number] = max(1e-6, rows.seconds / len(rows.seeds))


class _Course:
    """A sweep that runs: what is left, and what the workers have."""

    def __init__(self, queue: _Queue, workers: Workers) -> None:
        self.queue, self.workers = queue, workers
        self.count = workers.count
        self._looked = perf_counter()
        self._running: dict[Future[Rows], Batch] = {}
        self._deaths = Counter[tuple[int, range]]()

    def hand_out(self) -> None:
        """Give the workers enough batches that none waits."""
        if perf_counter() - self._looked > LOOK:
            self.count, self._looked = self.workers.count, perf_counter()
        while len(self._running) < AHEAD * max(1, self.count) and (batch := self.queue.next(self.count)):
            self._running[self.workers.submit(batch)] = batch

    def gather(self, keep: Callable[[Sequence[Rows]], None]) -> None:
        """Wait up to `INTERVAL` for batches to end; keep their rows, and put back those whose worker died."""
        ended, _ = wait(self._running, INTERVAL, FIRST_COMPLETED)
        failed = {future: error for future in ended if (error := _error_of(future))}
        if came := [future.result() for future in ended if future not in failed]:
            keep(came)
        for rows in came:
            self.queue.came_in(rows)
        batches = {future: self._running.pop(future) for future in ended}
        for future, error in failed.items():
            if not self.workers.lost(error):
                what = str(error).partition("\n")[0] or "no reason given"
                raise Gone(f"{batches[future].point.text} failed: {type(error).__name__}: {what}") from error
            self._put_back(batches[future])

    def _put_back(self, batch: Batch) -> None:
        self._deaths[batch.number, batch.seeds] += 1
        if self._deaths[batch.number, batch.seeds] == ATTEMPTS:
            raise Gone(f"workers died {ATTEMPTS} times at {batch.point.text}: have they enough memory?")
        self.queue.put_back(batch)


def _error_of(future: Future[Rows]) -> BaseException | None:
    """Return the error of a batch that has ended."""
    try:
        return future.exception()
    except CancelledError as error:
        return error


def run(
    plan: Plan,
    missing: Iterable[tuple[int, range]],
    workers: Workers,
    keep: Callable[[Sequence[Rows]], None],
    stop: Callable[[], bool],
) -> Iterator[Progress]:
    """Run the machines that are missing, and call `keep` with what has come in. Yield progress every 0.1 s.

    Ends within 0.2 s once `stop()` is true. Raise `Gone` if nobody is left to run batches, or a batch ends its workers
    again and again, and whatever a batch or `keep` raises. The caller closes the workers.
    """
    queue = _Queue(plan, missing)
    course, reported = _Course(queue, workers), 0.0

    def progress() -> Progress:
        return Progress(plan.machines - queue.machines, plan.machines, course.count)

    while queue.machines and not stop():
        if perf_counter() - reported >= INTERVAL:
            yield progress()
            reported = perf_counter()
        course.hand_out()
        course.gather(keep)
    yield progress()
