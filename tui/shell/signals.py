"""Signals to the app: save what was learned and end, or give the terminal back while stopped.

Python runs a handler between any two of its steps, also in the middle of a write to the terminal. So these handlers
only record the signal and wake the event loop. Those of Textual act at once, and may restore a terminal that the app is
using (see https://github.com/Textualize/textual/issues/1582).
"""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import copy_context
from time import sleep
from types import FrameType
from typing import Final, Protocol

from lab.signals import ENDING, SIGNAL_EXIT, set_handler
from lab.training.training_job import TrainingJob

STOPPING: Final = (signal.SIGTSTP, signal.SIGCONT)
CHECK: Final = 0.05
"""Seconds between two checks which process has the terminal."""


class App(Protocol):
    """The part of the app that signals act on."""

    @property
    def is_headless(self) -> bool: ...

    @property
    def is_web(self) -> bool: ...

    @property
    def is_running(self) -> bool: ...

    @property
    def job(self) -> TrainingJob | None: ...

    def leave(self) -> None: ...

    def suspend(self) -> AbstractContextManager[None]: ...

    def keep_training(self) -> None: ...

    def farewell(self) -> int: ...


class Signals:
    """Records signals, and lets the app act on them."""

    def __init__(self) -> None:
        self.received: list[int] = []
        """The signals received that end the app, in order, each once."""
        self._pending: set[int] = set()
        """Signals that the event loop has still to handle. One that comes again meanwhile is not handled twice."""
        self._app: App | None = None

    @property
    def code(self) -> int:
        """The exit code: 128 plus the number of the first signal, as in a shell; 0 if none was received."""
        return SIGNAL_EXIT + self.received[0] if self.received else 0

    @contextmanager
    def recorded(self) -> Iterator[None]:
        """Record signals, from before the app runs until what it learned is saved. Ignored signals stay ignored."""
        found = {number: signal.getsignal(number) for number in (*ENDING, *STOPPING)}
        before = {number: handler for number, handler in found.items() if handler is not None}  # `None`: set in C
        for number in ENDING:
            if before.get(number, signal.SIG_IGN) is not signal.SIG_IGN:
                signal.signal(number, self._record)
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)  # until the app can stop, and Textual has set its handlers
        try:
            yield
        finally:
            for number, handler in before.items():
                ends = self.received and number in ENDING  # a further signal must not disturb the end
                set_handler(number, signal.SIG_IGN if ends else handler)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)

    def attach(self, app: App) -> None:
        """Let the app, which is running now, act on signals."""
        self._app, self._loop, self._context = app, asyncio.get_running_loop(), copy_context()
        if not (app.is_headless or app.is_web):
            for number in STOPPING:
                signal.signal(number, self._record)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
        if self.received:
            app.leave()

    def _record(self, number: int, _frame: FrameType | None) -> None:
        if number in ENDING:
            self.received += [number] * (number not in self.received)
        if self._app is not None and not self._loop.is_closed() and number not in self._pending:
            self._pending.add(number)
            self._loop.call_soon_threadsafe(self._handle, number, context=self._context)

    def _handle(self, number: int) -> None:
        self._pending.discard(number)
        app = self._app
        if app is None or not app.is_running:  # it has given the terminal back and is about to end
            return
        if number in ENDING:
            app.leave()
        elif not self.received:
            self._suspend(app, stopped=number == signal.SIGTSTP)

    def _suspend(self, app: App, *, stopped: bool) -> None:
        """Give the terminal back, stop if `stopped`, and take the terminal again once this process may use it."""
        with app.suspend():
            if stopped:
                with app.job.no_save_running() if app.job else nullcontext():
                    _stop()
            while not self.received and _in_background():
                sleep(CHECK)  # training goes on; a signal may reach another thread a moment after this one resumes
            if self.received:
                app.keep_training()
                os._exit(app.farewell())  # without touching the terminal, which another process has now


def _stop() -> None:
    """Stop this process until it is continued; do nothing where nobody could continue it."""
    before = {number: signal.getsignal(number) for number in STOPPING}
    for number in STOPPING:
        set_handler(number, signal.SIG_DFL)
    signal.raise_signal(signal.SIGTSTP)
    for number, handler in before.items():
        signal.signal(number, handler)
    sleep(CHECK)


def _in_background() -> bool:
    """Whether another process group has the terminal."""
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) != os.getpgrp()
    except OSError:  # the terminal is gone, or no process group has it
        return False
