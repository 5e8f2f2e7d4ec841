"""How long work is told to stop: a function that it calls every few hundredths of a second."""

from collections.abc import Callable

Stop = Callable[[], bool]
"""Whether to stop: nobody waits for the result any more."""


class Stopped(Exception):
    """Work ended early because its `Stop` said so."""


def never() -> bool:
    """The `Stop` of work that runs to its end."""
    return False
