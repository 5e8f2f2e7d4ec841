"""Small sweeps for tests, and workers that run batches in the test's own process."""

from concurrent.futures import Future
from random import Random
from typing import Any

from learners.sweep.batch import Batch, Rows, run_batch
from learners.sweep.definition import define
from learners.sweep.running import plan_of

SMALL: dict[str, Any] = {
    "learner": "menace",
    "game": "hexapawn",
    "opponent": ["self", "random"],
    "grid": {"win": [1, 3], "empty": ["resign", "refill"]},
    "seeds": 5,
    "games": 20,
}
"""The definition of a sweep with eight points, on a small game."""


def small_plan(**changes):
    return plan_of(define({**SMALL, **changes}))


class WorkerDied(Exception):
    """A worker died."""


class InProcessWorkers:
    """Runs each batch in this process when it is submitted; `deaths` random batches fail with `WorkerDied`."""

    def __init__(self, count: int = 2, deaths: int = 0, seed: int = 0) -> None:
        self.count = count
        self.deaths = deaths
        self.batches: list[Batch] = []
        self.closed: bool | None = None
        self._random = Random(seed)

    def submit(self, batch: Batch) -> "Future[Rows]":
        self.batches.append(batch)
        future: Future[Rows] = Future()
        if self.deaths and self._random.random() < 0.5:
            self.deaths -= 1
            future.set_exception(WorkerDied())
        else:
            future.set_result(run_batch(batch))
        return future

    missing = ""

    def lacks_program(self, error: BaseException) -> bool:
        return isinstance(error, ImportError)

    def is_worker_death(self, error: BaseException) -> bool:
        return isinstance(error, WorkerDied)

    def close(self, *, finished: bool) -> None:
        self.closed = finished
