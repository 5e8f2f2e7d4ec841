"""Signals to the app: at those that would end it, it keeps what was learned; while stopped, it lets go of the terminal.

Python runs a handler between any two of its steps, also amid a write to the terminal. Ours only note the signal and
tell the event loop. Those of Textual 8.2.8 act at once, and take a terminal in the hands of the app for one to restore.
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
LOOK: Final = 0.05
"""Seconds between two looks at whose the terminal is."""


class App(Protocol):
    """What signals need of the app."""

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
    """What came for the app since this was opened, and what is done about it."""

    def __init__(self) -> None:
        self.came: list[int] = []
        """The signals that were to end it, in order, each once."""
        self._due: set[int] = set()
        """Those that are still to be answered: once, however many come."""
        self._app: App | None = None

    @property
    def code(self) -> int:
        """The exit code: 128 and the number of the first signal, as a shell reports it; 0 if none came."""
        return SIGNAL_EXIT + self.came[0] if self.came else 0

    @contextmanager
    def noted(self) -> Iterator[None]:
        """From before the app runs until what it learned is kept; one that was ignored before stays so."""
        told = {number: signal.getsignal(number) for number in (*ENDING, *STOPPING)}
        before = {number: handler for number, handler in told.items() if handler is not None}  # set in C
        for number in ENDING:
            if before.get(number, signal.SIG_IGN) is not signal.SIG_IGN:
                signal.signal(number, self._note)
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)  # until the app can stop, and Textual has its handlers
        try:
            yield
        finally:
            for number, handler in before.items():
                over = self.came and number in ENDING  # another changes nothing then: Python keeps what is ignored so
                set_handler(number, signal.SIG_IGN if over else handler)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)

    def attend(self, app: App) -> None:
        """Let the app, which runs now, do what they ask for."""
        self._app, self._loop, self._context = app, asyncio.get_running_loop(), copy_context()
        if not (app.is_headless or app.is_web):
            for number in STOPPING:
                signal.signal(number, self._note)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
        if self.came:
            app.leave()

    def _note(self, number: int, _frame: FrameType | None) -> None:
        if number in ENDING:
            self.came += [number] * (number not in self.came)
        if self._app is not None and not self._loop.is_closed() and number not in self._due:
            self._due.add(number)
            self._loop.call_soon_threadsafe(self._answer, number, context=self._context)

    def _answer(self, number: int) -> None:
        self._due.discard(number)
        app = self._app
        if app is None or not app.is_running:  # it has given the terminal back and ends in a moment
            return
        if number in ENDING:
            app.leave()
        elif not self.came:
            self._let_go(app, stopped=number == signal.SIGTSTP)

    def _let_go(self, app: App, *, stopped: bool) -> None:
        """Give the terminal back, be stopped, and take it again; without a stop, take it from whoever had it then."""
        with app.suspend():
            if stopped:
                with app.job.no_save_running() if app.job else nullcontext():
                    _stop()
            while not self.came and _in_background():
                sleep(LOOK)  # work goes on; a signal may reach another thread a moment after this one went on
            if self.came:
                app.keep_training()
                os._exit(app.farewell())  # without a look at the terminal, which is another's now


def _stop() -> None:
    """Be stopped until the program is continued; not at all where nobody could continue it."""
    before = {number: signal.getsignal(number) for number in STOPPING}
    for number in STOPPING:
        set_handler(number, signal.SIG_DFL)
    signal.raise_signal(signal.SIGTSTP)
    for number, handler in before.items():
        signal.signal(number, handler)
    sleep(LOOK)


def _in_background() -> bool:
    """Whether the terminal is another's at the moment."""
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) != os.getpgrp()
    except OSError:  # it is gone, or belongs to nobody
        return False
