"""Run a parser on many mutations, in a separate process: slow, large or fatal inputs are recorded.

The process copies each input to shared memory before it runs, so that the input is known if the process dies.
"""

import os
import pickle
import resource
import signal
import struct
import sys
import traceback
import warnings
from base64 import b85encode
from collections.abc import Callable
from dataclasses import dataclass, field
from mmap import mmap
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from types import ModuleType
from zlib import compress

from tests.campaigns.coverage_guide import Guide

SECONDS = 1.0
"""The most processor seconds for an input."""
LARGEST = 100 * 2**20
"""The most bytes by which the process may grow."""
HANGS = 4
"""Processor seconds after which the process is ended."""
WAITS = 60
"""Seconds after which the process is ended."""
ROOM = 17 * 2**20
"""The most bytes of an input."""
HEAD = struct.Struct("qqqdddq")
"""Counts of inputs begun, valid and traced; the longest processor and wall-clock times; growth; size of the input."""
MOST_FAILURES = 5
SHORT, LONG = 2_000, 20_000
"""The most bytes of an input that are reported as they are, and the most characters of a packed longer one."""


@dataclass(frozen=True)
class Subject:
    """A parser, and its inputs."""

    name: str
    seeds: list[bytes]
    """Valid and nearly valid inputs."""
    mutate: Callable[[Random, bytes, bytes], bytes]
    """Makes a new input from one, with pieces of another."""
    use: Callable[[bytes], bool]
    """Whether an input was read; `False` if it was refused correctly. Raises for anything else."""
    modules: tuple[ModuleType, ...]
    """The modules that are traced: inputs that reach a new line are mutated further."""
    watched: float = 0.1
    """The share of inputs that are traced."""
    small: int = ROOM
    """The most bytes of an input that is mutated further."""


@dataclass(frozen=True)
class Failure:
    subject: str
    trouble: str
    data: bytes

    def __str__(self) -> str:
        told = f"{self.subject}: {self.trouble}\nthe input, of {len(self.data):,} bytes"
        if len(self.data) <= SHORT:
            return f"{told}: {self.data!r}"
        packed = b85encode(compress(self.data, 9)).decode()
        whole = f", packed by zlib in base 85: {packed}" if len(packed) <= LONG else ""
        return f"{told}, begins with {self.data[:SHORT]!r}{whole}"


@dataclass
class Tally:
    """The result for the inputs of one subject."""

    inputs: int = 0
    valid: int = 0
    watched: int = 0
    slowest: float = 0
    """In seconds of the processor."""
    slowest_by_the_clock: float = 0
    growth: float = 0
    """In bytes."""
    lines: set[tuple[str, int]] = field(default_factory=set)
    failures: list[Failure] = field(default_factory=list)


def run(subject: Subject, count: int, folder: Path, seed: int = 1) -> Tally:
    """Try a number of inputs, the seeds first. `folder` is for notes."""
    board = mmap(-1, HEAD.size + ROOM)
    tally = Tally()
    while HEAD.unpack_from(board)[0] < count and len(tally.failures) < MOST_FAILURES:
        notes = folder / f"{subject.name}-{len(tally.failures)}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads, which wait for work here
            child = os.fork()
        if child == 0:
            _work(subject, count, board, notes, seed)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        tally.inputs, tally.valid, tally.watched, *most, size = HEAD.unpack_from(board)
        tally.slowest, tally.slowest_by_the_clock, tally.growth = most
        current = board[HEAD.size : HEAD.size + size]
        if status != 0:
            tally.failures.append(Failure(subject.name, _ended(status), current))
        if notes.exists():
            lines, failures = pickle.loads(notes.read_bytes())  # noqa: S301  our own child wrote it
            tally.lines |= lines
            tally.failures += failures
    return tally


def _ended(status: int) -> str:
    why = {-signal.SIGPROF: f"it was busy for {HANGS} s", -signal.SIGALRM: f"it did not end within {WAITS} s"}
    return why.get(status) or f"the interpreter ended with {status}"


def _work(subject: Subject, count: int, board: mmap, notes: Path, seed: int) -> None:
    """The work of the process; it never returns."""
    status = 1
    try:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        _limit_room()
        kept = _try_all(subject, count, board, seed)
        notes.write_bytes(pickle.dumps(kept))
        status = 0
    except BaseException:  # noqa: BLE001  the process ends here
        traceback.print_exc(limit=-5)
    finally:
        os._exit(status)


def _limit_room() -> None:
    """Limit the memory, so that a decompression bomb does no harm."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except OSError:  # no Linux
        return
    limit = pages * resource.getpagesize() + 10 * LARGEST
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _try_all(subject: Subject, count: int, board: mmap, seed: int) -> tuple[set[tuple[str, int]], list[Failure]]:
    begun, valid, watched, slowest, by_the_clock, most, _ = HEAD.unpack_from(board)
    random, guide = Random(f"{subject.name} {seed} {begun}"), Guide(subject.modules)
    failures: list[Failure] = []
    corpus = [seed for seed in subject.seeds if len(seed) <= subject.small]
    base = largest = _largest_yet()
    while begun < count and len(failures) < MOST_FAILURES:
        data = (
            subject.seeds[begun]
            if begun < len(subject.seeds)
            else subject.mutate(random, _choice(random, corpus), _choice(random, corpus))
        )[:ROOM]
        if (made := _largest_yet()) > largest:  # by making it
            base += made - largest
        watch = subject.watched > 0 and (begun < len(subject.seeds) or random.random() < subject.watched)
        begun += 1
        board[HEAD.size : HEAD.size + len(data)] = data
        HEAD.pack_into(board, 0, begun, valid, watched, slowest, by_the_clock, most, len(data))
        steps, trouble, before = len(guide.steps), "", made
        signal.setitimer(signal.ITIMER_PROF, HANGS)
        signal.setitimer(signal.ITIMER_REAL, WAITS)
        try:
            if watch:
                watched += 1
                with guide.watching():
                    valid += subject.use(data)
            else:
                busy, clock = process_time(), perf_counter()
                valid += subject.use(data)
                busy, clock = process_time() - busy, perf_counter() - clock
                slowest, by_the_clock = max(slowest, busy), max(by_the_clock, clock)
                if busy > SECONDS:
                    trouble += f"it took {busy:.1f} s of the processor, {clock:.1f} s by the clock"
        except Exception:  # noqa: BLE001  whatever it is, it is what we look for
            trouble = traceback.format_exc()
        for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL):
            signal.setitimer(timer, 0)
        largest = _largest_yet()
        growth = largest - base
        if growth > LARGEST >= most:
            now = largest - before
            trouble += f"\nthe process grew by {growth // 2**20} MB, {now // 2**20} of them now: {_memory()}"
        most = max(most, growth)
        if len(guide.steps) > steps and begun > len(subject.seeds) and len(data) <= subject.small:
            corpus.append(data)
        if trouble:
            failures.append(Failure(subject.name, trouble, data))
    HEAD.pack_into(board, 0, begun, valid, watched, slowest, by_the_clock, most, 0)
    return guide.lines, failures


def _choice(random: Random, corpus: list[bytes]) -> bytes:
    """A random one, or one of the last."""
    return random.choice(corpus if random.random() < 0.7 else corpus[-20:])


def _memory() -> str:
    """The memory of this process according to the system, and whether the compiler is loaded."""
    try:
        told = Path("/proc/self/status").read_text("ascii").splitlines()
    except OSError:  # no Linux
        told = []
    kinds = ", ".join(" ".join(line.split()) for line in told if line.startswith(("VmHWM", "VmRSS", "Rss")))
    return f"{kinds}; {'with' if 'numba' in sys.modules else 'without'} numba"


def _largest_yet() -> int:
    """The peak memory of this process, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
