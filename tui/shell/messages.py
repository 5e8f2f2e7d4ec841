"""Messages that lie over the screen for a while."""

from typing import Final

from textual.notifications import Notification

BRIEFLY: Final = 0.1
"""Seconds for which a message is shown at least."""


class LastingNotification(Notification):
    """A message that may be shown when its time is just over: Textual 8.2.8 would count that time down for ever."""

    @property
    def time_left(self) -> float:
        return max(super().time_left, BRIEFLY)

    @property
    def has_expired(self) -> bool:
        return super().time_left <= 0
