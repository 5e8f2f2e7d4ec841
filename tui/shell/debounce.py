"""Calls that wait until a series of events is over."""

from collections.abc import Callable

from textual.message_pump import MessagePump
from textual.timer import Timer

from tui.shell.guards import call_after


class Debounce:
    """Calls a function once, `seconds` after the last of a series of calls."""

    def __init__(self, node: MessagePump, seconds: float, function: Callable[[], object]) -> None:
        self._node = node
        self._seconds = seconds
        self._function = function
        self._timer: Timer | None = None

    @property
    def pending(self) -> bool:
        """Whether the function is still to be called."""
        return self._timer is not None

    def __call__(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = call_after(self._node, self._seconds, self._run)

    def _run(self) -> None:
        self._timer = None
        self._function()
