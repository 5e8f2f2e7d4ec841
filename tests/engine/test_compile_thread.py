"""Whoever waits for a kernel can be stopped, though nothing stops the compiler."""

import subprocess
import sys
from threading import Event, Thread

import pytest

from engine.compiling.compile_thread import (
    announce_compiling,
    compiling_begins,
    is_compiling,
    run_in_thread,
    wait_unless,
)
from engine.games import GAMES, parse_game
from engine.space_building import build_space
from engine.spaces import space_of
from engine.stop import Stopped, end_all_work
from lab.jobs import JobState
from lab.training.training_job import Pace, TrainingJob
from learners import LEARNERS
from tests.waiting import LIMIT, wait_until

PROGRAM = """
import sys
from threading import Event, Thread
from cli.__main__ import run
from engine.compiling.compile_thread import is_compiling, run_in_thread
Thread(target=run_in_thread, args=[Event().wait], daemon=True).start()
while not is_compiling():
    pass
sys.argv = ["noughts", *sys.argv[1:]]
run()
"""


@pytest.fixture
def compiler():
    """What a compiler does that has not finished, until the end of the test."""
    finished = Event()
    yield finished.wait
    finished.set()
    wait_until(lambda: not is_compiling())


def stopped_in_thread(work, errors):
    def wait():
        try:
            run_in_thread(work)
        except Stopped as error:
            errors.append(error)

    thread = Thread(target=wait)
    thread.start()
    return thread


def test_at_the_end_threads_that_wait_are_stopped_and_those_that_begin_to_wait(compiler, monkeypatch):
    monkeypatch.setattr("engine.stop._ENDING", Event())
    known, errors = build_space(GAMES[0]), []
    thread = stopped_in_thread(compiler, errors)
    wait_until(is_compiling)
    end_all_work()
    thread.join(LIMIT)
    assert len(errors) == 1
    with pytest.raises(Stopped):
        run_in_thread(compiler)
    assert is_compiling()
    for work in (lambda: space_of(parse_game("mnk:4,2,2")), lambda: [*known.plies()], lambda: known.images):
        with pytest.raises(Stopped):
            work()


def test_a_thread_stops_as_it_is_asked_and_others_do_not(compiler):
    with pytest.raises(Stopped), wait_unless(lambda: True):
        run_in_thread(compiler)
    run_in_thread(lambda: None)


def test_compiling_is_announced_once(compiler):
    told = []
    announce_compiling(lambda: told.append("compiling"))
    with pytest.raises(ZeroDivisionError):
        run_in_thread(compiler, lambda: (compiling_begins(), compiling_begins(), 1 // 0))
    assert told == ["compiling"]


@pytest.mark.parametrize(("arguments", "code"), [(["locate"], 0), (["saves", "show", "x"], 1)])
def test_a_command_ends_while_kernels_are_compiled(arguments, code):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=LIMIT
    )
    assert done.returncode == code
    assert done.stdout if code == 0 else done.stderr


def test_what_is_raised_reaches_the_thread_that_waits():
    with pytest.raises(ZeroDivisionError):
        run_in_thread(lambda: 1 // 0)


def test_a_training_that_waits_for_its_kernel_stops_at_once(compiler, monkeypatch):
    learner = LEARNERS[0](GAMES[0], next(iter(LEARNERS[0].spec.presets)), seed=1)
    monkeypatch.setattr(type(learner), "train", lambda *_: run_in_thread(compiler))
    job = TrainingJob(learner, 10, "it", Pace("full"), lambda _: None)
    job.start()
    wait_until(is_compiling)
    job.stop()
    assert job.view.state is JobState.STOPPED
