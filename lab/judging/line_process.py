"""A process that is asked line by line, within a time limit."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Final

from lab.judging.reply import MAX_BYTES, AgentFailed
from saves.errors import reason

PATIENCE: Final = 5.0
"""The default time limit for an answer, in seconds."""
EXIT_SECONDS: Final = 1.0
"""How long to wait for the exit code of a process that has closed its output, in seconds."""


class Silent(Exception):
    """There was no answer within the time limit."""


class Ended(Exception):
    """The process has ended without an answer. The message says how."""

    def __init__(self, code: int | None) -> None:
        """`code` is its exit code; `None` if it has closed its output but still runs."""
        how = f"exit code {code}" if code is None or code >= 0 else f"killed by signal {-code}"
        super().__init__("it closed its output" if code is None else how)
        self.code = code


class LineProcess:
    """A running process. It answers each line with a line."""

    def __init__(self, command: Sequence[str], title: str, errors: int | None = subprocess.DEVNULL) -> None:
        """Start it. `errors` is where its standard error goes. Raises `AgentFailed` if it cannot be started."""
        self.answered = False
        """Whether it has answered a line."""
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        """The lines that it has written; an empty one marks the end of its output."""
        try:
            self._process = subprocess.Popen(  # noqa: S603  the person named the agent to run
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, start_new_session=True
            )
        except OSError as error:
            raise AgentFailed(f"{title} cannot be started: {reason(error)}") from error
        if self._process.stdout is not None:
            Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    def _read(self, output: IO[bytes]) -> None:
        with suppress(OSError, ValueError):  # closed while it is read
            while line := output.readline(MAX_BYTES):
                self._lines.put(line)
        self._lines.put(b"")

    def ask(self, text: str, patience: float) -> bytes:
        """Write a line, and return the answer: see `next_line`."""
        if self._process.stdin is not None:
            with suppress(OSError):  # it has ended, which the end of its output shows
                self._process.stdin.write(text.encode() + b"\n")
                self._process.stdin.flush()
        line = self.next_line(patience)
        self.answered = True
        return line

    def next_line(self, patience: float) -> bytes:
        """Return the next line that it writes, cut at `MAX_BYTES`.

        Raises `Silent` after `patience` seconds, and `Ended`.
        """
        try:
            line = self._lines.get(timeout=patience)
        except Empty:
            raise Silent from None
        if not line:
            raise Ended(self._exit_code())
        return line

    def _exit_code(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(EXIT_SECONDS)
        return None

    def end(self) -> None:
        """Kill it, and all processes that it started."""
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
