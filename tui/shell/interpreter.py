"""Settings of the Python interpreter that keep the screen responsive. The only garbage collection policy is here."""

import gc
import sys
from typing import Final

SWITCH_INTERVAL: Final = 0.001
"""Seconds after which a thread that computes lets the screen run, if it has something to do."""
THRESHOLDS: Final = (10_000, 10, 10)
"""Of `gc.set_threshold`: collect less often than by default, since a search holds many small objects."""


def put_screen_first() -> None:
    """Prepare the interpreter for the app; call it once all modules of the first screen are imported."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.freeze()  # imported modules stay to the end
    gc.set_threshold(*THRESHOLDS)


def skip_final_collection() -> None:
    """Exempt everything from the garbage collection at exit, which would take half a second."""
    gc.freeze()
