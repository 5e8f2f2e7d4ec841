"""The interpreter, told to let the screen go first and to keep its memory together."""

import ctypes
import gc
import sys
from typing import Final

SWITCH: Final = 0.001
"""Seconds for which a thread that searches lets the screen wait each time it has something to do."""
SELDOM: Final = (10_000, 20, 50)
"""When garbage is looked for: going over all that a search remembers takes a tenth of a second, and no key is seen."""
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
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:  # it is glibc's alone
            for option, value in OPTIONS.items():
                mallopt(option, value)
