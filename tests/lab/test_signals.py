"""Changing the handler of a signal while signals arrive in several threads."""

import signal
import subprocess
import sys

import pytest

from tests.waiting import LIMIT

CHANGES = """
import os, signal, threading
from lab.signals import set_handler

over = threading.Event()
threads = [threading.Thread(target=over.wait) for _ in range(4)]
for thread in threads:
    thread.start()
parent, child = os.getpid(), os.fork()
if not child:
    while True:
        os.kill(parent, signal.SIGINT)
for _ in range(2_000):
    set_handler(signal.SIGINT, lambda *_: None)
    set_handler(signal.SIGINT, signal.SIG_IGN)
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
over.set()
"""
"""Changes the handler of SIGINT again and again while a child process sends SIGINT. Threads may receive it too."""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs POSIX signals")
def test_a_signal_during_a_change_of_its_handler_prints_nothing():
    command = [sys.executable, "-c", CHANGES]
    result = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LIMIT)
    assert (result.returncode, result.stderr) == (0, "")
