"""A race: machines of several learners train with the same budget of games, and are judged at the same marks.

An entrant can take part with a thousand machines, one for each seed. A few threads train them, since kernels release
the interpreter lock. A thread always takes the waiting machine with the smallest seed, and trains it to its next mark.
So a few machines advance side by side, and the first finish before the last begin. The result of a machine depends only
on its seed.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from threading import Lock
from time import perf_counter
from typing import Final, Self

import numpy as np

from engine.compiling.compile_thread import wait_unless
from engine.evaluate import Policy
from engine.stop import Stopped
from learners.core.learner import Learner
from learners.core.snapshot import CHECKPOINTS
from learners.core.training import SLICE_SECONDS, THREADS, next_slice
from learners.race.entrants import Entrant
from learners.race.measures import EXACT, Floats, Judging

MAX_MACHINES: Final = 10_000
"""The maximum number of machines of one entrant."""
INTERVAL_SECONDS: Final = 0.1
"""The time between two standings, in seconds."""
FIRST_SLICE: Final = 1000
"""The games of a first slice, which take far less time than a slice may."""
FIRST_ALLOCATED: Final = 64
"""The initial capacity of an entrant's arrays, in machines, doubled as needed: of 10,000, most may never begin."""


@dataclass(frozen=True, eq=False)
class Standings:
    entrants: tuple[Entrant, ...]
    seeds: range
    marks: tuple[int, ...]
    judged: tuple[Floats, ...]
    """For each entrant its results by seed and mark, `measures.judged`, shape (machines, marks, 2, columns).

    Seeds after the last machine that has begun may be missing. NaN where a machine is not at the mark yet; these values
    may be filled in while the race continues, even in standings that were returned before."""
    machines: tuple[int, ...]
    """For each entrant how many machines have finished."""
    done: int
    """How many games all machines together have trained, each up to the budget."""
    seconds: float
    judging: Judging

    @property
    def total(self) -> int:
        """The number of games that all machines together will have trained in the end."""
        return len(self.entrants) * len(self.seeds) * self.marks[-1]

    @property
    def per_second(self) -> float:
        """Games a second; 0 before any time has passed."""
        return self.done / self.seconds if self.seconds else 0.0

    def at_mark(self, count: int) -> Self:
        """Return the standings when all machines had reached the first `count` marks, and no others."""
        later = np.arange(len(self.marks))[:, None, None] >= count
        return replace(self, judged=tuple(np.where(later, np.nan, each) for each in self.judged))

    @property
    def finished(self) -> bool:
        return min(self.machines) == len(self.seeds)


def marks_to(budget: int) -> tuple[int, ...]:
    """Return the numbers of games at which machines are judged, ascending: 1, 2, 5, 10 … and at the end."""
    return (*sorted(mark for mark in CHECKPOINTS if mark < budget), budget)


class RaceRunner:
    def __init__(self, machine: Learner) -> None:
        self.machine = machine
        self._before_round: Policy | None = None
        """The policy before the last round, if a round is many games."""
        self._slice = FIRST_SLICE

    @property
    def games(self) -> int:
        return self.machine.stats()[self.machine.spec.games_statistic]

    def train_to(self, mark: int, stop: Callable[[], bool], report: Callable[[int], None]) -> bool:
        """Train to a number of games, or beyond it if a round passes it; return `False` once `stop()` is true.

        Calls `report` between slices with the number of games trained.
        """
        machine, spec = self.machine, self.machine.spec
        by_game = spec.round_statistic == spec.games_statistic
        while self.games < mark and spec.learns and not machine.perfect:
            games = self.games
            report(games)
            if stop():
                return False
            if not by_game:
                self._before_round = machine.policy()
            count = min(self._slice, mark - games) if by_game else 1
            start = perf_counter()
            machine.train(count)
            if count == self._slice:
                self._slice = next_slice(count, perf_counter() - start, SLICE_SECONDS)
        return True

    def policy_at(self, mark: int) -> Policy:
        """Return the policy at a mark, shape (m,), after `train_to`; or the policy before the round that passed it."""
        if self.games > mark and self._before_round is not None:
            return self._before_round
        return self.machine.policy()


@dataclass
class _RaceState:
    entrants: tuple[Entrant, ...]
    seeds: range
    marks: tuple[int, ...]
    caller_stops: Callable[[], bool]
    judging: Judging
    stopping: bool = False

    def __post_init__(self) -> None:
        self._judged = [self._empty_results(min(FIRST_ALLOCATED, len(self.seeds))) for _ in self.entrants]
        self._games = np.zeros((len(self.entrants), len(self.seeds)), np.int64)
        self._runners: dict[tuple[int, int], RaceRunner] = {}
        self._steps = [(seed, 0, entrant) for seed in range(len(self.seeds)) for entrant in range(len(self.entrants))]
        """The steps that can be taken next, as a heap of (seed, mark, entrant), each an index."""
        self._lock = Lock()
        self._fixed: dict[tuple[int, int], Floats] = {}
        """The results of entrants that do not learn, which are judged once; by entrant and, if it has one, by seed."""

    def _empty_results(self, machines: int) -> Floats:
        """Return an array for the results of this many machines, all NaN, shape (machines, marks, 2, columns).

        In memory, each share of all machines is contiguous, since charts read it as a whole.
        """
        return np.full((2, self.judging.columns, len(self.marks), machines), np.nan).transpose(3, 2, 0, 1)

    def stop(self) -> bool:
        self.stopping = self.stopping or self.caller_stops()
        return self.stopping

    def prepare(self) -> None:
        """Compile the kernels that learners need, or load them from the cache."""
        for entrant in self.entrants:
            if not self.stop():
                machine = entrant.machine(self.seeds[0])
                with suppress(Stopped), wait_unless(self.stop):
                    machine.train(0)
                    if machine.spec.learns:
                        self.judging.judge(machine, machine.policy, self.stop)

    def work(self) -> None:
        """Take steps until there are none, or the race stops."""
        try:
            with suppress(Stopped), wait_unless(self.stop):
                while not self.stop():
                    step = self._next_step()
                    if step is None:
                        return
                    self._take_step(*step)
        except Exception:
            self.stopping = True
            raise

    def _next_step(self) -> tuple[int, int, int] | None:
        with self._lock:
            return heappop(self._steps) if self._steps else None

    def _take_step(self, seed_index: int, mark_index: int, number: int) -> None:
        """Train a machine of the entrant with this number to a mark, and judge it there."""
        entrant, mark = self.entrants[number], self.marks[mark_index]
        runner = self._runners.get((seed_index, number)) or RaceRunner(entrant.machine(self.seeds[seed_index]))
        games = self._games[number]

        def report(count: int) -> None:
            games[seed_index] = min(count, self.marks[-1])

        if not runner.train_to(mark, self.stop, report):
            return
        fixed_key = number, 0 if entrant.search is None else seed_index
        judged = self._fixed.get(fixed_key)
        if judged is None:
            try:
                judged = self.judging.judge(
                    runner.machine, lambda: entrant.filter_policy(runner.machine, runner.policy_at(mark)), self.stop
                )
            except Stopped:
                return
        report(mark)
        with self._lock:
            if not runner.machine.spec.learns:
                self._fixed[fixed_key] = judged
            self._store(seed_index, mark_index, number, judged)
            if mark_index + 1 < len(self.marks):
                self._runners[seed_index, number] = runner
                heappush(self._steps, (seed_index, mark_index + 1, number))
            else:
                self._runners.pop((seed_index, number), None)

    def _store(self, seed_index: int, mark_index: int, number: int, judged: Floats) -> None:
        """Store the results of a machine; double the array if it has no row for it."""
        rows = self._judged[number]
        if seed_index >= len(rows):
            self._judged[number] = self._empty_results(min(2 * len(rows), len(self.seeds)))
            self._judged[number][: len(rows)] = rows
        self._judged[number][seed_index, mark_index] = judged

    def standings(self, seconds: float) -> Standings:
        """Return the standings after this time. Their arrays are read-only views."""
        finished = tuple(int((~np.isnan(judged[:, -1, 0, 0])).sum()) for judged in self._judged)
        views = tuple(judged.view() for judged in self._judged)
        for view in views:
            view.setflags(write=False)
        done = int(self._games.sum())
        return Standings(self.entrants, self.seeds, self.marks, views, finished, done, seconds, self.judging)


def race(  # noqa: PLR0913  most have a default
    entrants: Sequence[Entrant],
    seeds: range,
    budget: int,
    *,
    threads: int = THREADS,
    stop: Callable[[], bool] = lambda: False,
    judging: Judging = EXACT,
) -> Iterator[Standings]:
    """Let a machine of every entrant and seed train `budget` games. Yield standings every 0.1 s, and at the end.

    Ends within 0.2 s after `stop()` is true, or the iterator is closed. Raises whatever a machine raised.
    """
    state = _RaceState(tuple(entrants), seeds, marks_to(budget), stop, judging)
    state.prepare()
    start = perf_counter()
    with ThreadPoolExecutor(threads, "race ") as pool:
        workers = [pool.submit(state.work) for _ in range(threads)]
        try:
            while wait(workers, INTERVAL_SECONDS).not_done:
                yield state.standings(perf_counter() - start)
        finally:
            state.stopping = True
    for worker in workers:
        worker.result()  # raises what a machine has raised
    yield state.standings(perf_counter() - start)
