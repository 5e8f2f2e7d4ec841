"""Signals that end the program: which they are, and how a handler is set without losing one."""

import signal
from collections.abc import Callable
from types import FrameType
from typing import Final

ENDING: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that end the program, as far as this system has them."""

SIGNAL_EXIT: Final = 128
"""Added to the number of a signal, the exit code of a program that the signal ended."""


def set_handler(number: int, handler: Callable[[int, FrameType | None], object] | int) -> None:
    """Set what a signal does, after the handler of before has answered those that came already.

    Without blocking the signal meanwhile, Python may report one that comes at this moment on the terminal, as "ignored
    due to race condition".
    """
    if not hasattr(signal, "pthread_sigmask"):
        signal.signal(number, handler)
        return
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    try:
        signal.signal(number, handler)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
