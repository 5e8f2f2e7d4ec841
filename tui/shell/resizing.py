"""Screens that redraw after the terminal was resized."""

from typing import Final

from textual.screen import Screen, ScreenResultType
from textual.timer import Timer

from tui.shell.guards import call_after, is_closing

SETTLED: Final = 0.1
"""Seconds without a further change of size before a screen is redrawn."""


class Settling(Screen[ScreenResultType]):
    """A screen whose `resized` is called once the size has settled, also after it opens."""

    settling: Timer | None = None
    """Calls `redraw` when the size has settled."""

    def on_resize(self) -> None:
        if self.settling is not None:
            self.settling.stop()
        self.settling = call_after(self, SETTLED, self.redraw)

    def redraw(self) -> None:
        """Redraw for the current size and theme, unless the screen is closing."""
        self.settling = None
        if not is_closing(self):
            self.resized()

    def resized(self) -> None:
        """Draw for the new size."""
        raise NotImplementedError
