"""The signals that end the program, and how to set a handler without losing a signal."""

import signal
from collections.abc import Callable
from types import FrameType
from typing import Final

ENDING: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that end the program, of those that this system has."""

SIGNAL_EXIT: Final = 128
"""The exit code of a program ended by a signal is this plus the number of the signal."""


def set_handler(number: int, handler: Callable[[int, FrameType | None], object] | int) -> None:
    """Set the handler of a signal. Signals that came before are handled by the previous handler.

    The signal is blocked during the change: otherwise Python may print "ignored due to race condition" for a signal
    that comes at this moment.
    """
    if not hasattr(signal, "pthread_sigmask"):
        signal.signal(number, handler)
        return
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    try:
        signal.signal(number, handler)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
