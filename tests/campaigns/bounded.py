"""Inputs of a reader within bounds of time and memory."""

import signal
from base64 import b85encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from types import FrameType
from typing import Any
from zlib import compress

from hypothesis.strategies import SearchStrategy

MAX_SECONDS = 1.0
"""The most processor seconds for an input."""
MAX_GROWTH = 100 * 2**20
"""The most bytes by which the process may grow."""
MAX_BUSY = 10
"""Processor seconds after which an input is interrupted."""
STATUS = Path("/proc/self/status")
SHORT, LONG = 500, 20_000
"""A report has the first SHORT characters of an input, and at most LONG of it compressed."""


@dataclass(frozen=True)
class Target:
    """A reader, and the inputs that it gets."""

    inputs: SearchStrategy[Any]
    use: Callable[[Any], bool]
    """Tests an input: `True` if it was read, `False` if it was correctly refused. Raises an error for anything else."""


class DamagedInput:
    """An input with a repr that fits into a report, and from which the input can be restored."""

    def __init__(self, data: Any) -> None:  # noqa: ANN401  bytes, or a tuple of them
        self.data = data

    def __repr__(self) -> str:
        text = repr(self.data)
        if len(text) <= SHORT:
            return text
        return f"{text[:SHORT]}…, its repr packed by zlib in base 85: {b85encode(compress(text.encode(), 9))[:LONG]!r}"


@dataclass
class Tally:
    """What was measured of all inputs of a target."""

    inputs: int = 0
    valid: int = 0
    slowest: float = 0.0
    """In seconds of the processor."""
    growth: int = 0
    """In bytes."""


def use_input(target: Target, data: object, tally: Tally) -> None:
    """Test an input. Raises `AssertionError` if it takes too much time or memory."""
    reset_peak()
    before, busy = peak_memory(), process_time()
    with interrupted_after(MAX_BUSY):
        tally.valid += target.use(data)
    busy, growth = process_time() - busy, peak_memory() - before
    tally.inputs += 1
    tally.slowest, tally.growth = max(tally.slowest, busy), max(tally.growth, growth)
    assert busy <= MAX_SECONDS, f"it took {busy:.1f} s of the processor"
    assert growth <= MAX_GROWTH, f"the process grew by {growth // 2**20} MB"


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Raise `TimeoutError` in the block after so many processor seconds."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"it was busy for {seconds:g} s")

    handler = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)


def peak_memory() -> int:
    """The peak memory of this process since the last call of `reset_peak`, in bytes; 0 on other systems than Linux."""
    lines = STATUS.read_text("ascii").splitlines() if STATUS.exists() else []
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)


def reset_peak() -> None:
    """Let the peak be the memory in use now (proc_pid_clear_refs(5))."""
    if STATUS.exists():
        STATUS.with_name("clear_refs").write_text("5", "ascii")


def assert_readable(error: Exception) -> None:
    """Expect an error message of one or two short printable lines."""
    lines = str(error).splitlines()
    assert 1 <= len(lines) <= 2, f"of {len(lines)} lines: {error!r}"
    assert all(line.isprintable() for line in lines), f"not printable: {error!r}"
    assert len(str(error)) < 500, f"{len(str(error)):,} characters: {str(error)[:300]}"
