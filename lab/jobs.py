"""Jobs: trainings, races, sweeps and papers, each in a thread of its own, which a screen starts, polls and stops."""

from abc import ABC, abstractmethod
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from enum import Enum
from threading import Event
from typing import Final, Generic, TypeVar

from engine.stop import Stop

STOP_WAIT: Final = 5.0
"""Seconds to wait for a job to end, far more than most need."""


class JobState(Enum):
    NOT_RUN = "not run"
    WAITING = "waiting"
    STARTING = "starting"
    RUNNING = "training"
    PAUSED = "paused"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"

    @property
    def active(self) -> bool:
        """Whether the job waits or runs."""
        return self in (JobState.WAITING, JobState.STARTING, JobState.RUNNING, JobState.PAUSED)


@dataclass(frozen=True)
class JobStatus:
    state: JobState
    error: str = field(default="", kw_only=True)
    """The reason why the job failed; empty unless it did."""


Status = TypeVar("Status", bound=JobStatus)


class Job(ABC, Generic[Status]):
    """Work in a thread. `view` is replaced, never changed, so that a screen may poll it."""

    def __init__(self, name: str, view: Status, threads: ThreadPoolExecutor | None = None) -> None:
        """Prepare the job; `threads` run it, by default a thread of its own."""
        self.name = name
        self.view = view
        self.threads = threads
        self.stopping = Event()
        self._run_started: Future[None] | None = None

    @abstractmethod
    def work(self, stop: Stop) -> bool:
        """Do the work, and end soon after `stop()` is true. Return whether it is finished."""

    @property
    @abstractmethod
    def headline(self) -> tuple[str, str]:
        """A name for the job, and its progress in words."""

    def start(self) -> None:
        """Start the work; after its end, start it again."""
        if self._run_started is not None:
            self.stopping = Event()
        threads = self.threads or ThreadPoolExecutor(1, self.name)
        self._run_started = threads.submit(self._run, self.stopping.is_set)
        if self.threads is None:
            threads.shutdown(wait=False)  # its thread ends with the work

    def stop(self, patience: float = STOP_WAIT) -> None:
        """Stop the work, and wait up to `patience` seconds for its end. The results so far remain."""
        self.stopping.set()
        run = self._run_started
        if run is not None and run.cancel():
            self._end(JobState.STOPPED)
        elif run is not None:
            wait([run], patience)

    @property
    def running(self) -> bool:
        return self.view.state.active

    def _run(self, stop: Stop) -> None:
        try:
            self._end(JobState.FINISHED if self.work(stop) else JobState.STOPPED)
        except Exception as error:  # noqa: BLE001  the screen shows any error; the app must not end
            self._end(JobState.FAILED, str(error) or type(error).__name__)

    def _end(self, state: JobState, error: str = "") -> None:
        self.view = replace(self.view, state=state, error=error)
