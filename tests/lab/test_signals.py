"""Changing the handler of a signal that has come and was not handled yet."""

import signal
import subprocess
import sys

import pytest

from tests.waiting import LIMIT

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
