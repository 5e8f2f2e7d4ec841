"""A short motion of a widget, in steps. Any key may end it; where motion is reduced, its end is shown at once."""

from collections.abc import Callable

from textual.timer import Timer
from textual.widget import Widget

from tui.shell.guards import DELAYED_CALL


class Motion:
    """Counts the steps of a motion down, and draws its widget at each; at rest there is no timer."""

    def __init__(self, widget: Widget, draw: Callable[[], object] | None = None) -> None:
        """Draw by `draw`; without it, refresh the widget."""
        self._widget = widget
        self._draw = draw or widget.refresh
        self._timer: Timer | None = None
        self.steps_left = 0
        """The number of steps until the end, which is shown at 0."""

    def play(self, steps: int, seconds: float) -> None:
        """Begin a motion of `steps` steps of `seconds` each; if motion is reduced, show its final state."""
        self.end()
        if steps > 0 and self._widget.app.animation_level != "none":
            self.steps_left = steps
            self._timer = self._widget.set_interval(seconds, self._next, name=f"{DELAYED_CALL}{seconds}")

    def _next(self) -> None:
        self.steps_left -= 1
        if self.steps_left <= 0:
            self.end()
        self._draw()

    def end(self) -> None:
        """Show the final state at once."""
        self.steps_left = 0
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            self._draw()
