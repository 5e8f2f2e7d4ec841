"""The interpreter, told to let the screen go first."""

import gc
import sys
from typing import Final

SWITCH: Final = 0.001
"""Seconds for which a thread that searches lets the screen wait each time it has something to do."""
SELDOM: Final = (10_000, 20, 50)
"""When garbage is looked for: going over all that a search remembers takes a tenth of a second, and no key is seen."""


def put_screen_first() -> None:
    """Called once all is imported that the first screen needs: that is gone over no more."""
    sys.setswitchinterval(SWITCH)
    gc.freeze()
    gc.set_threshold(*SELDOM)
