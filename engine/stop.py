"""How long-running work learns that it should stop: it calls a function every few hundredths of a second."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")
Stop = Callable[[], bool]
"""Returns whether the work should stop."""


class Stopped(Exception):
    """Raised by work that ends early because its `Stop` returned `True`."""


def never() -> bool:
    """Return the `Stop` of work that runs to its end."""
    return False


def unless_stopped(items: Iterable[T], stop: Stop, every: int = 500) -> Iterator[T]:
    """Yield the items; raise `Stopped` if `stop()` is true before the first, or after another `every` of them."""
    for number, item in enumerate(items):
        if number % every == 0 and stop():
            raise Stopped
        yield item
