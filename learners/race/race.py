"""A race: machines of several learners on one budget of games, each judged exactly at the same marks.

One learner may take part with a thousand machines, the same set-up over as many seeds. They are worked on by a few
threads, whose kernels release the interpreter lock, in the order of seeds and then of marks: a few machines advance
side by side, of many the first are done while the last have not begun. What a machine comes to depends on its seed
alone.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from threading import Event, Lock, Thread
from time import perf_counter
from typing import Final

import numpy as np

from engine.evaluate import Policy
from learners.core.checkpoint_marks import CHECKPOINTS
from learners.core.learner import Learner
from learners.core.training import SLICE, THREADS
from learners.race.entrants import Entrant
from learners.race.measures import JUDGED, Floats, judge

MOST_MACHINES: Final = 10_000
"""The most machines of one entrant."""
USUAL_MACHINES: Final = 20
USUAL_BUDGET: Final = 1_000_000
INTERVAL: Final = 0.1
"""Seconds between two standings."""
FIRST_SLICE: Final = 1000
"""Games that take far less time than a slice of training may."""
FIRST_ROOM: Final = 64
"""The machines of an entrant for which there is room at first: of ten thousand most may never begin."""


@dataclass(frozen=True, eq=False)
class Standings:
    """How a race stands."""

    entrants: tuple[Entrant, ...]
    seeds: range
    marks: tuple[int, ...]
    judged: tuple[Floats, ...]
    """For each entrant what its machines came to at the marks: `measures.judged` of each, in the order of the
    seeds, shape (machines, marks, 2, 15), without those seeds that come after all machines on their way. Not a number
    where a machine has not come yet: that may fill up while the race goes on, also after these standings were told."""
    machines: tuple[int, ...]
    """For each entrant how many machines have come to the end."""
    done: int
    """How many games all machines have trained, each up to the budget."""
    seconds: float

    @property
    def total(self) -> int:
        return len(self.entrants) * len(self.seeds) * self.marks[-1]

    @property
    def per_second(self) -> float:
        return self.done / self.seconds if self.seconds else 0.0

    @property
    def finished(self) -> bool:
        return min(self.machines) == len(self.seeds)


def marks_to(budget: int) -> tuple[int, ...]:
    """After how many games machines are judged: 1, 2, 5, 10 … and at the end."""
    return (*sorted(mark for mark in CHECKPOINTS if mark < budget), budget)


class Runner:
    """A machine on its way from mark to mark."""

    def __init__(self, machine: Learner) -> None:
        self.machine = machine
        self._within: Policy = machine.policy()
        """How it played before the last round, where a round is many games."""
        self._slice = FIRST_SLICE

    @property
    def games(self) -> int:
        return self.machine.stats()[self.machine.games_stat]

    def policy_at(self, mark: int, stop: Callable[[], bool], tell: Callable[[int], None]) -> Policy | None:
        """How it plays after so many games; of a round that goes beyond, before that round. `None` where it is stopped.

        Tells every few moments how many games it has trained.
        """
        machine = self.machine
        by_game = machine.counted == machine.games_stat
        while (games := self.games) < mark and not machine.perfect:
            tell(games)
            if stop():
                return None
            if not by_game:
                self._within = machine.policy()
            count = min(self._slice, mark - games) if by_game else 1
            begun = perf_counter()
            machine.train(count)
            if count == self._slice:
                self._slice = max(1, int(count * min(4.0, SLICE / max(perf_counter() - begun, 1e-6))))
        return machine.policy() if games <= mark else self._within


@dataclass
class _Course:
    """What the threads of a race share."""

    entrants: tuple[Entrant, ...]
    seeds: range
    marks: tuple[int, ...]
    asked: Callable[[], bool]
    """Whether somebody wants the race to stop."""
    error: Exception | None = None
    over: Event = field(default_factory=Event)
    _stopping: bool = False

    def __post_init__(self) -> None:
        self._judged = [self._room(min(FIRST_ROOM, len(self.seeds))) for _ in self.entrants]
        self._games = np.zeros((len(self.entrants), len(self.seeds)), np.int64)
        self._runners: dict[tuple[int, int], Runner] = {}
        self._steps = [(seed, 0, entrant) for seed in range(len(self.seeds)) for entrant in range(len(self.entrants))]
        """What can be done next, as a heap: the number of a seed, of a mark and of an entrant."""
        self._lock = Lock()

    def _room(self, machines: int) -> Floats:
        """Where so many are to be judged; what is looked at together, one share of all of them, lies together."""
        return np.full((2, len(JUDGED), len(self.marks), machines), np.nan).transpose(3, 2, 0, 1)

    def stop(self) -> bool:
        """Whether to stop."""
        self._stopping = self._stopping or self.asked()
        return self._stopping

    def prepare(self) -> None:
        """Compile the kernels, or load them from their cache."""
        for entrant in self.entrants:
            if not self.stop():
                machine = entrant.machine(self.seeds[0])
                machine.train(0)
                judge(machine.space, machine.policy())

    def work(self) -> None:
        """Take steps until there are none, or it is to stop."""
        try:
            while not self.stop() and (step := self._next()):
                self._take(*step)
        except Exception as error:  # noqa: BLE001  raised by the thread that watches the race
            self.error = error
            self._stopping = True

    def _next(self) -> tuple[int, int, int] | None:
        """A step for this thread; `None` where the others have all machines that are on their way."""
        with self._lock:
            return heappop(self._steps) if self._steps else None

    def _take(self, seed: int, mark: int, entrant: int) -> None:
        """Bring a machine to a mark, and judge it."""
        runner = self._runners.get((seed, entrant)) or Runner(self.entrants[entrant].machine(self.seeds[seed]))
        games = self._games[entrant]

        def tell(count: int) -> None:
            games[seed] = min(count, self.marks[-1])

        policy = runner.policy_at(self.marks[mark], self.stop, tell)
        if policy is None:
            return
        judged = judge(runner.machine.space, policy)
        tell(self.marks[mark])
        with self._lock:
            self._note(seed, mark, entrant, judged)
            if mark + 1 < len(self.marks):
                self._runners[seed, entrant] = runner
                heappush(self._steps, (seed, mark + 1, entrant))
            else:
                self._runners.pop((seed, entrant), None)

    def _note(self, seed: int, mark: int, entrant: int, judged: Floats) -> None:
        """Keep what a machine came to, in twice the room where it is the first without any."""
        before = self._judged[entrant]
        if seed >= len(before):
            self._judged[entrant] = self._room(min(2 * len(before), len(self.seeds)))
            self._judged[entrant][: len(before)] = before
        self._judged[entrant][seed, mark] = judged

    def end(self) -> None:
        self._stopping = True

    def standings(self, seconds: float) -> Standings:
        machines = (int((~np.isnan(judged[:, -1, 0, 0])).sum()) for judged in self._judged)
        views = tuple(judged.view() for judged in self._judged)
        for view in views:
            view.setflags(write=False)
        return Standings(self.entrants, self.seeds, self.marks, views, tuple(machines), int(self._games.sum()), seconds)


def race(
    entrants: Sequence[Entrant],
    seeds: range,
    budget: int,
    threads: int = THREADS,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Standings]:
    """Let a machine of every entrant and seed train so many games; yields how it stands every moment, and at the end.

    Ends within 0.2 s after `stop()` holds, or the iterator is closed; what machines came to by then stays.
    """
    course = _Course(tuple(entrants), seeds, marks_to(budget), stop)
    course.prepare()
    workers = [Thread(target=course.work, name=f"race {number}", daemon=True) for number in range(threads)]
    begun = perf_counter()
    try:
        for worker in workers:
            worker.start()
        while _wait(workers, INTERVAL):
            yield course.standings(perf_counter() - begun)
    finally:
        course.end()
        for worker in workers:
            worker.join()
    if course.error is not None:
        raise course.error
    yield course.standings(perf_counter() - begun)


def _wait(workers: Sequence[Thread], seconds: float) -> bool:
    """Wait for all to end, at most so long; whether one is still at work."""
    until = perf_counter() + seconds
    for worker in workers:
        worker.join(max(0.0, until - perf_counter()))
    return any(worker.is_alive() for worker in workers)
