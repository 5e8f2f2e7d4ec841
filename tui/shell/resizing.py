"""Screens that draw anew when the terminal has another size."""

from typing import Final

from textual.screen import Screen, ScreenResultType
from textual.timer import Timer

from tui.shell.guards import is_closing

SETTLED: Final = 0.1
"""Seconds after which the layout has come to rest when the terminal changed its size."""


class Settling(Screen[ScreenResultType]):
    """A screen whose `resized` is called once when its size has been the same for a moment, also as it opens."""

    settling: Timer | None = None
    """Runs out when that moment is over."""

    def on_resize(self) -> None:
        if self.settling is not None:
            self.settling.stop()
        self.settling = self.set_timer(SETTLED, self.redraw)

    def redraw(self) -> None:
        """Draw for the size, and in the colours, that there are by now, unless the screen goes."""
        self.settling = None
        if not is_closing(self):
            self.resized()

    def resized(self) -> None:
        """Draw for the new size."""
        raise NotImplementedError
