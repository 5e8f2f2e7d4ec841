"""Run work that cannot be stopped in a thread of its own, so that whoever waits for it can be stopped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread, local
from threading import enumerate as running_threads
from typing import Final

from engine.stop import Stop, Stopped, is_ending, never

THREAD: Final = "compile kernels"
CHECK_INTERVAL: Final = 0.1
"""Seconds between two checks for whether to go on waiting."""


class _Stops(local):
    stop: Stop = staticmethod(never)


_STOPS: Final = _Stops()
_ANNOUNCEMENTS: Final[list[Callable[[], object]]] = []


@contextmanager
def wait_unless(stop: Stop) -> Iterator[None]:
    """Make this thread raise `Stopped` once `stop()` is true while it waits for a kernel.

    The thread that compiles goes on, since nothing can stop it; `is_compiling` tells whether it does.
    """
    before, _STOPS.stop = _STOPS.stop, stop
    try:
        yield
    finally:
        _STOPS.stop = before


def is_compiling() -> bool:
    """Return whether kernels are being compiled, so that Python would wait for seconds before it exits."""
    return any(thread.name == THREAD for thread in running_threads())


def announce_compiling(announce: Callable[[], object]) -> None:
    """Call a function once, as soon as a kernel is not in the cache and must be compiled, which takes seconds."""
    _ANNOUNCEMENTS.append(announce)


def compiling_begins() -> None:
    while _ANNOUNCEMENTS:
        _ANNOUNCEMENTS.pop()()


def run_in_thread(work: Callable[[], None], waiting: Callable[[], object] = lambda: None) -> None:
    """Run a function in a thread, and wait for it; call `waiting` from time to time.

    Raises what the function raises, and `Stopped` as `wait_unless` and `end_all_work` say.

    An exception of a signal handler in the main thread ends the wait at once. Without the thread, it would come late
    or be lost while `work` runs C code.
    """
    over, errors = Event(), list[BaseException]()

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001  raised again below
            errors.append(error)
        finally:
            over.set()

    Thread(target=run, name=THREAD).start()
    while not over.wait(CHECK_INTERVAL):
        waiting()
        if is_ending() or _STOPS.stop():
            raise Stopped
    if errors:
        raise errors[0]
