"""A time limit for a call."""

from __future__ import annotations

import gc
import signal
import threading
from time import monotonic, process_time
from typing import Any

PROCESSOR_SHARE = 0.2
"""The least share of the processor that this process has beside other programs: time limits are for processor time."""
REPEAT_SECONDS = 0.05
"""Seconds after which an exception for a limit is raised again, since Python drops one raised in a callback."""


class Expired(BaseException):
    """The time limit of a trial is over."""


def call_within(seconds: float, wait: float, call: Any) -> tuple[Any, float]:
    """Call a function; return its result, and the seconds that it took.

    Raises `Expired` if the call takes more than `seconds` of processor time, which other programs do not prolong, or
    more than `wait` seconds; both only where the system has timers.
    """
    processor_start, start, has_ended = process_time(), monotonic(), False

    def expire(*_: Any) -> None:
        if not has_ended and (process_time() - processor_start >= seconds or monotonic() - start >= wait):
            raise Expired

    def elapsed() -> float:
        return max(process_time() - processor_start, (monotonic() - start) * PROCESSOR_SHARE)

    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return call(), elapsed()
    collects_garbage = gc.isenabled()
    gc.disable()  # a collection, whose time depends on all objects that there are, is no part of the call
    outer_handler, outer_timer = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    try:  # the timer may end at any moment, but not twice within REPEAT_SECONDS
        try:
            signal.signal(signal.SIGALRM, expire)
            signal.setitimer(signal.ITIMER_REAL, min(seconds, wait), REPEAT_SECONDS)
            return call(), elapsed()
        finally:
            has_ended = True
    finally:  # a program that judges its own function keeps its timer
        has_ended = True  # again: the timer may have ended before the same line above
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, outer_handler or signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, *outer_timer)
        if collects_garbage:
            gc.enable()
