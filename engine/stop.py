"""How long-running work learns that it should stop: it calls a function every few hundredths of a second."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
Stop = Callable[[], bool]
"""Returns whether the work should stop."""


class Stopped(Exception):
    """Raised by work that ends early because its `Stop` returned `True`."""


def never() -> bool:
    """Return the `Stop` of work that runs to its end."""
    return False


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
