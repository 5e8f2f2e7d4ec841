"""An app that looks for garbage where that holds nobody up.

What a screen or a layout leaves is tied in loops, which only the garbage collector finds, and Python looks for them at
any moment, with all else: after some thousand keys it would take a second. Here what is young is looked at often, which
takes some 10 ms, and the rest when nobody has touched anything for a while: the more there may be, the shorter.
"""

import gc
from time import monotonic
from typing import Final

from textual.app import App
from textual.events import Event, InputEvent

LOOKS: Final = 0.25
"""Seconds between two looks at how much is new."""
YOUNG: Final = 2
"""Of so many of the collector's first steps the new is gone over: with its pace of this program, 20,000 objects."""
REST: Final = 3.0
"""Seconds without a key or the mouse after which all is gone over, which takes .2 to .5 s."""
PASSES: Final = 10
"""Over the new, after which that is worth it; after ten times as many a tenth of the rest will do."""


class Tidy(App[None]):
    """Puts what is garbage out of the way."""

    _touched = 0.0
    """When a key was last pressed, or the mouse."""
    _passes = 0
    """Over the new since all was gone over."""

    def on_mount(self) -> None:
        self.set_interval(LOOKS, self.tidy)

    async def on_event(self, event: Event) -> None:
        if isinstance(event, InputEvent):
            self._touched = monotonic()
        await super().on_event(event)

    def tidy(self) -> None:
        """Look for garbage if there may be enough of it; never while something is open, which will soon be some."""
        rested = monotonic() - self._touched
        if self._passes >= PASSES and rested * self._passes > REST * PASSES:
            gc.collect()
            self._passes = 0
        elif gc.get_count()[1] >= YOUNG and len(self.screen_stack) == 1:
            gc.collect(1)  # what survives counts as old from here on
            self._passes += 1
