"""The memory of the app: held together, whatever threads take it."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tui.shell.interpreter import set_handler

ROOT = Path(__file__).parents[2]
CODE = """
import ctypes, sys, threading
from pathlib import Path

from engine.games import GAMES
from tui.shell.lab_app import Lab

libc = ctypes.CDLL(None)
if {lab}:
    Lab(None, Path(), (None, None), GAMES[0])
there = threading.Barrier(8)

def take():
    there.wait()
    libc.malloc(100_000)

threads = [threading.Thread(target=take) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
libc.fflush(None)
"""
"""Eight threads take memory at once, after the app was made or not."""


LARGE = """
import ctypes
from pathlib import Path

from engine.games import GAMES
from tests.campaigns.watching import Malloc
from tui.shell.lab_app import Lab

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes, libc.mallinfo2.restype = ctypes.c_void_p, [ctypes.c_void_p], Malloc
if {lab}:
    Lab(None, Path(), (None, None), GAMES[0])
libc.free(libc.malloc(20_000_000))
before = libc.mallinfo2().hblks
libc.malloc(1_000_000)
print(libc.mallinfo2().hblks - before)
"""
"""A very large block is given back, and a large one taken: how many that has of its own pages."""

HOLES = """
import ctypes, gc
from pathlib import Path

from engine.games import GAMES
from tests.campaigns.watching import resident
from tui.shell.lab_app import Lab

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
if {lab}:
    Lab(None, Path(), (None, None), GAMES[0])
blocks = [libc.malloc(60_000) for _ in range(1000)]
for block in blocks:
    ctypes.memset(block, 1, 60_000)
for number, block in enumerate(blocks):
    if number % 4:
        libc.free(block)
before = resident()
gc.collect()
print(before - resident() > 30)
"""
"""Three blocks of four are freed: whether their 43 MB go back to the system with the garbage."""


@pytest.mark.skipif(sys.platform != "linux", reason="arenas are glibc's")
@pytest.mark.parametrize(("lab", "one"), [(True, True), (False, False)])
def test_all_threads_of_the_app_take_their_memory_from_one_place(lab, one):
    done = subprocess.run([sys.executable, "-c", CODE.format(lab=lab)], cwd=ROOT, capture_output=True, check=True)
    assert (done.stdout.count(b"<heap nr=") == 1) is one


@pytest.mark.skipif(sys.platform != "linux", reason="how it takes memory is glibc's")
@pytest.mark.parametrize("lab", [True, False])
def test_a_large_block_goes_back_to_the_system_whatever_was_given_back_before(lab):
    done = subprocess.run([sys.executable, "-c", LARGE.format(lab=lab)], cwd=ROOT, capture_output=True, check=True)
    assert bool(int(done.stdout)) is lab


@pytest.mark.skipif(sys.platform != "linux", reason="how it gives memory back is glibc's")
@pytest.mark.parametrize("lab", [True, False])
def test_what_is_free_between_what_is_kept_goes_back_to_the_system(lab):
    done = subprocess.run([sys.executable, "-c", HOLES.format(lab=lab)], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.split() == [str(lab).encode()]


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells which signals are ignored")
def test_no_signal_comes_while_what_it_does_is_set(monkeypatch):
    """Python would take one that came before, and was not yet answered, for an error."""

    def setting(number, handler):
        status = Path("/proc/self/status").read_text()
        mask = int(status.partition("SigIgn:")[2].split()[0], 16)
        ignored.append(bool(mask & 1 << number - 1))
        return set_it(number, handler)

    ignored, set_it, before = [], signal.signal, signal.getsignal(signal.SIGUSR1)
    monkeypatch.setattr(signal, "signal", setting)
    try:
        for handler in (signal.SIG_DFL, print, signal.SIG_IGN):
            set_handler(signal.SIGUSR1, handler)
            assert signal.getsignal(signal.SIGUSR1) is handler
    finally:
        set_handler(signal.SIGUSR1, before)
    assert ignored == [True] * 4
