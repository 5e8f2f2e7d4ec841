"""The signals that end the program, and how to set a handler without losing a signal."""

import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Final

ENDING: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that end the program, of those that this system has."""

SIGNAL_EXIT: Final = 128
"""The exit code of a program ended by a signal is this plus the number of the signal."""


def set_handler(number: int, handler: Callable[[int, FrameType | None], object] | int) -> None:
    """Set the handler of a signal. Signals that came before are handled by the previous handler.

    A signal that comes during the change may be lost: another thread can receive it for the previous handler after
    Python has looked for pending signals. Python then reports "ignored due to race condition" to `sys.unraisablehook`,
    which would print a traceback on a terminal that was just restored.
    """
    report = sys.unraisablehook

    def report_others(unraisable: "sys.UnraisableHookArgs") -> None:
        if not isinstance(unraisable.exc_value, OSError):
            report(unraisable)

    sys.unraisablehook = report_others
    try:
        signal.signal(number, handler)
    finally:
        sys.unraisablehook = report
