"""The memory of the app: held together, whatever threads take it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = """
import ctypes, sys, threading
from pathlib import Path

from engine import GAMES
from tui.lab import Lab

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


@pytest.mark.skipif(sys.platform != "linux", reason="arenas are glibc's")
@pytest.mark.parametrize(("lab", "one"), [(True, True), (False, False)])
def test_all_threads_of_the_app_take_their_memory_from_one_place(lab, one):
    done = subprocess.run([sys.executable, "-c", CODE.format(lab=lab)], cwd=ROOT, capture_output=True, check=True)
    assert (done.stdout.count(b"<heap nr=") == 1) is one


FREED = """
import ctypes, gc
from pathlib import Path

from engine import GAMES
from tui.lab import Lab

Lab(None, Path(), (None, None), GAMES[0])

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
pieces = [libc.malloc(60_000) for _ in range(1_000)]
for piece in pieces:
    ctypes.memset(piece, 1, 60_000)
for piece in pieces[:-1]:
    libc.free(ctypes.c_void_p(piece))
before = held()
gc.collect()
print(before - held())
"""
"""What is freed below a last piece that stays."""


@pytest.mark.skipif(sys.platform != "linux", reason="giving back is glibc's")
def test_what_was_freed_is_given_back_once_all_garbage_was_looked_for():
    done = subprocess.run([sys.executable, "-c", FREED], cwd=ROOT, capture_output=True, check=True)
    assert int(done.stdout) > 40 * 2**20
