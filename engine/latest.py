"""The last result of slow work on a position, for several threads that may ask for it at once."""

from collections.abc import Callable
from threading import Lock
from typing import Final, Generic, TypeVar

from engine.game import Position
from engine.stop import Stop, Stopped

STOP_INTERVAL: Final = 0.05
"""The time between two calls of `stop` by a thread that waits for another one, in seconds."""

Result = TypeVar("Result")


class Latest(Generic[Result]):
    """Keeps the last result, since screens ask for it again. One thread works at a time; the others wait for it."""

    def __init__(self) -> None:
        self._busy = Lock()
        self._last: tuple[Position, Result] | None = None

    def of(self, position: Position, find: Callable[[], Result], stop: Stop) -> Result:
        """Return the last result, if it is for this position; otherwise that of `find`, which becomes the last one.

        Raises `Stopped` if `stop` is true during the wait for another thread, and whatever `find` raises.
        """
        while not self._busy.acquire(timeout=STOP_INTERVAL):
            if stop():
                raise Stopped
        try:
            if self._last is None or self._last[0] != position:
                self._last = position, find()
            return self._last[1]
        finally:
            self._busy.release()
