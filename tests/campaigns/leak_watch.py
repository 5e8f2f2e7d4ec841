"""Find what a run of the app leaves behind unseen: failed background work, stray files, threads, and memory."""

import asyncio
import ctypes
import gc
import os
import re
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import linear_regression
from tempfile import TemporaryFile
from time import monotonic, sleep

from textual.app import App
from textual.timer import Timer
from textual.widget import Widget
from textual.worker import Worker, WorkerState

PATIENCE = 5.0
"""Seconds that a thread with nothing left to do has to end."""
SLOW = 3.0
"""Seconds. If an app takes longer to end, not counting its wait for a processor, its stacks are reported."""
INTERVAL = 0.1
"""Seconds between two measurements of an app that is ending."""
CACHE = "__pycache__"
"""The name of the folders for compiled code, which may be anywhere."""
SMALL_OBJECTS = re.compile(rb"bytes in allocated blocks += +([0-9,]+)")
"""The memory of small objects, in the output of `sys._debugmallocstats`."""
watches: list["LeakWatch"] = []
"""The active watch, if any: the audit hook looks it up, since a hook cannot be removed."""


class MallocInfo(ctypes.Structure):
    """What the C library reports about its memory, in bytes: `mallinfo(3)`."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    )


class LeakWatch:
    """Collects errors that would otherwise stay unseen. Files may be written below `folder` only."""

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
        if place is None or place == Path(os.devnull) or CACHE in place.parts:
            return
        if not place.resolve().is_relative_to(self.folder):
            if not any(place == each or place in each.parents for each in self.requested_paths):
                self.add_finding(f"{name} of {place}")
            raise PermissionError(f"{place} is not in {self.folder}")

    def wait_for_threads(self) -> None:
        """Wait until all threads that began during the watch have ended; each that has not is a finding."""
        end = monotonic() + PATIENCE * load_per_core()
        while (left := set(threading.enumerate()) - self.threads) and monotonic() < end:
            sleep(0.005)
        for thread in left:
            frame = sys._current_frames().get(thread.ident or 0)
            self.add_finding(f"the thread {thread.name} is left:\n{''.join(traceback.format_stack(frame))}")


def audit_hook(name: str, values: tuple[object, ...]) -> None:
    """Check the path of each file that is opened for writing, created, removed or renamed."""
    if not watches or name not in ("open", "os.mkdir", "os.remove", "os.rename"):
        return
    if name == "open":
        path, _, flags = values
        if not isinstance(flags, int) or not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            return
        watches[-1].check_path(name, path)
    else:
        watches[-1].check_path(name, values[0])


@contextmanager
def watching(folder: Path) -> Iterator[LeakWatch]:
    """Collect failed workers, exceptions in threads, unraisable exceptions, and writes outside the folder."""
    if audit_hook not in audit_hooks:
        audit_hooks.append(audit_hook)
        sys.addaudithook(audit_hook)
    watch = LeakWatch(folder)
    state, in_thread, unraisable = Worker.state, threading.excepthook, sys.unraisablehook

    def set_state(worker: Worker, new: WorkerState) -> None:
        state.fset(worker, new)
        if new is WorkerState.ERROR:
            watch.add_finding(f"{worker!r} failed", sys.exception() if hasattr(sys, "exception") else sys.exc_info()[1])

    Worker.state = property(state.fget, set_state)
    threading.excepthook = lambda args: watch.add_finding(f"{args.thread} failed", args.exc_value)
    sys.unraisablehook = lambda args: watch.add_finding(
        f"{args.err_msg or 'not raised'}: {args.object!r}", args.exc_value
    )
    watches.append(watch)
    try:
        yield watch
    finally:
        watches.remove(watch)
        Worker.state, threading.excepthook, sys.unraisablehook = state, in_thread, unraisable


audit_hooks: list[object] = []


class StackRecorder(threading.Thread):
    """Records the stack of every thread if something takes long, and how long the threads had no processor."""

    def __init__(self) -> None:
        super().__init__(name="overseer", daemon=True)
        self.stacks = ""
        self.done = threading.Event()
        self._begun = monotonic()
        self._first = seconds_without_processor(os.getpid())
        self._last = dict(self._first)

    @property
    def without_processor(self) -> float:
        """The most seconds that any of the threads was ready to run but had no processor."""
        return max((seconds - self._first.get(name, 0.0) for name, seconds in self._last.items()), default=0.0)

    def run(self) -> None:
        while not self.done.wait(INTERVAL):
            self._last |= seconds_without_processor(os.getpid())
            if monotonic() - self._begun - self.without_processor < SLOW or self.stacks:
                continue
            names = {thread.ident: thread.name for thread in threading.enumerate()}
            for ident, frame in sys._current_frames().items():
                self.stacks += f"{names.get(ident)}:\n{''.join(traceback.format_stack(frame)[-8:])}\n"

    def stop(self) -> None:
        self.done.set()
        self.join()


def seconds_without_processor(pid: int) -> dict[str, float]:
    """Return for each thread of a process how many seconds it was ready to run but had no processor."""
    seconds = {}
    with suppress(OSError):  # threads end at any moment
        for thread in Path(f"/proc/{pid}/task").iterdir():
            seconds[thread.name] = int((thread / "schedstat").read_text().split()[1]) / 1e9
    return seconds


def load_per_core() -> float:
    """The load per core, at least 1: other programs may slow this one down by this factor."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def resident_memory() -> float:
    """The resident memory of this process in MB. Allocators may keep memory that is no longer used."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def allocated_memory() -> float:
    """The memory in use in MB, according to the allocators of C and of Python; they keep the rest for later."""
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = MallocInfo
    info = mallinfo()
    with TemporaryFile() as file:
        stderr = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            sys._debugmallocstats()
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
        file.seek(0)
        small = sum(int(found.replace(b",", b"")) for found in SMALL_OBJECTS.findall(file.read()))
    return (info.uordblks + info.hblkhd + small) / 2**20


def leaked_objects(app: App) -> Counter[str]:
    """Count the live widgets and running timers that belong to no screen of an app, by type."""
    there = {node for stack in app._screen_stacks.values() for screen in stack for node in screen.walk_children()}
    there |= {screen for stack in app._screen_stacks.values() for screen in stack}
    gc.collect()
    found: Counter[str] = Counter()
    for each in gc.get_objects():
        if isinstance(each, Widget):
            with suppress(Exception):
                found[type(each).__name__] += each not in there
        elif isinstance(each, Timer):
            found["Timer"] += each._task is not None and each._target() not in {app, *there}
    return +found


def growth(measured: list[tuple[int, float]], warm: float) -> float:
    """The growth in MB per 10,000 events: the slope of a regression line, without the share `warm` at the beginning."""
    settled = measured[int(len(measured) * warm) :]
    if len(settled) < 3:
        return 0.0
    events, sizes = zip(*settled, strict=True)
    return 10_000 * linear_regression(events, sizes).slope
