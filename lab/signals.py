"""The signals that end the program, and how to set a handler without losing a signal."""

import signal
import sys
from collections.abc import Callable
from functools import cache
from types import FrameType
from typing import Final

ENDING: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

SIGNAL_EXIT: Final = 128
"""The exit code of a program ended by a signal is this plus the number of the signal."""


def set_handler(number: int, handler: Callable[[int, FrameType | None], object] | int) -> None:
    """Set the handler of a signal. Signals that came before are handled by the previous handler.

    A signal that comes during the change may be lost: another thread can receive it for the previous handler after
    Python has looked for pending signals. No message about it is printed, now or later.
    """
    hide_lost_signals()
    signal.signal(number, handler)


@cache
def hide_lost_signals() -> None:
    """Print no traceback for a signal that was lost: it would appear on a terminal that was just restored.

    Python reports such a signal to `sys.unraisablehook` when it next looks for signals, at any later instruction. It
    reports there, too, the KeyboardInterrupt of a handler that ran during a callback from C or a finaliser.
    """
    report = sys.unraisablehook

    def report_others(unraisable: "sys.UnraisableHookArgs") -> None:
        error = unraisable.exc_value
        lost = isinstance(error, OSError) and "ignored due to race condition" in str(error)
        if not (lost or isinstance(error, KeyboardInterrupt)):
            report(unraisable)

    sys.unraisablehook = report_others
