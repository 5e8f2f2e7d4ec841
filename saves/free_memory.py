"""How much memory the system still has for this process, so that too little is noticed before work begins."""

import sys
from pathlib import Path
from typing import Final

MEMINFO: Final = Path("/proc/meminfo")
STATM: Final = Path("/proc/self/statm")
GROUP: Final = Path("/sys/fs/cgroup")
"""The limits of the group of processes that this one belongs to, as in a container (control groups, version 2)."""


def available_memory() -> int | None:
    """The memory that this process can still take, in bytes; `None` where the system does not tell (not on Linux)."""
    known = [amount for amount in (_of_system(), _of_group(), _of_process()) if amount is not None]
    return max(0, min(known)) if known else None


def _of_system() -> int | None:
    for line in _lines(MEMINFO):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _of_group() -> int | None:
    most, used = (" ".join(_lines(GROUP / name)) for name in ("memory.max", "memory.current"))
    if not (most.isdigit() and used.isdigit()):  # no such limit: `max`
        return None
    cached = [int(line.split()[1]) for line in _lines(GROUP / "memory.stat") if line.startswith("inactive_file ")]
    return int(most) - int(used) + sum(cached)


def _of_process() -> int | None:
    """What `ulimit -v` leaves."""
    if sys.platform == "win32":
        return None
    from resource import RLIM_INFINITY, RLIMIT_AS, getpagesize, getrlimit

    limit, _ = getrlimit(RLIMIT_AS)
    used = " ".join(_lines(STATM)).split()
    return None if limit == RLIM_INFINITY or not used else limit - int(used[0]) * getpagesize()


def _lines(path: Path) -> list[str]:
    """The lines of a file of the system; none if there is no such file."""
    try:
        return path.read_text("ascii").splitlines()
    except OSError:
        return []
