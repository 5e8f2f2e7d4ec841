"""A time limit for a call."""

from __future__ import annotations

import gc
import signal
import threading
from time import monotonic, process_time
from typing import Any

PROCESSOR_SHARE = 0.2
"""The least share of the processor that this process has beside other programs: time limits are for processor time."""
AGAIN = 0.05
"""Seconds after which an exception for a limit is raised again, since Python drops one raised in a callback."""


class Expired(BaseException):
    """The time limit of a trial is over."""


def limited(seconds: float, wait: float, call: Any) -> Any:
    """Call a function; return its result, and the seconds that it took.

    Raises `Expired` if the call takes more than `seconds` of processor time, which other programs do not prolong, or
    more than `wait` seconds; both only where the system has timers.
    """
    cpu, wall, over = process_time(), monotonic(), False

    def expire(*_: Any) -> None:
        if not over and (process_time() - cpu >= seconds or monotonic() - wall >= wait):
            raise Expired

    def took() -> float:
        return max(process_time() - cpu, (monotonic() - wall) * PROCESSOR_SHARE)

    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return call(), took()
    collects = gc.isenabled()
    gc.disable()  # a collection, whose time depends on all that there is, is no part of the call
    handler, left = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    try:  # the timer may end at any moment, but not twice within AGAIN
        try:
            signal.signal(signal.SIGALRM, expire)
            signal.setitimer(signal.ITIMER_REAL, min(seconds, wait), AGAIN)
            return call(), took()
        finally:
            over = True
    finally:  # a program that judges its own function keeps its timer
        over = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler or signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, *left)
        if collects:
            gc.enable()
