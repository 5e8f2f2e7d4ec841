"""Run a sweep: hand batches to workers, and keep the rows of each when it has finished.

A batch has as many machines as take about a second, going by earlier machines of its point. The first batches are
shorter, since no times are known yet; so are the last ones, so that all workers finish at about the same time. The
size of the batches does not change the rows.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import Final

from engine.stop import never
from learners import parse_learner
from learners.race.measures import judging_of
from learners.sweep.batch import MAX_LINES, Batch, Rows, run_batch
from learners.sweep.definition import Definition
from learners.sweep.layout import Layout, layout_of
from learners.sweep.point import Point, opponent_of
from learners.sweep.program import OtherProgram, program
from learners.sweep.workers import SweepFailed, Workers

INTERVAL_SECONDS: Final = 0.1
"""The longest time between two checks of whether to stop, and the time between two reports, in seconds."""
BATCHES_EACH: Final = 2
"""How many batches each worker has: the one that it runs, and one more, so that it never waits."""
BATCH_SECONDS: Final = 1.0
"""How long a batch should take, in seconds."""
COUNT_INTERVAL: Final = 1.0
"""The time between two counts of the workers, in seconds."""
SHORT_SECONDS: Final = 0.1
"""How long the first and the last batches should take, in seconds."""
MAX_PER_SECOND: Final = 200
"""How many batches a second the process can gather at most: with more workers than this, batches are longer."""
SILENCE_SECONDS: Final = 10.0
"""After how many seconds without a finished batch the progress says what is missing."""
ATTEMPTS: Final = 5
"""How often a batch is run before the sweep ends, if its worker dies each time."""
MAX_MEASURED_POINTS: Final = 12
"""The maximum number of points that an estimate measures."""
ESTIMATE_SECONDS: Final = 4.0
"""About how long an estimate measures, in seconds."""
FIRST_ROUNDS: Final = 100
"""The rounds of the first slice of training in an estimate; each further slice is twice as long."""


@dataclass(frozen=True)
class SweepPlan:
    """A sweep whose points are known and valid."""

    definition: Definition
    points: tuple[Point, ...]
    layout: Layout

    @property
    def machines(self) -> int:
        return len(self.points) * len(self.definition.seeds)

    @property
    def rounds(self) -> dict[str, int]:
        """The number of rounds of all machines together, by the noun for a round, such as `game`."""
        rounds = Counter[str]()
        for point in self.points:
            noun = parse_learner(point.learner).spec.round_noun
            rounds[noun] += self.definition.marks_of(point.learner)[-1] * len(self.definition.seeds)
        return dict(rounds)

    def batch(self, number: int, seeds: range) -> Batch:
        point = self.points[number]
        return Batch(number, point, seeds, self.definition.marks_of(point.learner), self.layout)


def plan_of(definition: Definition) -> SweepPlan:
    """Return the plan of a sweep. Raises `BadText` for a point that is not valid, naming the point."""
    points = definition.points()
    return SweepPlan(definition, points, layout_of(points))


@dataclass(frozen=True)
class SweepProgress:
    done: int
    """How many machines are finished, including those of earlier runs."""
    total: int
    workers: int
    """How many batches can run at the same time."""
    waiting: str = ""
    """What is missing, and what to do about it, if nothing has finished for `SILENCE_SECONDS`; otherwise empty."""


class _Queue:
    """The machines that have not run. They are divided into batches only when workers need one."""

    def __init__(self, plan: SweepPlan, missing: Iterable[tuple[int, range]]) -> None:
        self._plan = plan
        self._waiting = deque(missing)
        """The seeds of each point that are in no batch yet."""
        self._retries: deque[Batch] = deque()
        self.machines = sum(len(seeds) for _, seeds in self._waiting)
        """How many machines are not finished."""
        self._seconds: dict[int, float] = {}
        """How long a machine of each point took, in seconds."""
        self._usual = 0.0
        """How long the last machine of any point took, in seconds; 0 at first."""

    def next_batch(self, workers: int) -> Batch | None:
        """Return a batch to run, given the number of workers; `None` if all machines are in batches."""
        if not self._waiting:
            return self._retries.popleft() if self._retries else None
        number, seeds = self._waiting.popleft()
        count = self._batch_size(number, workers)
        if count < len(seeds):
            self._waiting.appendleft((number, seeds[count:]))
        return self._plan.batch(number, seeds[:count])

    def _batch_size(self, number: int, workers: int) -> int:
        """Return how many machines of a point the next batch may have."""
        machine_seconds = self._seconds.get(number, self._usual)
        if machine_seconds == 0.0:
            return 1
        longest = SHORT_SECONDS
        if number in self._seconds:
            longest = BATCH_SECONDS * max(1.0, workers / MAX_PER_SECOND)
        share = self.machines * machine_seconds / (4 * max(1, workers))
        count = int(min(longest, max(SHORT_SECONDS, share)) / machine_seconds)
        marks = self._plan.definition.marks_of(self._plan.points[number].learner)
        return max(1, min(count, MAX_LINES // len(marks)))

    def put_back(self, batch: Batch) -> None:
        """Run a batch again, after all others, since it may be the one that kills workers."""
        self._retries.append(batch)

    def record_finished(self, rows: Rows) -> None:
        self.machines -= len(rows.seeds)
        self._usual = self._seconds[rows.number] = max(1e-6, rows.seconds / len(rows.seeds))


class _Dispatcher:
    """Hands batches to the workers, and gathers their rows."""

    def __init__(self, queue: _Queue, workers: Workers) -> None:
        self.queue, self.workers = queue, workers
        self.count = workers.count
        self._counted = perf_counter()
        self._running: dict[Future[Rows], Batch] = {}
        self._deaths = Counter[tuple[int, range]]()

    def hand_out(self) -> None:
        """Give the workers enough batches, so that none waits."""
        if perf_counter() - self._counted > COUNT_INTERVAL:
            self.count, self._counted = self.workers.count, perf_counter()
        while len(self._running) < BATCHES_EACH * max(1, self.count):
            batch = self.queue.next_batch(self.count)
            if batch is None:
                return
            self._running[self.workers.submit(batch)] = batch

    def gather(self, keep: Callable[[Sequence[Rows]], None]) -> None:
        """Wait up to `INTERVAL_SECONDS` for batches to end; keep their rows, and put back those whose worker died."""
        ended, _ = wait(self._running, INTERVAL_SECONDS, FIRST_COMPLETED)
        received, failed = list[Rows](), list[tuple[Batch, BaseException]]()
        for future in ended:
            batch, error = self._running.pop(future), _error_of(future)
            if error is None:
                received.append(future.result())
            else:
                failed.append((batch, error))
        if received:
            keep(received)
        for rows in received:
            self.queue.record_finished(rows)
        for batch, error in failed:
            self._put_back(batch, error)

    def _put_back(self, batch: Batch, error: BaseException) -> None:
        """Put back a batch whose worker died. Raises `SweepFailed` for any other error, and after `ATTEMPTS` deaths."""
        if isinstance(error, OtherProgram):
            raise SweepFailed(f"{error}: install the same version everywhere") from error
        if self.workers.lacks_program(error):
            raise SweepFailed(
                "the scheduler or a worker cannot load the batches: "
                f"install {program()} in the Python of the scheduler and of every worker"
            ) from error
        if not self.workers.is_worker_death(error):
            reason = str(error).partition("\n")[0] or "no reason given"
            raise SweepFailed(f"{batch.point.text} failed: {type(error).__name__}: {reason}") from error
        self._deaths[batch.number, batch.seeds] += 1
        if self._deaths[batch.number, batch.seeds] == ATTEMPTS:
            raise SweepFailed(f"workers died {ATTEMPTS} times at {batch.point.text}: do they have enough memory?")
        self.queue.put_back(batch)


def _error_of(future: Future[Rows]) -> BaseException | None:
    """Return the error of a batch that is done; `None` if it has succeeded."""
    try:
        return future.exception()
    except CancelledError as error:
        return error


def run(  # noqa: PLR0913, PLR0917  what is run, by whom, and for how long
    plan: SweepPlan,
    missing: Iterable[tuple[int, range]],
    workers: Workers,
    keep: Callable[[Sequence[Rows]], None],
    stop: Callable[[], bool],
    patience: float = inf,
    clock: Callable[[], float] = perf_counter,
) -> Iterator[SweepProgress]:
    """Run the missing machines; pass the rows of finished batches to `keep`. Yield progress every 0.1 s.

    If nothing has finished for `SILENCE_SECONDS`, the progress says what is missing; after `patience` seconds, an error
    is raised. Both times are read from `clock`. Ends within 0.2 s once `stop()` is true. Raises `SweepFailed` if the
    workers are gone, if a batch fails, or if the worker of a batch dies `ATTEMPTS` times; and whatever `keep` raises.
    The caller closes the workers.
    """
    queue = _Queue(plan, missing)
    dispatcher, reported = _Dispatcher(queue, workers), 0.0
    machines, since = queue.machines, clock()

    def progress() -> SweepProgress:
        waited, lacking = clock() - since, ""
        if waited >= min(SILENCE_SECONDS, patience):
            lacking = workers.missing
        if lacking and waited >= patience:
            raise SweepFailed(lacking)
        return SweepProgress(plan.machines - queue.machines, plan.machines, dispatcher.count, lacking)

    while queue.machines and not stop():
        if perf_counter() - reported >= INTERVAL_SECONDS:
            yield progress()
            reported = perf_counter()
        dispatcher.hand_out()
        dispatcher.gather(keep)
        if queue.machines != machines:
            machines, since = queue.machines, clock()
    yield progress()


@dataclass(frozen=True)
class Estimate:
    """The estimated time for all machines of a sweep, one after the other."""

    tried: int
    """How many machines were measured."""
    seconds: float
    """The processor time of all machines of the sweep."""


def estimate(plan: SweepPlan) -> Estimate:
    """Train and judge one machine at each of some points, which are spread over the grid, and extrapolate.

    Each machine gets an equal share of `ESTIMATE_SECONDS`. If it cannot finish in that time, its own time is
    extrapolated, too.
    """
    step = -(-len(plan.points) // MAX_MEASURED_POINTS)
    numbers = range(0, len(plan.points), step)
    seconds = [_machine_seconds(plan, number, ESTIMATE_SECONDS / len(numbers)) for number in numbers]
    return Estimate(len(seconds), sum(seconds) / len(seconds) * plan.machines)


def _machine_seconds(plan: SweepPlan, number: int, limit: float) -> float:
    """Return how long a machine of a point takes, by training and judging one for at most about `limit` seconds."""
    point, seed = plan.points[number], plan.definition.seeds[0]
    marks = plan.definition.marks_of(point.learner)
    run_batch(Batch(number, point, range(seed, seed + 1), (1,), plan.layout))  # compiles the kernels
    start = perf_counter()
    machine = point.machine(seed, opponent_of(point))
    making_seconds = perf_counter() - start
    trained, slice_rounds, start = 0, FIRST_ROUNDS, perf_counter()
    while trained < marks[-1] and perf_counter() - start < limit / 2:
        count = min(slice_rounds, marks[-1] - trained)
        machine.train(count)
        trained, slice_rounds = trained + count, 2 * slice_rounds
    training_seconds = (perf_counter() - start) * marks[-1] / trained
    start, judged, judging = perf_counter(), 0, judging_of(point.game)
    while judged < len(marks) and perf_counter() - start < limit / 2:
        judging.judge(machine, machine.policy, never)
        judged += 1
    judging_seconds = (perf_counter() - start) * len(marks) / judged
    return making_seconds + training_seconds + judging_seconds
