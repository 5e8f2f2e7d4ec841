"""Programs in terminals, started by the fork server, which has imported them already."""

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
    """A program in a terminal, with an interface like that of `subprocess.Popen`.

    A program may have ended before its end is reported. A signal that comes too late is therefore no fault.
    """

    def __init__(self, reports: socket.socket) -> None:
        self.reports = reports
        self.pid = 0
        self.stopped = 0
        """How often the program was stopped."""
        self.returncode: int | None = None
        self.cpu = 0.0
        """The processor seconds that the program used; known once it has ended."""
        self._rest = b""
        while not self.pid:
            self.read_reports(DEADLINE)

    def read_reports(self, wait: float = 0.0) -> None:
        """Process what is reported within some seconds."""
        if not select.select([self.reports], [], [], wait)[0]:
            return
        received = self.reports.recv(4096)
        assert received or self.returncode is not None, "the supervisor of the program has ended"
        *lines, self._rest = (self._rest + received).split(b"\n")
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
            self.read_reports()
        return self.returncode

    def wait(self) -> int:
        begun = monotonic()
        while self.poll() is None:
            assert monotonic() - begun < DEADLINE
            self.read_reports(1.0)
        return self.returncode

    def send_command(self, command: str) -> None:
        """Let the shell run `fg` or `bg`, unless the program has ended, for example by a signal in the background."""
        try:
            self.reports.send(command.encode())
        except BrokenPipeError:
            self.wait()

    def send_signal(self, number: int) -> None:
        """Send a signal to the program only, like `kill`."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def signal_group(self, number: int) -> None:
        """Send a signal to the whole foreground job, like the terminal at a key."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def processor_seconds(self) -> float:
        """The processor seconds that the program has used so far."""
        try:
            return clock_gettime((~self.pid << 3) | 2)  # the clock that `clock_getcpuclockid` returns
        except OSError:
            self.wait()
            return self.cpu


class ForkServer:
    """The fork server as a process. It has a terminal, so that Python sets up its streams for one."""

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
        """End the process; fail if it has written anything."""
        self.channel.close()
        self.process.wait(DEADLINE)
        with suppress(OSError):  # on Linux the end of a pseudo-terminal is an error
            output = os.read(self.terminal, 65536)
            assert not output, output.decode()
        os.close(self.terminal)

    def run(self, terminal: int, request: dict) -> Job:
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self.channel, [json.dumps(request).encode()], [terminal, theirs.fileno()])
        return Job(ours)


@contextmanager
def running_fork_server():
    process = ForkServer()
    try:
        yield process
    finally:
        process.close()


class Session(Terminal):
    """A terminal with a program that the fork server has started."""

    process: Job

    def __init__(self, server: ForkServer, request: dict, *arguments: str) -> None:
        self.server, self.request = server, request
        self.record = Path(request["record"])
        self.record.write_bytes(bytes(fork_server.RECORD.size))
        super().__init__(*arguments)

    def start(self, arguments: Sequence[str]) -> Job:
        return self.server.run(self.theirs, {**self.request, "arguments": list(arguments)})

    def save_record(self) -> tuple[int, int, int]:
        """The number of saves begun and ended, and the games in the newest one."""
        return fork_server.RECORD.unpack(self.record.read_bytes())

    def is_saving(self) -> bool:
        """Whether a save is under way."""
        begun, ended, _ = self.save_record()
        return begun > ended

    def read_for(self, seconds: float) -> None:
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            self.read(left)

    def read_until_stopped(self) -> float:
        """Read until the program stops again; return the time when it did."""
        before, begun = self.process.stopped, monotonic()
        while self.process.stopped == before:
            assert self.process.poll() is None, f"ended with {self.process.returncode}"
            assert monotonic() - begun < DEADLINE, self.screen
            self.read(STEP)
        ended = monotonic()
        while self.read(STEP):
            pass
        return ended

    def assert_terminal_restored(self) -> None:
        """Check that the terminal is restored, whether the program has drawn on it or not."""
        if "\x1b[?1049h" in self.written:
            self.assert_restored()
        assert termios.tcgetattr(self.theirs) == self.settings
        for number, name in SWITCHES.items():
            assert self._last(f"\x1b[?{number}l") >= self._last(f"\x1b[?{number}h"), name
        assert self._last("\x1b[?25h") >= self._last("\x1b[?25l"), "cursor"
        assert "Traceback" not in self.written

    def read_until_ended(self) -> tuple[float, float]:
        """Read until the program has ended; return that time, and the seconds that it waited for a processor."""
        begun, first = monotonic(), seconds_without_processor(self.process.pid)
        last = dict(first)
        while self.process.returncode is None:
            assert monotonic() - begun < DEADLINE, self.screen
            watched = [self.process.reports] + ([self.ours] if self.ours >= 0 else [])
            ready, *_ = select.select(watched, [], [], STEP)
            last |= seconds_without_processor(self.process.pid)
            if self.process.reports in ready:
                self.process.read_reports()
            if self.ours in ready:
                self.read(0)
        ended = monotonic()
        while self.ours >= 0 and self.read(0):
            pass
        return ended, sum(last[thread] - first.get(thread, 0.0) for thread in last)

    def close(self) -> None:
        super().close()
        self.process.reports.close()
