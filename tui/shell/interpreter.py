"""Settings of the Python interpreter that keep the screen responsive, and all settings of the garbage collector."""

import gc
import sys
from typing import Final

SWITCH_INTERVAL: Final = 0.001
"""Seconds after which a thread that computes gives up the interpreter if another one waits, such as the screen's."""
THRESHOLDS: Final = (10_000, 10, 10)
"""Arguments of `gc.set_threshold`. It collects more rarely than by default, since a search holds many small objects."""


def prioritise_screen() -> None:
    """Prepare the interpreter for the app; call it once all modules of the first screen are imported."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.freeze()  # imported modules are never garbage
    gc.set_threshold(*THRESHOLDS)


def skip_final_collection() -> None:
    """Exempt everything from the garbage collection at exit, which would take half a second."""
    gc.freeze()
