"""A process that has imported the program and runs it in terminals without importing it again: `fork_server.py SOCKET`.

Each request is a JSON object with the slave of a pseudo-terminal and a socket to report on. The program then runs as it
always does, `main` and all, in a process of its own: either as the session's leader, as in `xterm -e noughts`, or as
the foreground job of a shell, whose job control is implemented here. The process reports in lines `began PID`,
`stopped NUMBER`, `ended STATUS CPU`; a shell takes the commands `fg` and `bg`.
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
from learners.race.measures import judge
from saves.library.library import Library
from tests.tui.piloting import until
from tui.app import NoughtsApp
from tui.shell.lab_app import Lab

RECORD = struct.Struct("QQQ")
"""The saves begun, the saves ended, and the games of the newest one that ended."""
BROKEN = {
    "rude": ((Lab, "leave", lambda _: os._exit(0)),),
    "forgetful": ((jobs.TrainingJob, "_save", lambda _: None),),
    "slow": ((Lab, "farewell", lambda _: sleep(5)),),
}
"""Defective programs, by name."""
SCREENS = (
    "tui.app",
    "tui.shell.terminal",
    "tui.play.screen",
    "tui.train.screen",
    "cli.commands.train",
    "rich.progress",
)


def warm_up() -> None:
    """Import and compile whatever a run needs."""
    for name in SCREENS:
        __import__(name)
    sys.modules["tui.train.screen"].LOG_TIME = jobs.FULL_SPEED  # at the usual pace a training saves too rarely
    for kind in LEARNERS:
        learner = kind(GAMES[0], next(iter(kind.spec.presets)), seed=1)
        learner.train(2)
        judge(learner.space, learner.policy())
    with tempfile.TemporaryDirectory() as folder:
        app = NoughtsApp(Library(Path(folder, "library.sqlite")), Path(folder, "settings.json"), (None, None), GAMES[0])
        asyncio.run(rehearse(app))
    assert threading.active_count() == 1, threading.enumerate()  # a fork takes one with it
    gc.collect()
    gc.freeze()


async def rehearse(app: NoughtsApp) -> None:
    """Open the app without a terminal and train for a moment: what it reads and works out once is known then."""
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        await until(pilot, lambda: app.current_mode == "train" and app.screen.mode == "train")
        await pilot.press("2")
        await until(pilot, lambda: app.job is not None and not app.job.running)


def serve(channel: socket.socket) -> None:
    """Start a process for each request, which sees to it."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    while True:
        request, descriptors, *_ = socket.recv_fds(channel, 65536, 2)
        if not request:
            return
        if os.fork() == 0:
            channel.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            terminal, reports = descriptors
            tend(json.loads(request), terminal, socket.socket(fileno=reports))
            os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)


def tend(request: dict, terminal: int, reports: socket.socket) -> None:
    """Start the program and report what happens to it, as a shell if there is to be one."""
    woken, wake = os.pipe()
    before, began = os.pipe()
    if request["job"]:
        own(terminal)
    pid = os.fork()
    if pid == 0:
        reports.close()
        for end in (woken, wake, before):
            os.close(end)
        if request["job"]:
            take_foreground(terminal)
        else:
            own(terminal)
        run(request, terminal, began)
    os.close(began)
    os.read(before, 1)  # nothing: it ends once the program, in its place, is about to begin
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # a shell takes the terminal back from the background
    if request["job"]:
        signal.signal(signal.SIGHUP, partial(hang_up, pid))
    else:
        os.close(terminal)
    reports.send(f"began {pid}\n".encode())
    ended = report(pid, terminal, reports)
    while not ended:
        ready, *_ = select.select([reports, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
            ended = report(pid, terminal, reports)
        if reports in ready:
            obey(reports.recv(4096), pid, terminal)


def obey(order: bytes, pid: int, terminal: int) -> None:
    """Let the job go on as it is said; without anybody who says anything it is over."""
    if not order:
        os.kill(pid, signal.SIGKILL)
        os._exit(0)
    if order == b"fg":
        os.tcsetpgrp(terminal, pid)
    os.killpg(pid, signal.SIGCONT)


def report(pid: int, terminal: int, reports: socket.socket) -> bool:
    """Report what happened to the program since; whether it has ended."""
    while (told := os.wait4(pid, os.WNOHANG | os.WUNTRACED))[0]:
        _, status, usage = told
        if not os.WIFSTOPPED(status):
            code, cpu = os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime
            reports.send(f"ended {code} {cpu}\n".encode())
            return True
        with contextlib.suppress(OSError):
            os.tcsetpgrp(terminal, os.getpid())
        reports.send(f"stopped {os.WSTOPSIG(status)}\n".encode())
    return False


def hang_up(job: int, *_: object) -> None:
    """Tell the job, as a shell does whose terminal is gone."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(job, signal.SIGHUP)
        os.killpg(job, signal.SIGCONT)


def take_foreground(terminal: int) -> None:
    """Be a job of its own in the foreground."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.tcsetpgrp(terminal, os.getpid())


def own(terminal: int) -> None:
    """Lead a session whose terminal this is."""
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def run(request: dict, terminal: int, began: int) -> None:
    """Be the program, to its end; `began` is closed as soon as signals reach it."""
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP, signal.SIGCONT, signal.SIGTTOU):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in range(3):
        os.dup2(terminal, number)
    os.close(terminal)
    os.environ.update(request["environment"])
    observe(request)
    os.close(began)
    sys.exit(main(request["arguments"]))


def observe(request: dict) -> None:
    """Let a training be long and be kept often, and note what is saved when."""
    jobs.SAVE_EVERY = request["keep_every"]
    for kind in LEARNERS:
        kind.spec = replace(kind.spec, usual_rounds=request["rounds"])
    with Path(request["record"]).open("r+b") as file:
        record = mmap.mmap(file.fileno(), RECORD.size)
    save = Library.save

    def noted(self, name, snapshot, **options):
        begun, ended, games = RECORD.unpack(record[:])
        RECORD.pack_into(record, 0, begun + 1, ended, games)
        stamp = save(self, name, snapshot, **options)
        RECORD.pack_into(record, 0, begun + 1, begun + 1, snapshot.stats[parsed[snapshot.learner].spec.games_statistic])
        return stamp

    for place, name, instead in BROKEN.get(request["broken"], ()):
        setattr(place, name, instead)
    parsed = {kind.spec.name: kind for kind in LEARNERS}
    Library.save = noted


if __name__ == "__main__":
    warm_up()
    serve(socket.socket(fileno=int(sys.argv[1])))
