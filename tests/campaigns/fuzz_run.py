"""Run a fuzz target on many mutations in a child process; record inputs that are slow, need much memory, or crash it.

The child copies each input to shared memory before it runs it, so that the input is known if the child dies.
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

from tests.campaigns.coverage_guide import LineTracer

MAX_SECONDS = 1.0
"""The most processor seconds for an input."""
MAX_GROWTH = 100 * 2**20
"""The most bytes by which the child may grow."""
MAX_BUSY = 4
"""Processor seconds for an input after which the child is killed."""
MAX_WAIT = 60
"""Wall-clock seconds for an input after which the child is killed."""
LARGEST_INPUT = 17 * 2**20
"""The most bytes of an input."""
HEADER = struct.Struct("qqqdddq")
"""Counts of inputs begun, valid and traced; the longest processor and wall-clock times; growth; size of the input."""
MAX_FAILURES = 5
SHORT, LONG = 2_000, 20_000
"""Reports contain an input of at most SHORT bytes as it is, a longer one compressed to at most LONG characters."""


@dataclass(frozen=True)
class Target:
    """A fuzz target: a parser, its inputs, and how they are mutated."""

    name: str
    seeds: list[bytes]
    """Valid and nearly valid inputs."""
    mutate: Callable[[Random, bytes, bytes], bytes]
    """Makes a new input from an earlier one, with pieces of another."""
    use: Callable[[bytes], bool]
    """Tests an input: `True` if it was read, `False` if it was correctly refused. Raises an error for anything else."""
    modules: tuple[ModuleType, ...]
    """The modules that are traced: inputs that reach new pairs of lines are mutated further; see `coverage_guide`."""
    traced: float = 0.1
    """The share of inputs that are traced."""
    small: int = LARGEST_INPUT
    """The most bytes of an input that is mutated further."""


@dataclass(frozen=True)
class Failure:
    target: str
    trouble: str
    data: bytes

    def __str__(self) -> str:
        text = f"{self.target}: {self.trouble}\nthe input, of {len(self.data):,} bytes"
        if len(self.data) <= SHORT:
            return f"{text}: {self.data!r}"
        packed = b85encode(compress(self.data, 9)).decode()
        whole = f", packed by zlib in base 85: {packed}" if len(packed) <= LONG else ""
        return f"{text}, begins with {self.data[:SHORT]!r}{whole}"


@dataclass
class Tally:
    """The results for the inputs of one target."""

    inputs: int = 0
    valid: int = 0
    traced: int = 0
    slowest: float = 0
    """In seconds of the processor."""
    slowest_wall_clock: float = 0
    growth: float = 0
    """In bytes."""
    lines: set[tuple[str, int]] = field(default_factory=set)
    failures: list[Failure] = field(default_factory=list)


def run(target: Target, count: int, folder: Path, seed: int = 1) -> Tally:
    """Run a target on `count` inputs, the seeds first. The child writes its results to `folder`."""
    shared = mmap(-1, HEADER.size + LARGEST_INPUT)
    tally = Tally()
    while HEADER.unpack_from(shared)[0] < count and len(tally.failures) < MAX_FAILURES:
        results_file = folder / f"{target.name}-{len(tally.failures)}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # about forking with threads, which are idle here
            child = os.fork()
        if child == 0:
            _work(target, count, shared, results_file, seed)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        tally.inputs, tally.valid, tally.traced, *maxima, size = HEADER.unpack_from(shared)
        tally.slowest, tally.slowest_wall_clock, tally.growth = maxima
        current = shared[HEADER.size : HEADER.size + size]
        if status != 0:
            tally.failures.append(Failure(target.name, _why_ended(status), current))
        if results_file.exists():
            lines, failures = pickle.loads(results_file.read_bytes())  # noqa: S301  our own child wrote it
            tally.lines |= lines
            tally.failures += failures
    return tally


def _why_ended(status: int) -> str:
    why = {-signal.SIGPROF: f"it was busy for {MAX_BUSY} s", -signal.SIGALRM: f"it did not end within {MAX_WAIT} s"}
    return why.get(status) or f"the interpreter ended with {status}"


def _work(target: Target, count: int, shared: mmap, results_file: Path, seed: int) -> None:
    """Run in the child process; never returns."""
    status = 1
    try:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        _limit_memory()
        kept = _try_all(target, count, shared, seed)
        results_file.write_bytes(pickle.dumps(kept))
        status = 0
    except BaseException:  # noqa: BLE001  the process ends here
        traceback.print_exc(limit=-5)
    finally:
        os._exit(status)


def _limit_memory() -> None:
    """Limit the memory, so that a decompression bomb does no harm."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except OSError:  # not on Linux
        return
    limit = pages * resource.getpagesize() + 10 * MAX_GROWTH
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _try_all(target: Target, count: int, shared: mmap, seed: int) -> tuple[set[tuple[str, int]], list[Failure]]:
    started, valid, traced, slowest, longest_wall_clock, most_growth, _ = HEADER.unpack_from(shared)
    random, tracer = Random(f"{target.name} {seed} {started}"), LineTracer(target.modules)
    failures: list[Failure] = []
    corpus = [seed for seed in target.seeds if len(seed) <= target.small]
    base = largest = _peak_memory()
    while started < count and len(failures) < MAX_FAILURES:
        data = (
            target.seeds[started]
            if started < len(target.seeds)
            else target.mutate(random, _choice(random, corpus), _choice(random, corpus))
        )[:LARGEST_INPUT]
        if (made := _peak_memory()) > largest:  # making the input does not count
            base += made - largest
        trace_it = target.traced > 0 and (started < len(target.seeds) or random.random() < target.traced)
        started += 1
        shared[HEADER.size : HEADER.size + len(data)] = data
        HEADER.pack_into(shared, 0, started, valid, traced, slowest, longest_wall_clock, most_growth, len(data))
        pairs_before, trouble, before = len(tracer.line_pairs), "", made
        signal.setitimer(signal.ITIMER_PROF, MAX_BUSY)
        signal.setitimer(signal.ITIMER_REAL, MAX_WAIT)
        try:
            if trace_it:
                traced += 1
                with tracer.tracing():
                    valid += target.use(data)
            else:
                busy, clock = process_time(), perf_counter()
                valid += target.use(data)
                busy, clock = process_time() - busy, perf_counter() - clock
                slowest, longest_wall_clock = max(slowest, busy), max(longest_wall_clock, clock)
                if busy > MAX_SECONDS:
                    trouble += f"it took {busy:.1f} s of the processor, {clock:.1f} s by the clock"
        except Exception:  # noqa: BLE001  any error is a failure of the target
            trouble = traceback.format_exc()
        for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL):
            signal.setitimer(timer, 0)
        largest = _peak_memory()
        growth = largest - base
        if growth > MAX_GROWTH >= most_growth:
            now = largest - before
            trouble += f"\nthe process grew by {growth // 2**20} MB, {now // 2**20} of them now: {_memory()}"
        most_growth = max(most_growth, growth)
        if len(tracer.line_pairs) > pairs_before and started > len(target.seeds) and len(data) <= target.small:
            corpus.append(data)
        if trouble:
            failures.append(Failure(target.name, trouble, data))
    HEADER.pack_into(shared, 0, started, valid, traced, slowest, longest_wall_clock, most_growth, 0)
    return tracer.lines, failures


def _choice(random: Random, corpus: list[bytes]) -> bytes:
    """Choose a random input, or one of the newest."""
    return random.choice(corpus if random.random() < 0.7 else corpus[-20:])


def _memory() -> str:
    """The memory of this process according to the system, and whether the compiler is loaded."""
    try:
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
    except OSError:  # not on Linux
        lines = []
    kinds = ", ".join(" ".join(line.split()) for line in lines if line.startswith(("VmHWM", "VmRSS", "Rss")))
    return f"{kinds}; {'with' if 'numba' in sys.modules else 'without'} numba"


def _peak_memory() -> int:
    """The peak memory of this process, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
