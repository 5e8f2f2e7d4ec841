"""Settings of the Python interpreter for the app: how it switches threads, and when it collects garbage."""

import gc
import sys
from typing import Final

SWITCH_INTERVAL: Final = 0.001
"""Seconds after which a thread that computes gives way to a thread that waits, such as that of the screen."""
THRESHOLDS: Final = (10_000, 10, 10)
"""Arguments of `gc.set_threshold`: collections are rarer than by default, since a search holds many small objects."""


def prioritise_screen() -> None:
    """Prepare the interpreter for the app; call it once all modules of the first screen are imported."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.freeze()  # imported modules are never garbage
    gc.set_threshold(*THRESHOLDS)


def skip_final_collection() -> None:
    """Exempt everything from the garbage collection at exit, which would take half a second."""
    gc.freeze()
