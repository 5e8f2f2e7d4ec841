"""How long-running work learns that it should stop: it calls a function every few hundredths of a second."""

from collections.abc import Callable

Stop = Callable[[], bool]
"""Returns whether the work should stop."""


class Stopped(Exception):
    """Raised by work that ends early because its `Stop` returned `True`."""


def never() -> bool:
    """Return the `Stop` of work that runs to its end."""
    return False
