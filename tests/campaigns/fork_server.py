"""A fork server: it has imported the program, and forks a process for each run in a terminal. `fork_server.py SOCKET`.

A request is a JSON object, sent with two descriptors: the slave of a pseudo-terminal, and a socket for reports. The
program then runs from `main` on in a process of its own: either as the leader of a session, as in `xterm -e noughts`,
or as the foreground job of a shell, whose job control is implemented here. Reports are lines `began PID`,
`stopped NUMBER` and `ended STATUS CPU`; the shell takes the commands `fg` and `bg`.
"""

import asyncio
import contextlib
import fcntl
import gc
import json
import mmap
import os
import select
import signal
import socket
import struct
import sys
import tempfile
import termios
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import sleep

from cli.__main__ import main
from engine.games import GAMES
from lab.training import training_job as jobs
from learners import LEARNERS
from learners.race.measures import judge_policy
from saves.library.library import Library
from tests.tui.piloting import until
from tui.app import NoughtsApp
from tui.shell.lab_app import LabApp

RECORD = struct.Struct("QQQ")
"""Shared with the test: the number of saves begun and ended, and the games in the newest save that ended."""
DEFECTS = {
    "exits at once": ((LabApp, "leave", lambda _: os._exit(0)),),
    "never saves": ((jobs.TrainingJob, "_save", lambda _: None),),
    "ends slowly": ((LabApp, "report_exit", lambda _: sleep(5)),),
}
"""Defective programs by name: what each replaces, as object, attribute and new value."""
MODULES = (
    "tui.app",
    "tui.shell.process",
    "tui.play.screen",
    "tui.train.screen",
    "cli.commands.train",
    "rich.progress",
)


def load_everything() -> None:
    """Import and compile everything that a run needs."""
    for name in MODULES:
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
    gc.collect()
    gc.freeze()


async def run_app_once(app: NoughtsApp) -> None:
    """Open the app without a terminal and train for a moment, so that everything is cached."""
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        await until(pilot, lambda: app.current_mode == "train" and app.screen.mode == "train")
        await pilot.press("2")
        await until(pilot, lambda: app.job is not None and not app.job.running)


def serve(channel: socket.socket) -> None:
    """For each request, fork a process that starts the program and supervises it."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # these processes are not waited for
    while True:
        request, descriptors, *_ = socket.recv_fds(channel, 65536, 2)
        if not request:
            return
        if os.fork() == 0:
            channel.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            terminal, reports = descriptors
            supervise(json.loads(request), terminal, socket.socket(fileno=reports))
            os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)


def supervise(request: dict, terminal: int, reports: socket.socket) -> None:
    """Start the program, as a shell if the request says so, and report what happens to it."""
    wake_reader, wake_writer = os.pipe()
    ready_reader, ready_writer = os.pipe()
    if request["job"]:
        become_session_leader(terminal)
    pid = os.fork()
    if pid == 0:
        reports.close()
        for end in (wake_reader, wake_writer, ready_reader):
            os.close(end)
        if request["job"]:
            take_foreground(terminal)
        else:
            become_session_leader(terminal)
        run_program(request, terminal, ready_writer)
    os.close(ready_writer)
    os.read(ready_reader, 1)  # returns, without data, when the program closes the pipe, just before it begins
    os.set_blocking(wake_writer, False)
    signal.set_wakeup_fd(wake_writer)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # else taking the terminal back would stop the shell
    if request["job"]:
        signal.signal(signal.SIGHUP, partial(hang_up, pid))
    else:
        os.close(terminal)
    reports.send(f"began {pid}\n".encode())
    ended = report(pid, terminal, reports)
    while not ended:
        ready, *_ = select.select([reports, wake_reader], [], [])
        if wake_reader in ready:
            os.read(wake_reader, 4096)
            ended = report(pid, terminal, reports)
        if reports in ready:
            execute_command(reports.recv(4096), pid, terminal)


def execute_command(command: bytes, pid: int, terminal: int) -> None:
    """Continue the job in the foreground or background; if the test has closed the socket, kill the job and exit."""
    if not command:
        os.kill(pid, signal.SIGKILL)
        os._exit(0)
    if command == b"fg":
        os.tcsetpgrp(terminal, pid)
    os.killpg(pid, signal.SIGCONT)


def report(pid: int, terminal: int, reports: socket.socket) -> bool:
    """Report each change of the program's status since the last call; return whether it has ended."""
    while (status_change := os.wait4(pid, os.WNOHANG | os.WUNTRACED))[0]:
        _, status, usage = status_change
        if not os.WIFSTOPPED(status):
            code, cpu = os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime
            reports.send(f"ended {code} {cpu}\n".encode())
            return True
        with contextlib.suppress(OSError):
            os.tcsetpgrp(terminal, os.getpid())
        reports.send(f"stopped {os.WSTOPSIG(status)}\n".encode())
    return False


def hang_up(job: int, *_: object) -> None:
    """Send SIGHUP to the job and continue it, as a shell does when its terminal is closed."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(job, signal.SIGHUP)
        os.killpg(job, signal.SIGCONT)


def take_foreground(terminal: int) -> None:
    """Make this process a job of its own, in the foreground."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.tcsetpgrp(terminal, os.getpid())


def become_session_leader(terminal: int) -> None:
    """Make this process the leader of a session with this controlling terminal."""
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def run_program(request: dict, terminal: int, ready_writer: int) -> None:
    """Run the program to its end; close `ready_writer` as soon as it can receive signals."""
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP, signal.SIGCONT, signal.SIGTTOU):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in range(3):
        os.dup2(terminal, number)
    os.close(terminal)
    os.environ.update(request["environment"])
    instrument(request)
    os.close(ready_writer)
    sys.exit(main(request["arguments"]))


def instrument(request: dict) -> None:
    """Make trainings long and save them often, and record each save."""
    jobs.SAVE_EVERY = request["keep_every"]
    for kind in LEARNERS:
        kind.spec = replace(kind.spec, usual_rounds=request["rounds"])
    with Path(request["record"]).open("r+b") as file:
        record = mmap.mmap(file.fileno(), RECORD.size)
    save = Library.save

    def recording_save(self, name, snapshot, **options):
        begun, ended, games = RECORD.unpack(record[:])
        RECORD.pack_into(record, 0, begun + 1, ended, games)
        stamp = save(self, name, snapshot, **options)
        RECORD.pack_into(record, 0, begun + 1, begun + 1, snapshot.stats[kinds[snapshot.learner].spec.games_statistic])
        return stamp

    for place, name, instead in DEFECTS.get(request["broken"], ()):
        setattr(place, name, instead)
    kinds = {kind.spec.name: kind for kind in LEARNERS}
    Library.save = recording_save


if __name__ == "__main__":
    load_everything()
    serve(socket.socket(fileno=int(sys.argv[1])))
