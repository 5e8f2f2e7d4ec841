"""A process that answers line by line, within a time limit.

Pipes are read and written only while somebody waits for an answer, and never for longer. So a process that floods its
output is held up by a full pipe; and one that leaves other processes behind, which keep its pipes open, delays nobody.
"""

import os
import re
import signal
import subprocess
import sys
from codecs import getincrementaldecoder
from collections.abc import Sequence
from contextlib import suppress
from io import IncrementalNewlineDecoder
from math import inf
from pathlib import Path
from select import select
from time import monotonic
from typing import IO, Final

from lab.judging.notation.reply import MAX_ANSWER_BYTES, AgentFailed
from lab.text.sanitise import without_controls
from saves.errors import reason

EXIT_SECONDS: Final = 0.5
"""Seconds to wait for the exit code of a process that has closed its output, or was killed."""
WATCH_SECONDS: Final = 0.01
"""Seconds between two checks whether a silent process still runs: other processes may keep its output open."""
MAX_PROCESSES: Final = 64
"""How many processes one with limits may start; beyond it all are killed, since they may start others."""
COUNT_SECONDS: Final = 0.2
"""Seconds between two counts of the processes."""
BLOCKS_PER_MEGABYTE: Final = 2**20 // 512
"""The unit in which `ulimit` counts the size of a file is a block."""
SHELL: Final = 'exec 3<&0; "$@" <&3 3<&- & exec <&- 3<&- >&- 2>&-; wait $!'
"""Runs a command below a shell that keeps none of its pipes, so that killing the process above does not kill the
shell.
"""
SIGNAL_OFFSET: Final = 128
"""A shell adds this to the number of the signal that killed its command, and exits with the sum."""
LINE_TEXT: Final = re.compile(r"[^\n\t]+")
"""What is made safe of a text that an agent prints: all but its lines and tabs."""
CHUNK_BYTES: Final = 2**16
"""The number of bytes that are read at once: the capacity of a pipe."""


class Silent(Exception):
    """There was no answer within the time limit."""


class Unasked(Exception):
    """The process has written before it was asked. The message is the text that it wrote."""


class Ended(Exception):
    """The process has ended without an answer. The message says in which way."""

    def __init__(self, code: int | None) -> None:
        """Say how the process ended, by the exit code of its shell; `None` if it closed its output but still runs."""
        how = f"it ended with exit code {code}"
        if code is None:
            how = "it closed its output"
        elif code < 0:
            how = f"the process above it was killed by signal {-code}: perhaps it did that"
        elif SIGNAL_OFFSET < code <= SIGNAL_OFFSET + signal.NSIG:
            how = f"it was killed by signal {code - SIGNAL_OFFSET}"
        super().__init__(how)
        self.code = code


class LineProcess:
    """A running process that answers each line with a line."""

    def __init__(
        self, command: Sequence[str], title: str, *, passes_errors: bool = False, megabytes: int | None = None
    ) -> None:
        """Start the process. Raises `AgentFailed`.

        With `megabytes`, it may take at most so much memory, write files of at most that size, and start
        `MAX_PROCESSES`. With `passes_errors`, its standard error is passed on.
        """
        if sys.platform == "win32":  # where `select` does not know pipes
            raise AgentFailed(f"{title} cannot be started: other programs can be asked on Linux and macOS only")
        self._title = title
        self._next_count = inf if megabytes is None else 0.0
        """The time of the next count of the processes."""
        self.has_answered = False
        self._unread = bytearray()
        """The output of the process up to the next answer, and perhaps beyond."""
        self._errors = IncrementalNewlineDecoder(getincrementaldecoder("utf-8")("replace"), translate=True)
        limits = ""
        if megabytes is not None:
            limits = f"ulimit -v {megabytes * 1024} && ulimit -f {megabytes * BLOCKS_PER_MEGABYTE} && "
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(  # noqa: S603  the person named the agent to run
                ["/bin/sh", "-c", limits + SHELL, "sh", *command],
                bufsize=0,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe if passes_errors else subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise AgentFailed(f"{title} cannot be started: {reason(error)}") from error
        os.set_blocking(_opened(self._process.stdin).fileno(), False)
        self._outputs = [each.fileno() for each in (self._process.stdout, self._process.stderr) if each is not None]
        """The standard output of the process, and its standard error if that is passed on; each until its end."""

    def ask(self, text: str, patience: float, max_bytes: int = MAX_ANSWER_BYTES) -> bytes:
        """Write a line, and return the answer: see `next_line`. Raises `Unasked` if the process has written already."""
        deadline = monotonic() + patience
        self._read_output(0)
        if self._unread:
            raise Unasked(self._unread.decode("utf-8", "replace").strip())
        self._write(text.encode() + b"\n", deadline)
        line = self.next_line(deadline - monotonic(), max_bytes)
        self.has_answered = True
        return line

    def _write(self, data: bytes, deadline: float) -> None:
        """Write to the process. Raises `Silent` if it does not read the data before the deadline."""
        pipe = _opened(self._process.stdin).fileno()
        while data:
            try:
                data = data[os.write(pipe, data) :]
            except BlockingIOError:
                if not select([], [pipe], [], max(0.0, deadline - monotonic()))[1]:
                    raise Silent from None
            except OSError:  # it has ended, which the end of its output shows
                return

    def next_line(self, patience: float, max_bytes: int = MAX_ANSWER_BYTES) -> bytes:
        """Return the next line that the process writes, cut off after `max_bytes`.

        Raises `Silent` after `patience` seconds, `Ended`, and `AgentFailed` if the process has started too many others.
        """
        deadline = monotonic() + patience
        line = self._take_line(max_bytes)
        while not line:
            self._check_count()
            self._wait_for_output(deadline - monotonic())
            line = self._take_line(max_bytes)
        if (self._process.poll() or 0) < 0:  # an agent may go on without the process above it
            raise Ended(self._process.returncode)
        return line

    def _wait_for_output(self, remaining: float) -> None:
        """Wait a moment for output. Raises `Silent` if no seconds remain, or `Ended` if there will be no output."""
        has_ended = self._process.poll() is not None  # before its output is read, so that none is missed
        if self._read_output(0 if has_ended else min(max(remaining, 0), WATCH_SECONDS)):
            return
        if _opened(self._process.stdout).fileno() not in self._outputs:
            if not self._unread:
                raise Ended(self._exit_code())
            self._unread += b"\n"  # its last line has no end
        elif has_ended:
            raise Ended(self._process.returncode)
        elif remaining <= 0:
            raise Silent

    def _check_count(self) -> None:
        """Count the processes of the session; if there are too many, kill all of them and raise `AgentFailed`."""
        now = monotonic()
        if now >= self._next_count:
            self._next_count = now + COUNT_SECONDS
            if len(_processes_of(self._process.pid)) > MAX_PROCESSES + 1:  # with its shell
                self._kill()
                raise AgentFailed(f"{self._title} starts more than {MAX_PROCESSES} processes")

    def _take_line(self, max_bytes: int) -> bytes:
        """Take the next line out of the unread output; empty if it is not complete yet."""
        size = self._unread.find(b"\n", 0, max_bytes) + 1
        if size == 0 and len(self._unread) >= max_bytes:
            size = max_bytes
        line = bytes(self._unread[:size])
        del self._unread[:size]
        return line

    def _read_output(self, seconds: float) -> bool:
        """Wait for output, and pass on errors. Return whether the standard output had data, or has ended."""
        ready, output = select(self._outputs, [], [], seconds)[0], _opened(self._process.stdout).fileno()
        for pipe in ready:
            data = os.read(pipe, CHUNK_BYTES)
            if not data:
                self._outputs.remove(pipe)
            elif pipe == output:
                self._unread += data
            else:
                self._pass_on(data)
        return output in ready

    def _pass_on(self, data: bytes) -> None:
        """Write to the standard error of this process, without control characters: a terminal would obey them."""
        data = LINE_TEXT.sub(lambda text: without_controls(text[0]), self._errors.decode(data)).encode()
        with suppress(OSError):  # it was closed, or is full
            while data:
                data = data[os.write(2, data) :]

    def _exit_code(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(EXIT_SECONDS)
        return None

    def end(self) -> None:
        """Kill the process and all others of its session, or of its group if the system does not list sessions."""
        self._kill()
        self._exit_code()
        self._read_output(0)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for each in _processes_of(self._process.pid):  # some may have begun a group of their own
            with suppress(ProcessLookupError, PermissionError):
                os.kill(each, signal.SIGKILL)


def _processes_of(session: int) -> list[int]:
    """Return the processes of a session, on Linux; empty on other systems, where listing them takes too long."""
    processes, folder = list[int](), Path("/proc")
    if not folder.is_dir():
        return processes
    for entry in folder.iterdir():
        with suppress(OSError):
            if entry.name.isdigit() and os.getsid(int(entry.name)) == session:
                processes.append(int(entry.name))
    return processes


def _opened(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # noqa: S101  opened as a pipe
    return stream
