"""The process of one visitor's app: it limits its memory and file sizes, and ends when the server ends."""

import os
import runpy
import signal
import sys
import time
from contextlib import suppress
from threading import Thread
from typing import Final

GRACE: Final = 10.0
"""Seconds that the app has to save its work after the server has ended."""
NICENESS: Final = 5
"""Lowers the priority of the apps, so that training does not delay the server's answers."""
MAX_MEMORY: Final = 2 * 2**30
"""The maximum amount of memory that an app may allocate, in bytes."""
MAX_FILE_SIZE: Final = 256 * 2**20
"""The maximum size of a file that an app may write, in bytes."""


def _end_with_server(lifeline: int) -> None:
    """Wait until the server's end of the pipe is closed, then end this process.

    The operating system closes it even if the server is killed.
    """
    while os.read(lifeline, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os.kill(os.getpid(), signal.SIGKILL)


def _limit() -> None:
    if sys.platform == "win32":
        return
    import resource

    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: MAX_FILE_SIZE, resource.RLIMIT_DATA: MAX_MEMORY}
    for kind, limit in limits.items():
        with suppress(OSError, ValueError):  # a system that has no such limit, or a lower one already
            resource.setrlimit(kind, (limit, limit))
    os.nice(NICENESS)


def main() -> None:
    """Run the program. The first argument is the file descriptor of the pipe from the server."""
    lifeline = int(sys.argv.pop(1))
    _limit()
    Thread(target=_end_with_server, args=[lifeline], daemon=True).start()
    runpy.run_module("noughts", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
