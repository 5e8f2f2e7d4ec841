"""A job: how it starts, ends, stops and starts again; a signal that has come and was not handled yet."""

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from lab.jobs import Job, JobState, JobStatus
from tests.waiting import LIMIT, wait_until


class Made(Job[JobStatus]):
    """A job that runs until it is released, stopped, or told to fail."""

    def __init__(self, threads=None, error=None) -> None:
        super().__init__("made", JobStatus(JobState.STARTING), threads)
        self.begun, self.go_on, self.error, self.runs = Event(), Event(), error, 0

    @property
    def headline(self):
        return self.name, ""

    def work(self, stop):
        self.runs += 1
        self.begun.set()
        if self.error is not None:
            raise self.error
        wait_until(lambda: stop() or self.go_on.is_set())
        return self.go_on.is_set()


def ended(job):
    wait_until(lambda: not job.running)
    return job.view.state, job.view.error


def test_a_job_that_ends_by_itself_is_finished():
    job = Made()
    assert job.running
    job.start()
    job.go_on.set()
    assert ended(job) == (JobState.FINISHED, "")


def test_stopping_waits_for_the_end():
    job = Made()
    job.start()
    job.begun.wait()
    job.stop()
    assert (job.view.state, job.running) == (JobState.STOPPED, False)


def test_a_job_can_be_stopped_before_it_starts():
    job = Made()
    job.stop()
    job.start()
    assert ended(job) == (JobState.STOPPED, "")


@pytest.mark.parametrize(
    ("error", "words"), [(OSError("the disk is full"), "the disk is full"), (KeyError(), "KeyError")]
)
def test_an_error_is_told_in_words(error, words):
    job = Made(error=error)
    job.start()
    assert ended(job) == (JobState.FAILED, words)


def test_a_job_can_be_run_again_after_it_was_stopped():
    job = Made()
    job.start()
    job.begun.wait()
    job.stop()
    job.start()
    job.go_on.set()
    wait_until(lambda: job.view.state is JobState.FINISHED)
    assert job.runs == 2


def test_of_jobs_that_share_a_thread_one_that_waits_is_stopped_without_being_run():
    with ThreadPoolExecutor(1) as threads:
        first, second = Made(threads), Made(threads)
        first.start()
        second.start()
        first.begun.wait()
        second.stop()
        first.go_on.set()
        assert ended(first) == (JobState.FINISHED, "")
    assert (second.view.state, second.runs) == (JobState.STOPPED, 0)


CHANGE = """
import signal
from lab.signals import set_handler

both = signal.SIGINT, signal.SIGTERM
set_handler(signal.SIGTERM, lambda *_: None)
set_handler(signal.SIGINT, lambda *_: set_handler(signal.SIGTERM, signal.SIG_IGN))
signal.pthread_sigmask(signal.SIG_BLOCK, both)
for number in both:
    signal.raise_signal(number)
signal.pthread_sigmask(signal.SIG_UNBLOCK, both)
"""
"""Ignores SIGTERM between its arrival and its handling: Python handles both signals in one turn, SIGINT first."""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs POSIX signals")
def test_a_signal_that_is_lost_during_a_change_of_its_handler_prints_nothing():
    command = [sys.executable, "-c", CHANGE]
    result = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LIMIT)
    assert (result.returncode, result.stderr) == (0, "")
