"""The process that the app runs in: its signals, its output, and the interpreter.

Python runs a signal handler between any two bytecode instructions, even in the middle of a write to the terminal. So
the handlers here only record the signal and wake the event loop. Textual's handlers act at once, and may restore a
terminal that the app is still using (see https://github.com/Textualize/textual/issues/1582).
"""

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import copy_context
from time import sleep
from types import FrameType
from typing import Final, Protocol, TextIO

from lab.signals import ENDING, SIGNAL_EXIT, set_handler
from lab.training.training_job import TrainingJob

STOPPING: Final = tuple(getattr(signal, name) for name in ("SIGTSTP", "SIGCONT") if hasattr(signal, name))
"""The signals to stop and to continue, in this order; Windows has neither."""
CHECK_INTERVAL: Final = 0.05
"""Seconds between two checks of which process has the terminal."""


class SignalledApp(Protocol):
    """The part of the app that `Signals` uses."""

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

    def stop_and_save(self) -> None: ...

    def report_exit(self) -> int: ...


class Signals:
    """Records signals, and makes the app act on them."""

    def __init__(self) -> None:
        self.received: list[int] = []
        """The received signals that end the app, in order, each once."""
        self._pending: set[int] = set()
        """Signals that the event loop has yet to handle. One that arrives again meanwhile is not handled twice."""
        self._app: SignalledApp | None = None

    @property
    def exit_code(self) -> int:
        """The exit code: 128 plus the number of the first signal received, as in a shell; 0 if none was."""
        return SIGNAL_EXIT + self.received[0] if self.received else 0

    @contextmanager
    def record(self) -> Iterator[None]:
        """Record signals in the body of the `with` statement. Signals that the process ignores stay ignored."""
        present = {number: signal.getsignal(number) for number in (*ENDING, *STOPPING)}
        # `None` stands for a handler that was not set from Python, and cannot be restored
        earlier = {number: handler for number, handler in present.items() if handler is not None}
        for number in ENDING:
            if earlier.get(number, signal.SIG_IGN) is not signal.SIG_IGN:
                signal.signal(number, self._receive)
        _block_stopping(block=True)  # until `attach`
        try:
            yield
        finally:
            for number, handler in earlier.items():
                ignores = self.received and number in ENDING  # a second signal must not interrupt the end
                set_handler(number, signal.SIG_IGN if ignores else handler)
            _block_stopping(block=False)

    def attach(self, app: SignalledApp) -> None:
        """Let the app act on signals; called once it is running, after Textual has set its own handlers."""
        self._app, self._loop, self._context = app, asyncio.get_running_loop(), copy_context()
        if not (app.is_headless or app.is_web):
            for number in STOPPING:
                signal.signal(number, self._receive)
        _block_stopping(block=False)
        if self.received:
            app.leave()

    def _receive(self, number: int, _frame: FrameType | None) -> None:
        if number in ENDING and number not in self.received:
            self.received.append(number)
        if self._app is not None and not self._loop.is_closed() and number not in self._pending:
            self._pending.add(number)
            self._loop.call_soon_threadsafe(self._handle, number, context=self._context)

    def _handle(self, number: int) -> None:
        self._pending.discard(number)
        app = self._app
        if app is None or not app.is_running:  # it has restored the terminal and is about to end
            return
        if number in ENDING:
            app.leave()
        elif not self.received:
            self._suspend(app, stop=number == STOPPING[0])

    def _suspend(self, app: SignalledApp, *, stop: bool) -> None:
        """Restore the terminal, stop the process if `stop` is true, and resume once this process has the terminal."""
        with app.suspend():
            if stop:
                with app.job.no_save_running() if app.job else nullcontext():
                    _stop_process()
            # training goes on in the background; `received` is checked repeatedly, since a signal that was sent while
            # the process was stopped may be recorded only after this thread has resumed
            while not self.received and _is_in_background():
                sleep(CHECK_INTERVAL)
            if self.received:
                app.stop_and_save()
                os._exit(app.report_exit())  # not through Textual: the terminal belongs to another process now


def _block_stopping(*, block: bool) -> None:
    """Hold back the signals that stop and continue the process, or let them through again."""
    if STOPPING:
        signal.pthread_sigmask(signal.SIG_BLOCK if block else signal.SIG_UNBLOCK, STOPPING)


def _stop_process() -> None:
    """Stop this process until it is continued; do nothing in an orphaned process group, which nobody can continue."""
    handlers = {number: signal.getsignal(number) for number in STOPPING}
    for number in STOPPING:
        set_handler(number, signal.SIG_DFL)
    signal.raise_signal(STOPPING[0])
    for number, handler in handlers.items():
        signal.signal(number, handler)
    sleep(CHECK_INTERVAL)


def _is_in_background() -> bool:
    """Return whether another process group has the terminal."""
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) != os.getpgrp()
    except OSError:  # the terminal is gone, or no process group has it
        return False


class ResilientOutput:
    """An output stream that drops what cannot be written.

    Symptom without this guard: the app never ends after its terminal is closed. Textual writes in a thread; an error
    ends that thread, and the app waits for it forever.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def outlive_terminal() -> None:
    """Give Textual, which writes to `sys.__stderr__`, a stream that never fails. Call this before the app is made."""
    # the type stubs declare it as final, but Python allows this
    sys.__stderr__ = ResilientOutput(sys.stderr)  # type: ignore[assignment, misc]


SWITCH_INTERVAL: Final = 0.001
"""Seconds after which a thread that computes gives way to a thread that waits, such as that of the screen."""
GC_THRESHOLDS: Final = (10_000, 10, 10)
"""Arguments of `gc.set_threshold`: collections are rarer than by default, since a search holds many small objects."""


def prioritise_screen() -> None:
    """Prepare the interpreter for the app; call it once all modules of the first screen are imported."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.freeze()  # imported modules are never garbage
    gc.set_threshold(*GC_THRESHOLDS)


def skip_final_collection() -> None:
    """Exempt everything from the garbage collection at exit, which would take half a second."""
    gc.freeze()
