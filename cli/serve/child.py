"""The start of an app that a server has started: it ends with the server, and has limits of its own."""

import os
import runpy
import signal
import sys
import time
from contextlib import suppress
from threading import Thread
from typing import Final

GRACE: Final = 10.0
"""Seconds to save what was learned after the server is gone."""
NICENESS: Final = 5
"""The server answers before the apps train."""
MEMORY: Final = 2 * 2**30
"""The most bytes of memory that an app may allocate."""
FILE: Final = 256 * 2**20
"""The most bytes of a file that it may write."""


def _end_with_server(lifeline: int) -> None:
    """Wait until the server closes its end of the pipe, which the system does when the server is killed."""
    while os.read(lifeline, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os.kill(os.getpid(), signal.SIGKILL)


def _limit() -> None:
    if sys.platform == "win32":
        return
    import resource

    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: FILE, resource.RLIMIT_DATA: MEMORY}
    for kind, most in limits.items():
        with suppress(OSError, ValueError):  # a system that has no such limit, or a lower one already
            resource.setrlimit(kind, (most, most))
    os.nice(NICENESS)


def main() -> None:
    """Run the program with the arguments that follow the number of the pipe to the server."""
    lifeline = int(sys.argv.pop(1))
    _limit()
    Thread(target=_end_with_server, args=[lifeline], daemon=True).start()
    runpy.run_module("cli", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
