"""Programs in terminals, started from a process that has imported them already: `fork_server.py`."""

import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import clock_gettime, monotonic

from tests.campaigns import fork_server
from tests.campaigns.leak_watch import seconds_without_processor
from tests.tui.terminal import DEADLINE, FIXED, ROOT, SWITCHES, Terminal

STEP = 0.02


class Job:
    """A program in a terminal, like `subprocess.Popen` for one without a terminal.

    It may have ended before this is reported. Then a signal comes too late, which is no fault.
    """

    def __init__(self, reports: socket.socket) -> None:
        self.reports = reports
        self.pid = 0
        self.stopped = 0
        """How often it was stopped."""
        self.returncode: int | None = None
        self.cpu = 0.0
        """Seconds of processor that it took, once it has ended."""
        self._rest = b""
        while not self.pid:
            self.listen(DEADLINE)

    def listen(self, wait: float = 0.0) -> None:
        """Process what is reported within some seconds."""
        if not select.select([self.reports], [], [], wait)[0]:
            return
        came = self.reports.recv(4096)
        assert came or self.returncode is not None, "nobody tends the program"
        *lines, self._rest = (self._rest + came).split(b"\n")
        for line in lines:
            what, *values = line.decode().split()
            if what == "began":
                self.pid = int(values[0])
            elif what == "stopped":
                self.stopped += 1
            else:
                self.returncode, self.cpu = int(values[0]), float(values[1])

    def poll(self) -> int | None:
        if self.returncode is None:
            self.listen()
        return self.returncode

    def wait(self) -> int:
        begun = monotonic()
        while self.poll() is None:
            assert monotonic() - begun < DEADLINE
            self.listen(1.0)
        return self.returncode

    def order(self, command: str) -> None:
        """Let the shell run `fg` or `bg`, unless the program has ended, as by a signal in the background."""
        try:
            self.reports.send(command.encode())
        except BrokenPipeError:
            self.wait()

    def send_signal(self, number: int) -> None:
        """Send a signal to the program only, like `kill`."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def strike(self, number: int) -> None:
        """Send a signal to the whole foreground job, like the terminal at a key."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def taken(self) -> float:
        """Seconds of processor that it has taken so far."""
        try:
            return clock_gettime((~self.pid << 3) | 2)  # its clock, as `clock_getcpuclockid` would tell it
        except OSError:
            self.wait()
            return self.cpu


class Warm:
    """The process that has imported the program, with a terminal, so that Python sets up its streams for one."""

    def __init__(self) -> None:
        self.channel, theirs = socket.socketpair()
        self.terminal, slave = pty.openpty()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", fork_server.__name__, str(theirs.fileno())],
                cwd=ROOT,
                stdin=slave,
                stdout=slave,
                stderr=slave,
                pass_fds=[theirs.fileno()],
                env={name: value for name, value in os.environ.items() if name not in FIXED},
            )
        os.close(slave)

    def close(self) -> None:
        """End the process; raise what it reported as an error."""
        self.channel.close()
        self.process.wait(DEADLINE)
        with suppress(OSError):  # on Linux the end of a pseudo-terminal is an error
            words = os.read(self.terminal, 65536)
            assert not words, words.decode()
        os.close(self.terminal)

    def run(self, terminal: int, request: dict) -> Job:
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self.channel, [json.dumps(request).encode()], [terminal, theirs.fileno()])
        return Job(ours)


@contextmanager
def warm():
    process = Warm()
    try:
        yield process
    finally:
        process.close()


class Session(Terminal):
    """A terminal in which the program was started without importing it again."""

    process: Job

    def __init__(self, warmth: Warm, request: dict, *arguments: str) -> None:
        self.warmth, self.request = warmth, request
        self.record = Path(request["record"])
        self.record.write_bytes(bytes(fork_server.RECORD.size))
        super().__init__(*arguments)

    def start(self, arguments: Sequence[str]) -> Job:
        return self.warmth.run(self.theirs, {**self.request, "arguments": list(arguments)})

    def saves(self) -> tuple[int, int, int]:
        """Saves begun, saves ended, and the games of the newest one."""
        return fork_server.RECORD.unpack(self.record.read_bytes())

    def saving(self) -> bool:
        """Whether a save is under way."""
        begun, ended, _ = self.saves()
        return begun > ended

    def read_for(self, seconds: float) -> None:
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            self.read(left)

    def halted(self) -> float:
        """Read until the program is stopped again; return the time of that."""
        before, begun = self.process.stopped, monotonic()
        while self.process.stopped == before:
            assert self.process.poll() is None, f"ended with {self.process.returncode}"
            assert monotonic() - begun < DEADLINE, self.screen
            self.read(STEP)
        ended = monotonic()
        while self.read(STEP):
            pass
        return ended

    def assert_left(self) -> None:
        """Check that the terminal is restored, whether the program has drawn on it or not."""
        if "\x1b[?1049h" in self.written:
            self.assert_restored()
        assert termios.tcgetattr(self.theirs) == self.settings
        for number, name in SWITCHES.items():
            assert self._last(f"\x1b[?{number}l") >= self._last(f"\x1b[?{number}h"), name
        assert self._last("\x1b[?25h") >= self._last("\x1b[?25l"), "cursor"
        assert "Traceback" not in self.written

    def gone(self) -> tuple[float, float]:
        """Read until the program has ended; return the time of that, and how long it waited for a processor."""
        begun, first = monotonic(), seconds_without_processor(self.process.pid)
        last = dict(first)
        while self.process.returncode is None:
            assert monotonic() - begun < DEADLINE, self.screen
            watched = [self.process.reports] + ([self.ours] if self.ours >= 0 else [])
            ready, *_ = select.select(watched, [], [], STEP)
            last |= seconds_without_processor(self.process.pid)
            if self.process.reports in ready:
                self.process.listen()
            if self.ours in ready:
                self.read(0)
        ended = monotonic()
        while self.ours >= 0 and self.read(0):
            pass
        return ended, sum(last[thread] - first.get(thread, 0.0) for thread in last)

    def close(self) -> None:
        super().close()
        self.process.reports.close()
