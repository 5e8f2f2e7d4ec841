"""Find what nobody sees: failed background work, stray files, threads, growing memory, and control characters."""

import asyncio
import ctypes
import os
import re
import sys
import threading
import traceback
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import linear_regression
from time import monotonic, sleep

from rich.style import Style
from textual.strip import Strip
from textual.worker import Worker, WorkerState

from engine.compiling.compile_thread import is_compiling
from engine.stop import Stopped
from tests.waiting import wait_until

PATIENCE = 5.0
"""Seconds that a thread with nothing left to do has to end, times the load per core."""


class LeakWatch:
    """Collects errors that would otherwise stay unseen. Files may be written below `folder` only."""

    active: "LeakWatch | None" = None
    """The watch that the audit hook asks, since a hook cannot be removed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.requested_paths: set[Path] = set()
        """Files that the input has requested: outside the folder they are refused, too, but are no findings."""
        self.findings: list[str] = []
        self.threads = set(threading.enumerate())

    def add_finding(self, what: str, error: BaseException | None = None) -> None:
        lines = traceback.format_exception(error) if error is not None else []
        lines = lines if len(lines) < 60 else [*lines[:5], "…\n", *lines[-30:]]
        self.findings.append(f"{what}\n{''.join(lines)}")

    def add_loop_error(self, _loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        error = context.get("exception")
        self.add_finding(str(context.get("message")), error if isinstance(error, BaseException) else None)

    def check_path(self, name: str, path: object) -> None:
        """Raise `PermissionError` for a file outside the folder; a finding, unless the file was requested."""
        place = Path(os.fsdecode(path)).absolute() if isinstance(path, str | bytes | os.PathLike) else None
        if place is None or place == Path(os.devnull) or "__pycache__" in place.parts:
            return
        if not place.resolve().is_relative_to(self.folder):
            if not any(place == each or place in each.parents for each in self.requested_paths):
                self.add_finding(f"{name} of {place}")
            raise PermissionError(f"{place} is not in {self.folder}")

    def wait_for_threads(self) -> None:
        """Wait until all threads that began during the watch have ended; each that has not is a finding.

        Kernels are compiled to the end: Python exits without waiting for that thread.
        """
        wait_until(lambda: not is_compiling())
        end = monotonic() + PATIENCE * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
        while (left := set(threading.enumerate()) - self.threads) and monotonic() < end:
            sleep(0.005)
        for thread in left:
            frame = sys._current_frames().get(thread.ident or 0)
            self.add_finding(f"the thread {thread.name} is left:\n{''.join(traceback.format_stack(frame))}")


def audit_hook(name: str, values: tuple[object, ...]) -> None:
    """Check the path of each file that is opened for writing, created, removed or renamed."""
    watch = LeakWatch.active
    if watch is None or name not in ("open", "os.mkdir", "os.remove", "os.rename"):
        return
    flags = values[2] if name == "open" else os.O_CREAT
    if isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        watch.check_path(name, values[0])


sys.addaudithook(audit_hook)


@contextmanager
def watching(folder: Path) -> Iterator[LeakWatch]:
    """Collect failed workers, exceptions in threads, unraisable exceptions, and writes outside the folder."""
    watch = LeakWatch(folder)
    state, in_thread, unraisable = Worker.state, threading.excepthook, sys.unraisablehook

    def set_state(worker: Worker, new: WorkerState) -> None:
        state.fset(worker, new)
        error = sys.exc_info()[1]
        if new is WorkerState.ERROR and not isinstance(error, Stopped):  # an app may end while it compiles kernels
            watch.add_finding(f"{worker!r} failed", error)

    Worker.state = property(state.fget, set_state)
    threading.excepthook = lambda args: watch.add_finding(f"{args.thread} failed", args.exc_value)
    sys.unraisablehook = lambda args: watch.add_finding(f"{args.err_msg}: {args.object!r}", args.exc_value)
    LeakWatch.active = watch
    try:
        yield watch
    finally:
        LeakWatch.active = None
        Worker.state, threading.excepthook, sys.unraisablehook = state, in_thread, unraisable


def seconds_without_processor(pid: int | str) -> dict[str, float]:
    """Return for each thread of a process how many seconds it was ready to run but had no processor."""
    seconds = {}
    with suppress(OSError):  # threads end at any moment
        for thread in Path(f"/proc/{pid}/task").iterdir():
            seconds[thread.name] = int((thread / "schedstat").read_text().split()[1]) / 1e9
    return seconds


def resident_memory() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def return_free_memory() -> None:
    """Let the C library return its free memory to the system: it would keep some for each thread."""
    ctypes.CDLL(None).malloc_trim(0)


def growth(measured: list[tuple[int, float]], warm: float) -> float:
    """Return the slope of (events, MB) in MB per 10,000 events, without the share `warm` at the beginning."""
    settled = measured[int(len(measured) * warm) :]
    if len(settled) < 3:
        return 0.0
    events, sizes = zip(*settled, strict=True)
    return 10_000 * linear_regression(events, sizes).slope


FORBIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
SCROLL_BAR_ACTIONS = ("grab", "release", "scroll_up", "scroll_down")
OWN_ACTIONS = re.compile(
    r"app\.press\('\w+'\)|"
    r"screen\.(open_box\(\d+\)|go_to\((\d+|\([\d, ]*\))\)|ready_made\([1-6]\)|tour\(-?1\)|leave_tour)"
)
"""The actions of keys in frames, of cards and trainings in Train, of nodes, and of the tour; no sample has one."""


def control_characters(text: str, allowed: str = "") -> list[str]:
    """Return the control characters in a text, as `U+001B`, except those that are allowed."""
    found = [letter for letter in text if letter not in allowed and unicodedata.category(letter) in FORBIDDEN]
    return [f"U+{ord(letter):04X}" for letter in found]


def strip_faults(strips: Iterable[Strip]) -> Iterator[str]:
    """Find control characters, control segments, links and actions in the lines of a screen."""
    for row, strip in enumerate(strips):
        for text, drawn, control in strip:
            style = drawn or Style()
            actions = [
                does
                for key, does in style.meta.items()
                if key.startswith("@") and does not in SCROLL_BAR_ACTIONS and not OWN_ACTIONS.fullmatch(str(does))
            ]
            for fault in (control, control_characters(text)[:3], style.link, actions):
                if fault:
                    yield f"row {row}: {fault} in {text!r}"
