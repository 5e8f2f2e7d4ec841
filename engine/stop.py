"""How long-running work learns that it should stop: it calls a function every few hundredths of a second."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import Final, TypeVar

T = TypeVar("T")
Stop = Callable[[], bool]
"""Returns whether the work should stop."""
_ENDING: Final = Event()


class Stopped(Exception):
    """Raised by work that ends early because its `Stop` returned `True`."""


def never() -> bool:
    """Return the `Stop` of work that runs to its end."""
    return False


def end_all_work() -> None:
    """From now on, make every thread that waits for a kernel, or for a space, raise `Stopped` within 0.2 s.

    So does a thread that goes through a space, or calls a kernel. Python waits for all threads before it exits.
    """
    _ENDING.set()


def is_ending() -> bool:
    """Return whether `end_all_work` was called."""
    return _ENDING.is_set()


def stop_at_end() -> None:
    """Raise `Stopped` if `end_all_work` was called."""
    if _ENDING.is_set():
        raise Stopped


@contextmanager
def while_time_lasts(stop: Stop) -> Iterator[None]:
    """Leave the block when it raises `Stopped` because its time is over; raise it on if `stop()` is true."""
    try:
        yield
    except Stopped:
        if stop():
            raise


def unless_stopped(items: Iterable[T], stop: Stop, every: int = 500) -> Iterator[T]:
    """Yield the items; raise `Stopped` if `stop()` is true before the first, or after another `every` of them."""
    for number, item in enumerate(items):
        if number % every == 0 and stop():
            raise Stopped
        yield item
