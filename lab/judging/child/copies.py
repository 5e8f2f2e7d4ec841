"""Copies of a process, which are asked in its place."""

from __future__ import annotations

import os
import warnings
from select import select
from typing import Any

WATCH_SECONDS = 1.0
"""The time between two checks that the parent still runs."""
BACK = 99
"""The exit code of a copy that lets the process go on of which it is a copy."""


def waiting_copy() -> Any:
    """Copy this process, and return a function that ends it and lets the copy go on: an agent that was asked nothing.

    In the copy, return `None` once that is called. If there can be no copy, the function does nothing.
    """
    ready, wake = os.pipe()
    original = os.getpid()
    try:
        copy = forked()
    except OSError:
        return lambda: None

    def go_on() -> None:
        os.write(wake, b".")
        os.waitpid(copy, 0)
        os._exit(1)

    if copy:
        return go_on
    os.close(wake)
    while not select([ready], [], [], WATCH_SECONDS)[0]:
        if os.getppid() != original:
            os._exit(1)
    if not os.read(ready, 1):
        os._exit(1)
    return None


def goes_on_as_copy() -> bool:
    """Return true in a copy of this process; and false here, once the copy has ended with the exit code `BACK`.

    If it ends otherwise, so does this process. If there can be no copy, return false at once.
    """
    try:
        copy = forked()
    except OSError:
        return False
    if not copy:
        return True
    status = os.waitpid(copy, 0)[1]
    if not os.WIFEXITED(status) or os.WEXITSTATUS(status) != BACK:
        os._exit(1)
    return False


def forked() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python warns of threads, which the copy does not have
        return os.fork()
