"""Signals that would end the program, noted instead, so that work can be finished and kept."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")
SIGNAL_EXIT: Final = 128
"""Added to a signal's number it is the exit code of a program that the signal ended."""


@contextmanager
def noted_signals() -> Iterator[list[int]]:
    """The numbers of the signals that came while this is open; one that was ignored before stays so."""
    came: list[int] = []
    numbers = [number for name in NAMES if (number := getattr(signal, name, None)) is not None]
    before = {number: signal.getsignal(number) for number in numbers}
    heard = [number for number, handler in before.items() if handler not in (signal.SIG_IGN, None)]
    for number in heard:
        signal.signal(number, lambda number, _frame: came.append(number))
    try:
        yield came
    finally:
        for number in heard:
            signal.signal(number, before[number])
