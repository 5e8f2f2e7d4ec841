"""The entry point of the program: `noughts`, or `python -m noughts`."""

import gc
import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Final, NoReturn

RARELY: Final = 50_000
"""The number of new objects between two garbage collections. Imports make many objects that stay: collections waste
time."""


def end_at_signals() -> None:
    """Let SIGINT, SIGTERM and SIGHUP end the program at once, with 128 + number, while no command handles them.

    SIGTERM and SIGHUP print a line. For SIGINT, Python itself would print a traceback, or "Exception ignored" if the
    signal came in a callback, where no caller can catch the exception.
    """

    def end(number: int, _frame: FrameType | None) -> None:
        if number != signal.SIGINT:
            with suppress(OSError):
                os.write(2, f"noughts: ended by {signal.Signals(number).name}\n".encode())
        os._exit(128 + number)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, end)


def run() -> NoReturn:
    """Run the command line and exit; exit with code 1 if a package cannot be imported."""
    end_at_signals()  # before the imports, which take most of the time until a command handles signals
    gc.set_threshold(RARELY)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy would start threads that nothing here uses: 40 ms
    from noughts.home import hidden_package

    if problem := hidden_package():
        sys.exit(f"noughts: {problem}")
    from cli.__main__ import run as run_command

    run_command()


if __name__ == "__main__":
    end_at_signals()
    from pathlib import Path

    from noughts.home import HOME

    if not sys.flags.safe_path and Path(sys.path[0]).resolve() != HOME:  # `python -m` puts the current folder first
        del sys.path[0]
    run()
