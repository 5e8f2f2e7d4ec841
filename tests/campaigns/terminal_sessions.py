"""The program in a terminal of its own, forked by a process that has loaded everything, with the signals of a shell.

A supervisor starts the program: as the leader of a session, as in `xterm -e noughts`, or as the foreground job of a
shell, which the supervisor then is. Both write what happens into a record that the test reads.
"""

import asyncio
import fcntl
import os
import signal
import sys
import tempfile
import termios
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from pathlib import Path
from time import monotonic, sleep

import numpy as np

from engine.games import GAMES
from lab.training import training_job as jobs
from learners import LEARNERS
from learners.race.measures import judge_policy
from noughts.__main__ import run
from saves.library.library import Library
from tests.campaigns.watching import seconds_without_processor
from tests.saves.forks import Forked
from tests.tui.terminal import DEADLINE, FIXED, Terminal
from tests.waiting import wait_until, wait_until_async
from tui.app import NoughtsApp
from tui.shell.lab_app import LabApp

ENDLESS_ROUNDS = 100_000_000
"""Enough rounds that a signal ends the training long before it has finished."""


class At(IntEnum):
    """The places of a record: what the program and its supervisor tell the test, each as a number."""

    PID, STOPS, HAS_ENDED, STATUS, SAVES_BEGUN, SAVES_ENDED, SAVED_GAMES = range(7)


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
    arguments: tuple[str, ...]
    record: Path
    """A file of numbers; see `At`."""
    library: Path
    job: bool
    """Whether it is the job of a shell, not the leader of a session."""
    seconds_between_saves: float
    defect: str = ""


@cache
def load_everything() -> None:
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
        await wait_until_async(lambda: app.current_mode == "train" and app.screen.mode == "train")
        await pilot.press("2")
        await wait_until_async(lambda: app.job is not None and not app.job.running)


def supervise(terminal: str, request: Request) -> None:
    """Start the program, as a shell if the request says so, and report what happens to it."""
    load_everything()
    record = np.memmap(request.record, np.int64, "r+")
    shell = lead_session(terminal) if request.job else -1
    pid = os.fork()
    if pid == 0:
        if request.job:
            os.setpgid(0, 0)
            signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            os.tcsetpgrp(shell, os.getpid())
        run_program(shell if request.job else lead_session(terminal), request, record)

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
        record[At.STOPS] += 1
    record[At.STATUS] = os.waitstatus_to_exitcode(status)
    record[At.HAS_ENDED] = True


def lead_session(terminal: str) -> int:
    """Make this process the leader of a session with this controlling terminal; return its descriptor."""
    os.setsid()
    descriptor = os.open(terminal, os.O_RDWR)
    fcntl.ioctl(descriptor, termios.TIOCSCTTY, 0)
    return descriptor


def run_program(terminal: int, request: Request, record: np.ndarray) -> None:
    """Run the program to its end; record that it began as soon as it can receive signals."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP, signal.SIGCONT, signal.SIGTTOU):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
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
    instrument(request, record)
    record[At.PID] = os.getpid()
    sys.argv[1:] = request.arguments
    run()


def instrument(request: Request, record: np.ndarray) -> None:
    """Make trainings long and save them often, and record each save."""
    jobs.SAVE_EVERY = request.seconds_between_saves
    for kind in LEARNERS:
        kind.spec = replace(kind.spec, usual_rounds=ENDLESS_ROUNDS)
    games = {kind.spec.name: kind.spec.games_statistic for kind in LEARNERS}
    save = Library.save

    def recording_save(self, name, snapshot, **options):
        record[At.SAVES_BEGUN] += 1
        stamp = save(self, name, snapshot, **options)
        record[At.SAVED_GAMES] = snapshot.stats[games[snapshot.learner]]
        record[At.SAVES_ENDED] = record[At.SAVES_BEGUN]
        return stamp

    Library.save = recording_save
    if request.defect:
        setattr(*DEFECTS[request.defect])


class Job:
    """A program in a terminal, with an interface like that of `subprocess.Popen`."""

    def __init__(self, supervisor: Forked, record: np.ndarray) -> None:
        self.supervisor, self.record = supervisor, record
        wait_until(lambda: record[At.PID] or record[At.HAS_ENDED])
        self.pid = int(record[At.PID])

    def poll(self) -> int | None:
        return int(self.record[At.STATUS]) if self.record[At.HAS_ENDED] else None

    def wait(self) -> None:
        wait_until(lambda: self.record[At.HAS_ENDED])

    def carry_on(self, how: signal.Signals) -> None:
        """Let the shell continue the program in the foreground or background."""
        os.kill(self.supervisor.pid, how)

    def signal_group(self, number: int) -> None:
        """Send a signal to the whole foreground job, like the terminal at a key; it may have ended just now."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def kill(self) -> None:
        self.signal_group(signal.SIGKILL)


class Session(Terminal):
    process: Job

    def __init__(self, request: Request) -> None:
        self.request = request
        self.record = np.memmap(request.record, np.int64, "w+", shape=len(At))
        super().__init__()

    def start(self, _: Sequence[str]) -> Job:
        return Job(Forked(supervise, os.ttyname(self.theirs), self.request), self.record)

    def is_saving(self) -> bool:
        return bool(self.record[At.SAVES_BEGUN] > self.record[At.SAVES_ENDED])

    def read_until_stopped(self, stops: int) -> None:
        def stopped() -> bool:
            assert self.process.poll() is None, f"ended with {self.process.poll()}"
            return not self.read(STEP) and self.record[At.STOPS] > stops

        wait_until(stopped, state=lambda: self.screen, step=0)

    def read_until_ended(self) -> tuple[float, float]:
        """Read until the program has ended; return that time, and the seconds that it waited for a processor."""
        begun, first = monotonic(), seconds_without_processor(self.process.pid)
        last = dict(first)
        while self.process.poll() is None:
            assert monotonic() - begun < DEADLINE, self.screen
            last |= seconds_without_processor(self.process.pid)
            self.read(STEP) if self.ours >= 0 else sleep(STEP)
        ended = monotonic()
        while self.ours >= 0 and self.read(0):
            pass
        return ended, sum(last[thread] - first.get(thread, 0.0) for thread in last)

    def close(self) -> None:
        super().close()
        self.process.supervisor.wait()
