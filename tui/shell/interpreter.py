"""The interpreter, told to let the screen go first, to give back memory, and to take no signal for an error."""

import ctypes
import gc
import signal
import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Final

SWITCH: Final = 0.001
"""Seconds for which a thread that searches lets the screen wait each time it has something to do."""
SELDOM: Final = (10_000, 20, 50)
"""When garbage is looked for: going over all that a search remembers takes a tenth of a second, and no key is seen."""
OLDEST: Final = 2
"""The generation of what is looked at when everything is."""
OPTIONS: Final = {-8: 1, -3: 2**16}
"""Those of the C library's `mallopt`, by their numbers in its `malloc.h`: how many arenas there are (`M_ARENA_MAX`) and
from how many bytes a block has pages of its own, which go back to the system with it (`M_MMAP_THRESHOLD`). By itself
that grows to 32 MB, and large blocks leave holes among what is kept."""


def put_screen_first() -> None:
    """Called once all is imported that the first screen needs: that is gone over no more."""
    sys.setswitchinterval(SWITCH)
    gc.freeze()
    gc.set_threshold(*SELDOM)


def share_memory() -> None:
    """Called before there are threads: each would get an arena of its own, and hold what it has freed for itself."""
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):  # it is glibc's alone
        for option, value in OPTIONS.items():
            library.mallopt(option, value)
    if hasattr(library, "malloc_trim") and give_back not in gc.callbacks:
        gc.callbacks.append(give_back)


def give_back(phase: str, found: Mapping[str, int]) -> None:
    """Called around each look for garbage: after one at everything, pages that hold nothing go back to the system."""
    if phase == "stop" and found["generation"] == OLDEST:
        ctypes.CDLL(None).malloc_trim(0)


def set_handler(number: int, handler: Callable[[int, FrameType | None], object] | int) -> None:
    """Set what a signal does, where the program or the part that heard of it ends; one of this very moment is lost.

    What came just before is still for the handler of before: without that, Python writes that a signal was "ignored due
    to race condition" on the terminal.
    """
    try:
        if sys.platform != "win32":
            ctypes.CDLL(None).signal(number, int(signal.SIG_IGN))
    finally:
        signal.signal(number, handler)
