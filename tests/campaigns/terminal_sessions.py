"""The program in a terminal of its own, forked by a process that has loaded everything, with the signals of a shell.

A supervisor starts the program: as the leader of a session, as in `xterm -e noughts`, or as the foreground job of a
shell, which the supervisor then is. It prints what happens: `began PID`, `stopped`, `ended STATUS`.
"""

import asyncio
import fcntl
import mmap
import os
import select
import signal
import struct
import sys
import tempfile
import termios
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from time import monotonic, sleep

from engine.games import GAMES
from lab.training import training_job as jobs
from learners import LEARNERS
from learners.race.measures import judge_policy
from noughts.__main__ import run
from saves.library.library import Library
from tests.campaigns.watching import seconds_without_processor
from tests.saves.forks import Forked
from tests.tui.piloting import until
from tests.tui.terminal import DEADLINE, FIXED, SWITCHES, Terminal
from tui.app import NoughtsApp
from tui.shell.lab_app import LabApp

ENDLESS_ROUNDS = 100_000_000
"""Enough rounds that a signal ends the training long before it has finished."""
RECORD = struct.Struct("QQQ")
"""Shared with the test: the number of saves begun and ended, and the games in the newest save that ended."""
DEFECTS = {
    "": (),
    "only saves": (LabApp, "leave", lambda app: app.stop_and_save() or os._exit(0)),
    "never saves": (jobs.TrainingJob, "_save", lambda _: None),
    "ends slowly": (LabApp, "report_exit", lambda _: sleep(60)),
}
"""Defective programs by name: what each replaces, as object, attribute and new value."""
FOREGROUND, BACKGROUND = signal.SIGUSR1, signal.SIGUSR2
"""The signals with which a shell is told to continue its job."""
STEP = 0.02


@dataclass(frozen=True)
class Request:
    """How to run the program."""

    arguments: tuple[str, ...]
    record: Path
    library: Path
    job: bool
    """Whether it is the job of a shell, not the leader of a session."""
    save_every: float
    """Seconds between two saves of a training."""
    defect: str = ""


@cache
def load_everything() -> None:
    """Import and compile everything that a run needs."""
    for name in ("tui.shell.process", "tui.play.screen", "tui.train.screen", "cli.commands.train", "rich.progress"):
        __import__(name)
    sys.modules["tui.train.screen"].LOG_TIME = jobs.FULL_SPEED  # at the usual pace a training saves too rarely
    for kind in LEARNERS:
        learner = kind(GAMES[0], next(iter(kind.spec.presets)), seed=1)
        learner.train(2)
        judge_policy(learner.space, learner.policy())
    with tempfile.TemporaryDirectory() as folder:
        app = NoughtsApp(Library(Path(folder, "library.sqlite")), Path(folder, "settings.json"), (None, None), GAMES[0])
        asyncio.run(run_app_once(app))
    assert threading.active_count() == 1, threading.enumerate()  # a fork copies one thread only


async def run_app_once(app: NoughtsApp) -> None:
    """Open the app without a terminal and train for a moment, so that everything is cached."""
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        await until(pilot, lambda: app.current_mode == "train" and app.screen.mode == "train")
        await pilot.press("2")
        await until(pilot, lambda: app.job is not None and not app.job.running)


def supervise(terminal: str, request: Request) -> None:
    """Start the program, as a shell if the request says so, and report what happens to it."""
    load_everything()
    shell = lead_session(terminal) if request.job else -1
    pid = os.fork()
    if pid == 0:
        if request.job:
            os.setpgid(0, 0)
            signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            os.tcsetpgrp(shell, os.getpid())
        run_program(shell if request.job else lead_session(terminal), request)

    def carry_on(number: int, _: object) -> None:
        with suppress(ProcessLookupError, OSError):
            if number == signal.SIGHUP:  # the terminal was closed
                os.killpg(pid, signal.SIGHUP)
            if number == FOREGROUND:
                os.tcsetpgrp(shell, pid)
            os.killpg(pid, signal.SIGCONT)

    signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # else taking the terminal back would stop the shell
    for number in (FOREGROUND, BACKGROUND, signal.SIGHUP) if request.job else ():
        signal.signal(number, carry_on)
    while os.WIFSTOPPED(status := os.waitpid(pid, os.WUNTRACED)[1]):
        with suppress(OSError):
            os.tcsetpgrp(shell, os.getpid())
        os.write(1, b"stopped\n")
    os.write(1, f"ended {os.waitstatus_to_exitcode(status)}\n".encode())


def lead_session(terminal: str) -> int:
    """Make this process the leader of a session with this controlling terminal; return its descriptor."""
    os.setsid()
    descriptor = os.open(terminal, os.O_RDWR)
    fcntl.ioctl(descriptor, termios.TIOCSCTTY, 0)
    return descriptor


def run_program(terminal: int, request: Request) -> None:
    """Run the program to its end; report that it began as soon as it can receive signals."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP, signal.SIGCONT, signal.SIGTTOU):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    report = os.dup(1)
    for number in range(3):
        os.dup2(terminal, number)
    os.close(terminal)
    sys.stdin = sys.__stdin__ = os.fdopen(0, closefd=False)
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.__stderr__ = os.fdopen(2, "w", closefd=False)
    for name in FIXED:
        os.environ.pop(name, None)
    os.environ |= {"NOUGHTS_LIBRARY": str(request.library), "TERM": "xterm-256color"}
    os.environ["NOUGHTS_SETTINGS"] = str(request.library.with_name("settings.json"))
    instrument(request)
    os.write(report, f"began {os.getpid()}\n".encode())
    os.close(report)
    sys.argv[1:] = request.arguments
    run()


def instrument(request: Request) -> None:
    """Make trainings long and save them often, and record each save."""
    jobs.SAVE_EVERY = request.save_every
    for kind in LEARNERS:
        kind.spec = replace(kind.spec, usual_rounds=ENDLESS_ROUNDS)
    games = {kind.spec.name: kind.spec.games_statistic for kind in LEARNERS}
    with request.record.open("r+b") as file:
        record = mmap.mmap(file.fileno(), RECORD.size)
    save = Library.save

    def recording_save(self, name, snapshot, **options):
        begun, ended, newest = RECORD.unpack(record[:])
        RECORD.pack_into(record, 0, begun + 1, ended, newest)
        stamp = save(self, name, snapshot, **options)
        RECORD.pack_into(record, 0, begun + 1, begun + 1, snapshot.stats[games[snapshot.learner]])
        return stamp

    Library.save = recording_save
    if request.defect:
        setattr(*DEFECTS[request.defect])


class Job:
    """A program in a terminal, with an interface like that of `subprocess.Popen`.

    A program may have ended before its end is reported. A signal that comes too late is therefore no fault.
    """

    def __init__(self, supervisor: Forked) -> None:
        self.supervisor = supervisor
        self.pid = 0
        self.stopped = 0
        """How often the program was stopped."""
        self.returncode: int | None = None
        self._rest = b""
        while not self.pid:
            self.read_reports(DEADLINE)

    def fileno(self) -> int:
        return self.supervisor.stdout.fileno()

    def read_reports(self, wait: float = 0.0) -> None:
        """Process what is reported within some seconds."""
        if self.returncode is not None or not select.select([self], [], [], wait)[0]:
            return
        received = os.read(self.fileno(), 4096)
        assert received, f"the supervisor of the program has ended: {self.supervisor.stderr.read()}"
        *lines, self._rest = (self._rest + received).split(b"\n")
        for what, *values in (line.decode().split() for line in lines):
            if what == "began":
                self.pid = int(values[0])
            elif what == "stopped":
                self.stopped += 1
            else:
                self.returncode = int(values[0])

    def poll(self) -> int | None:
        self.read_reports()
        return self.returncode

    def wait(self) -> int:
        begun = monotonic()
        while self.poll() is None:
            assert monotonic() - begun < DEADLINE
            self.read_reports(1.0)
        return self.returncode

    def carry_on(self, how: signal.Signals) -> None:
        """Let the shell continue the program in the foreground or background."""
        os.kill(self.supervisor.pid, how)

    def signal_group(self, number: int) -> None:
        """Send a signal to the whole foreground job, like the terminal at a key."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def kill(self) -> None:
        self.signal_group(signal.SIGKILL)


class Session(Terminal):
    """A terminal with a program that was forked."""

    process: Job

    def __init__(self, request: Request) -> None:
        self.request = request
        request.record.write_bytes(bytes(RECORD.size))
        super().__init__()

    def start(self, _: Sequence[str]) -> Job:
        return Job(Forked(supervise, os.ttyname(self.theirs), self.request))

    def save_record(self) -> tuple[int, int, int]:
        """Return the number of saves begun and ended, and the games in the newest one."""
        return RECORD.unpack(self.request.record.read_bytes())

    def is_saving(self) -> bool:
        begun, ended, _ = self.save_record()
        return begun > ended

    def read_until_stopped(self) -> None:
        """Read until the program stops again."""
        before, begun = self.process.stopped, monotonic()
        while self.process.stopped == before:
            assert self.process.poll() is None, f"ended with {self.process.returncode}"
            assert monotonic() - begun < DEADLINE, self.screen
            self.read(STEP)
        while self.read(STEP):
            pass

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
            ready, *_ = select.select([self.process, *([self.ours] if self.ours >= 0 else [])], [], [], STEP)
            last |= seconds_without_processor(self.process.pid)
            if self.process in ready:
                self.process.read_reports()
            if self.ours in ready:
                self.read(0)
        ended = monotonic()
        while self.ours >= 0 and self.read(0):
            pass
        return ended, sum(last[thread] - first.get(thread, 0.0) for thread in last)

    def close(self) -> None:
        super().close()
        self.process.supervisor.wait()
