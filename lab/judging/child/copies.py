"""Copies of a process, which are asked instead of the original."""

from __future__ import annotations

import os
import warnings
from select import select
from typing import Any, Callable

CHECK_SECONDS = 1.0
"""The time between two checks that the parent still runs."""
BACK_CODE = 99
"""The exit code of a copy after which the original process goes on."""


def start_waiting_copy() -> Callable[[], Any] | None:
    """Copy this process, with an agent that was asked nothing; the copy waits.

    In this process, return a function that ends the process and lets the copy go on. In the copy, return `None` when
    that happens. If no copy can be made, the function does nothing.
    """
    ready, wake = os.pipe()
    original = os.getpid()
    try:
        copy = fork()
    except OSError:
        return lambda: None

    def end_for_copy() -> None:
        os.write(wake, b".")
        os.waitpid(copy, 0)
        os._exit(1)

    if copy:
        return end_for_copy
    os.close(wake)
    while not select([ready], [], [], CHECK_SECONDS)[0]:
        if os.getppid() != original:
            os._exit(1)
    if not os.read(ready, 1):
        os._exit(1)
    return None


def continue_in_copy() -> bool:
    """Copy this process; return true in the copy, and false here once the copy has ended with `BACK_CODE`.

    If the copy ends with another code, this process ends, too. If no copy can be made, return false at once.
    """
    try:
        copy = fork()
    except OSError:
        return False
    if not copy:
        return True
    status = os.waitpid(copy, 0)[1]
    if not os.WIFEXITED(status) or os.WEXITSTATUS(status) != BACK_CODE:
        os._exit(1)
    return False


def fork() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python warns of threads, which the copy does not have
        return os.fork()
