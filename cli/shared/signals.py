"""Handle the signals that would end a command, so that it can finish its work in order."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from lab.signals import ENDING, hide_lost_signals, set_handler


@contextmanager
def _handled(react: Callable[[int], None]) -> Iterator[None]:
    """Call `react` for every signal that would end the program. Signals that were ignored before stay ignored."""
    over = False

    def handle(number: int, _frame: FrameType | None) -> None:
        if not over:  # the handlers must be restored without an interruption
            react(number)

    before = {number: signal.getsignal(number) for number in ENDING}
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
def collected_signals() -> Iterator[list[int]]:
    """Collect the numbers of the signals that come during the block."""
    received: list[int] = []
    with _handled(received.append):
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


def ignore_signals() -> None:
    """Ignore every signal that would end the program, until it ends."""
    for number in ENDING:
        set_handler(number, signal.SIG_IGN)
