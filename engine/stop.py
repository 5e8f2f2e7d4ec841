"""How long-running work is stopped: it calls a function, its `Stop`, every few hundredths of a second."""

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
    return False


def end_all_work() -> None:
    """From now on, make every thread that waits for a kernel, or for a space, raise `Stopped` within 0.2 s.

    A thread that goes through a space, or calls a kernel, raises it as well. Python waits for all threads before it
    exits.
    """
    _ENDING.set()


def is_ending() -> bool:
    return _ENDING.is_set()


def stop_at_end() -> None:
    """Raise `Stopped` if `end_all_work` was called."""
    if _ENDING.is_set():
        raise Stopped


@contextmanager
def while_time_lasts(stop: Stop) -> Iterator[None]:
    """Suppress `Stopped` from the block, whose time is then over; if `stop()` is true, raise it again."""
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
