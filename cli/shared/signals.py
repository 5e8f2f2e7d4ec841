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

AGAIN: Final = 0.05
"""The time until a lost `KeyboardInterrupt` is raised again, in seconds."""


@contextmanager
def _handled(react: Callable[[int], None], numbers: Iterable[int] = ENDING) -> Iterator[None]:
    """Call `react` for each of these signals. Signals that were ignored before stay ignored.

    In other threads than the main one, where Python handles no signals, nothing is changed.
    """
    over = False

    def handle(number: int, _frame: FrameType | None) -> None:
        if not over:  # the handlers must be restored without an interruption
            react(number)

    before = {number: signal.getsignal(number) for number in numbers if current_thread() is main_thread()}
    replaced = {number: handler for number, handler in before.items() if handler not in (signal.SIG_IGN, None)}
    for number in replaced:
        signal.signal(number, handle)
    try:
        yield
    finally:
        over = True
        for number, handler in replaced.items():
            set_handler(number, handler)


@contextmanager
def collected_signals(numbers: Iterable[int] = ENDING) -> Iterator[list[int]]:
    """Collect the numbers of the signals that come during the block, by default of all that would end the program."""
    received: list[int] = []
    with _handled(received.append, numbers):
        yield received


@contextmanager
def interrupting_signals() -> Iterator[list[int]]:
    """Do the same as `collected_signals`, and raise `KeyboardInterrupt` in the block for every signal.

    Python drops an exception that is raised in a callback from C code such as LLVM; then the block goes on, and
    `KeyboardInterrupt` is raised at its end. C code may also replace the exception by one of its own, as happens
    during the import of numba; then `KeyboardInterrupt` is raised instead of that one.
    """
    received: list[int] = []

    def interrupt(number: int) -> None:
        received.append(number)
        raise KeyboardInterrupt

    hide_lost_signals()
    with _handled(interrupt):
        try:
            yield received
        except Exception:
            if not received:
                raise
    if received:
        raise KeyboardInterrupt


@contextmanager
def insistent_interrupt() -> Iterator[None]:
    """Raise `KeyboardInterrupt` in the block for SIGINT, unless it was ignored, and again while that is lost.

    It is lost where numpy, or an import, calls Python and drops what is raised: as in `array == Side.FIRST`, which asks
    the enumeration for attributes. While the block ends because of it, it is not raised again.
    """
    timers: list[Timer] = []

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        timers.append(Timer(AGAIN, interrupt_main))
        timers[-1].start()
        if not isinstance(sys.exception(), KeyboardInterrupt):
            raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    if before is None or before is signal.SIG_IGN:
        yield
        return
    hide_lost_signals()
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        for each in timers:
            each.cancel()
        set_handler(signal.SIGINT, before)


def ignore_signals() -> None:
    """Ignore every signal that would end the program, until it ends."""
    for number in ENDING:
        set_handler(number, signal.SIG_IGN)
