"""What a run of the whole app leaves behind that nobody would see: failed work, files elsewhere, threads, memory."""

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
"""Seconds in which a thread ends that has nothing left to do."""
SLOW = 3.0
"""Seconds with a processor after which it is told what an app is doing that is to end."""
LOOKS = 0.1
"""Seconds between two looks at it."""
CACHE = "__pycache__"
"""Where compiled code is kept, wherever it lies."""
SMALL = re.compile(rb"bytes in allocated blocks += +([0-9,]+)")
"""How Python tells of the memory of its small objects."""
watches: list["Watch"] = []
"""The one that is on; a hook of the interpreter cannot be taken off again."""


class Malloc(ctypes.Structure):
    """What the C library tells of its memory, in bytes: `mallinfo(3)`."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    )


class Watch:
    """Collects what goes wrong out of sight while it is on. Files may be written below `folder` only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.named: set[Path] = set()
        """Where somebody at the app asked for a file: that is refused elsewhere as well, and rightly asked for."""
        self.findings: list[str] = []
        self.threads = set(threading.enumerate())

    def find(self, what: str, error: BaseException | None = None) -> None:
        lines = traceback.format_exception(error) if error is not None else []
        lines = lines if len(lines) < 60 else [*lines[:5], "…\n", *lines[-30:]]
        self.findings.append(f"{what}\n{''.join(lines)}")

    def loop_failed(self, _loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        error = context.get("exception")
        self.find(str(context.get("message")), error if isinstance(error, BaseException) else None)

    def opened(self, name: str, path: object) -> None:
        """Refuse what would be written elsewhere."""
        place = Path(os.fsdecode(path)).absolute() if isinstance(path, str | bytes | os.PathLike) else None
        if place is None or place == Path(os.devnull) or CACHE in place.parts:
            return
        if not place.resolve().is_relative_to(self.folder):
            if not any(place == named or place in named.parents for named in self.named):
                self.find(f"{name} of {place}")
            raise PermissionError(f"{place} is not in {self.folder}")

    def wait_for_threads(self) -> None:
        """See that no thread is left but those of before."""
        end = monotonic() + PATIENCE * crowd()
        while (left := set(threading.enumerate()) - self.threads) and monotonic() < end:
            sleep(0.005)
        for thread in left:
            frame = sys._current_frames().get(thread.ident or 0)
            self.find(f"the thread {thread.name} is left:\n{''.join(traceback.format_stack(frame))}")


def audit(name: str, values: tuple[object, ...]) -> None:
    """Look at every file that is opened to be written."""
    if not watches or name not in ("open", "os.mkdir", "os.remove", "os.rename"):
        return
    if name == "open":
        path, _, flags = values
        if not isinstance(flags, int) or not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            return
        watches[-1].opened(name, path)
    else:
        watches[-1].opened(name, values[0])


@contextmanager
def watching(folder: Path) -> Iterator[Watch]:
    """Watch all that Python tells nobody else of."""
    if audit not in hooked:
        hooked.append(audit)
        sys.addaudithook(audit)
    watch = Watch(folder)
    state, in_thread, unraisable = Worker.state, threading.excepthook, sys.unraisablehook

    def set_state(worker: Worker, new: WorkerState) -> None:
        state.fset(worker, new)
        if new is WorkerState.ERROR:
            watch.find(f"{worker!r} failed", sys.exception() if hasattr(sys, "exception") else sys.exc_info()[1])

    Worker.state = property(state.fget, set_state)
    threading.excepthook = lambda told: watch.find(f"{told.thread} failed", told.exc_value)
    sys.unraisablehook = lambda told: watch.find(f"{told.err_msg or 'not raised'}: {told.object!r}", told.exc_value)
    watches.append(watch)
    try:
        yield watch
    finally:
        watches.remove(watch)
        Worker.state, threading.excepthook, sys.unraisablehook = state, in_thread, unraisable


hooked: list[object] = []


class Overseer(threading.Thread):
    """Writes down what every thread is doing when something takes long, and how long they had no processor."""

    def __init__(self) -> None:
        super().__init__(name="overseer", daemon=True)
        self.told = ""
        self.done = threading.Event()
        self._begun = monotonic()
        self._first = waiting(os.getpid())
        self._last = dict(self._first)

    @property
    def waited(self) -> float:
        """Seconds in which one of them was ready to run and had no processor: the most of any."""
        return max((seconds - self._first.get(name, 0.0) for name, seconds in self._last.items()), default=0.0)

    def run(self) -> None:
        while not self.done.wait(LOOKS):
            self._last |= waiting(os.getpid())
            if monotonic() - self._begun - self.waited < SLOW or self.told:
                continue
            names = {thread.ident: thread.name for thread in threading.enumerate()}
            for ident, frame in sys._current_frames().items():
                self.told += f"{names.get(ident)}:\n{''.join(traceback.format_stack(frame)[-8:])}\n"

    def stop(self) -> None:
        self.done.set()
        self.join()


def waiting(pid: int) -> dict[str, float]:
    """Seconds that each thread of a process has been ready to run so far and had no processor."""
    seconds = {}
    with suppress(OSError):  # threads end at any moment
        for thread in Path(f"/proc/{pid}/task").iterdir():
            seconds[thread.name] = int((thread / "schedstat").read_text().split()[1]) / 1e9
    return seconds


def crowd() -> float:
    """How many want each processor: so much longer takes what takes no time of its own."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def resident() -> float:
    """The memory that this process holds, in MB: once as much as it ever needed, it may stay so."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def in_use() -> float:
    """The part of it that something is kept in, in MB: the allocators of C and of Python hold the rest for later."""
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Malloc
    told = mallinfo()
    with TemporaryFile() as file:
        stderr = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            sys._debugmallocstats()
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
        file.seek(0)
        small = sum(int(found.replace(b",", b"")) for found in SMALL.findall(file.read()))
    return (told.uordblks + told.hblkhd + small) / 2**20


def litter(app: App) -> Counter[str]:
    """What of an app is alive though it belongs to none of its screens: widgets, timers, and work that goes on."""
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


def growth(held: list[tuple[int, float]], warm: float) -> float:
    """How much the memory grows per 10,000 events once warm, from pairs of events so far and MB: as a straight line."""
    settled = held[int(len(held) * warm) :]
    if len(settled) < 3:
        return 0.0
    events, sizes = zip(*settled, strict=True)
    return 10_000 * linear_regression(events, sizes).slope
