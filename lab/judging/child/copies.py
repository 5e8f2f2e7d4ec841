"""Copies of a process, which are asked instead of the original."""

from __future__ import annotations

import os
import warnings
from select import select
from typing import Any

WATCH_SECONDS = 1.0
"""The time between two checks that the parent still runs."""
BACK = 99
"""The exit code of a copy after which the original process goes on."""


def waiting_copy() -> Any:
    """Copy this process, with an agent that was asked nothing; the copy waits.

    In this process, return a function that ends the process and lets the copy go on. In the copy, return `None` when
    that happens. If no copy can be made, the function does nothing.
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
    """Copy this process; return true in the copy, and false here once the copy has ended with the code `BACK`.

    If the copy ends with another code, this process ends, too. If no copy can be made, return false at once.
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
