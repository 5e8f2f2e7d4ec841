"""Handle the signals that would end a command, so that it can finish its work in order."""

import signal
import sys
from _thread import interrupt_main
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Timer, current_thread, main_thread
from types import FrameType
from typing import Final

from lab.signals import ENDING, hide_lost_signals, set_handler

REPEAT_DELAY: Final = 0.05
"""Seconds until a lost `KeyboardInterrupt` is raised again."""


@contextmanager
def _handle_signals(react: Callable[[int], None], numbers: Iterable[int] = ENDING) -> Iterator[None]:
    """Call `react` for each of these signals. Signals that were ignored before stay ignored.

    In other threads than the main one, where Python handles no signals, nothing is changed.
    """
    if current_thread() is not main_thread():
        yield
        return
    is_ending = False

    def handle(number: int, _frame: FrameType | None) -> None:
        if not is_ending:  # the handlers must be restored without an interruption
            react(number)

    handlers = {number: signal.getsignal(number) for number in numbers}
    replaced = {number: handler for number, handler in handlers.items() if handler not in (signal.SIG_IGN, None)}
    for number in replaced:
        signal.signal(number, handle)
    try:
        yield
    finally:
        is_ending = True
        for number, handler in replaced.items():
            set_handler(number, handler)


@contextmanager
def collect_signals(numbers: Iterable[int] = ENDING) -> Iterator[list[int]]:
    """Collect the numbers of the signals that come during the block, by default of all that would end the program."""
    received: list[int] = []
    with _handle_signals(received.append, numbers):
        yield received


@contextmanager
def interrupt_on_signals() -> Iterator[list[int]]:
    """Do the same as `collect_signals`, and raise `KeyboardInterrupt` in the block for every signal.

    Python drops an exception that is raised in a callback from C code such as LLVM; then the block goes on, and
    `KeyboardInterrupt` is raised at its end. C code may also replace the exception by one of its own, as happens
    during the import of numba; then `KeyboardInterrupt` is raised instead of that one.
    """
    received: list[int] = []

    def interrupt(number: int) -> None:
        received.append(number)
        raise KeyboardInterrupt

    hide_lost_signals()
    with _handle_signals(interrupt):
        try:
            yield received
        except Exception:
            if not received:
                raise
    if received:
        raise KeyboardInterrupt


@contextmanager
def insist_on_interrupts() -> Iterator[None]:
    """Raise `KeyboardInterrupt` in the block for SIGINT, unless it was ignored, and again while that is lost.

    It is lost where numpy, or an import, calls Python and drops what is raised: as in `array == Side.FIRST`, which asks
    the enumeration for attributes. While the block ends because of it, it is not raised again.
    """
    timers: list[Timer] = []

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        timers.append(Timer(REPEAT_DELAY, interrupt_main))
        timers[-1].start()
        if not isinstance(sys.exception(), KeyboardInterrupt):
            raise KeyboardInterrupt

    replaced = signal.getsignal(signal.SIGINT)
    if replaced is None or replaced is signal.SIG_IGN:
        yield
        return
    hide_lost_signals()
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        for timer in timers:
            timer.cancel()
        set_handler(signal.SIGINT, replaced)


def ignore_signals() -> None:
    """Ignore every signal that would end the program, until it ends."""
    for number in ENDING:
        set_handler(number, signal.SIG_IGN)
