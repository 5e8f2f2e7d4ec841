"""Signals that would end a command, noted instead, or told by an exception, so that it leaves nothing undone."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from lab.signals import ENDING, set_handler


@contextmanager
def _heard(hear: Callable[[int], None]) -> Iterator[None]:
    """Hear of every signal that would end the program; one that was ignored before stays so."""
    over = False

    def handle(number: int, _frame: FrameType | None) -> None:
        if not over:  # nothing is to interrupt what puts back the handlers
            hear(number)

    before = {number: signal.getsignal(number) for number in ENDING}
    heard = {number: handler for number, handler in before.items() if handler not in (signal.SIG_IGN, None)}
    for number in heard:
        signal.signal(number, handle)
    try:
        yield
    finally:
        over = True
        for number, handler in heard.items():
            set_handler(number, handler)


@contextmanager
def noted_signals() -> Iterator[list[int]]:
    """The numbers of the signals that came while this is open."""
    came: list[int] = []
    with _heard(came.append):
        yield came


@contextmanager
def interrupting_signals() -> Iterator[list[int]]:
    """Likewise, and whatever came interrupts what is done, as SIGINT does by itself."""
    came: list[int] = []

    def interrupt(number: int) -> None:
        came.append(number)
        raise KeyboardInterrupt

    with _heard(interrupt):
        yield came


def hear_no_more() -> None:
    """Ignore, to the end of the program, every signal that would end it."""
    for number in ENDING:
        set_handler(number, signal.SIG_IGN)
