"""The workers of a sweep: processes of this machine, or a Dask cluster. Both use executors of `concurrent.futures`."""

import logging
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from contextlib import contextmanager, redirect_stderr, suppress
from importlib import import_module
from multiprocessing import active_children, get_context, parent_process
from socket import create_connection
from threading import Thread
from typing import Any, Final, Protocol

from engine.game import BadText, quoted
from engine.plural import counted_noun
from learners.sweep.batch import Batch, Rows, run_batch

ADDRESS: Final = re.compile(r"(?:(tcp|tls)://)?([^\s/:]+|\[[0-9a-fA-F:.%]+\]):([0-9]{1,5})")
MAX_PORT: Final = 65535
PATIENCE_SECONDS: Final = 10.0
"""How long a scheduler has to answer, in seconds."""


class SweepFailed(Exception):
    """The workers cannot finish the sweep. The message says why, in one line."""


class Workers(Protocol):
    @property
    def count(self) -> int:
        """Return the number of batches that can run at the same time. Raises `SweepFailed`."""

    def submit(self, batch: Batch) -> "Future[Rows]":
        """Queue a batch for a worker. Raises `SweepFailed`."""

    def is_worker_death(self, error: BaseException) -> bool:
        """Return whether this error of a batch means that its worker died, so that the batch can be submitted again."""

    def lacks_program(self, error: BaseException) -> bool:
        """Return whether this error of a batch means that the worker could not load the program."""
        return False

    @property
    def missing(self) -> str:
        """What batches need in order to run, and what to do about it, in one line; empty if they can run."""
        return ""

    def close(self, *, finished: bool) -> None:
        """End the workers. Unless all batches have `finished`, those that still run are lost."""


def usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def begin_worker() -> None:
    """Prepare a process to run batches: it ends with its parent, and ignores Ctrl+C, which the parent handles."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent.join,), daemon=True).start()


def _end_after(wait: Callable[[], None]) -> None:
    wait()
    os._exit(1)


@contextmanager
def _hold_back_interrupts() -> Iterator[None]:
    """Block Ctrl+C during the block; processes that start in it inherit the mask, and so print no traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Processes(Workers):
    """Processes of this machine. If one dies, its whole pool is replaced by a new one."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._others = set(active_children())
        self._pool: ProcessPoolExecutor | None = None

    @property
    def count(self) -> int:
        return self._count

    def submit(self, batch: Batch) -> "Future[Rows]":
        with _hold_back_interrupts():
            try:
                return self._open_pool().submit(run_batch, batch)
            except BrokenProcessPool:
                self._end_pool()
                return self._open_pool().submit(run_batch, batch)

    def _open_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # new processes inherit the file of `sys.stderr`, but a full-screen app replaces it by a stream without one
            with redirect_stderr(sys.__stderr__):
                self._pool = ProcessPoolExecutor(self._count, get_context("spawn"), begin_worker)
        return self._pool

    def is_worker_death(self, error: BaseException) -> bool:
        return isinstance(error, BrokenProcessPool)

    def close(self, *, finished: bool) -> None:
        if self._pool is not None and finished:
            self._pool.shutdown()
        self._end_pool()

    def _end_pool(self) -> None:
        if self._pool is None:
            return
        self._pool.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - self._others:
            child.kill()
        self._pool = None


def _require_greeting(address: str, host: str, port: int) -> None:
    """Raise `BadText` unless a scheduler answers: it speaks first, unlike a web server, for which Dask would wait."""
    try:
        with create_connection((host, port), PATIENCE_SECONDS) as connection:
            has_greeted = bool(connection.recv(1))
    except (OSError, UnicodeError) as error:
        raise BadText(f"no scheduler answers at {quoted(address)}: {error}") from error
    if not has_greeted:
        raise BadText(f"no scheduler answers at {quoted(address)}: another program does")


class Cluster(Workers):
    """A Dask cluster that is already running."""

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at this address. Raises `BadText`."""
        try:
            distributed = import_module("distributed")
        except ImportError as error:
            raise BadText("--scheduler needs the package distributed: pip install 'noughts[cluster]'") from error
        parts = ADDRESS.fullmatch(address)
        if parts is None or int(parts[3]) > MAX_PORT:
            raise BadText(f"{quoted(address)} is not the address of a scheduler: write it as tcp://head:8786")
        if parts[1] != "tls":
            _require_greeting(address, parts[2].strip("[]"), int(parts[3]))
        logging.disable()  # Dask logs tracebacks of errors that are reported here in one line
        self._address = address
        self._distributed = distributed
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # other package versions are harmless: batches are plain values
                self._client = distributed.Client(address, timeout=PATIENCE_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError, TimeoutError) as error:
            raise BadText(f"no scheduler answers at {quoted(address)}: {str(error) or 'timeout'}") from error
        self._pool: Any = self._client.get_executor(pure=False)

    @property
    def count(self) -> int:
        self._require_scheduler()
        try:
            return sum(self._client.nthreads().values())
        except (OSError, TimeoutError) as error:
            raise self._gone_error() from error

    def _require_scheduler(self) -> None:
        if self._client.status != "running":
            raise self._gone_error()

    def _gone_error(self) -> SweepFailed:
        return SweepFailed(f"the scheduler at {self._address} is gone")

    def submit(self, batch: Batch) -> "Future[Rows]":
        self._require_scheduler()
        future: Future[Rows] = self._pool.submit(run_batch, batch)
        return future

    def is_worker_death(self, error: BaseException) -> bool:
        self._require_scheduler()
        return isinstance(error, self._distributed.scheduler.KilledWorker | CancelledError | OSError)

    def lacks_program(self, error: BaseException) -> bool:
        """Return whether a worker could not load the program, as in `Workers`.

        Newer schedulers load the batches too, and raise an error of their own if they cannot.
        """
        return isinstance(error, ImportError) or "deserializ" in str(error)

    @property
    def missing(self) -> str:
        count = self.count
        if count:
            return (
                f"{counted_noun(count, 'thread')} of workers at {self._address} finish nothing: a new worker compiles "
                "for up to a minute first; others may have other work"
            )
        return (
            f"no worker is connected to {self._address}: start one with dask worker {self._address}, "
            "in a Python that has noughts (without it, a worker ends at its first batch)"
        )

    def close(self, *, finished: bool) -> None:
        # Dask raises errors of many kinds if the scheduler is gone. All rows that were received are already kept.
        with suppress(Exception):
            self._pool.shutdown(wait=finished)
        with suppress(Exception):
            self._client.close(timeout=1)
