"""Messages shown over the screen for some seconds."""

from typing import Final

from textual.notifications import Notification

BRIEFLY: Final = 0.1
"""The least number of seconds for which a message is shown."""


class LastingNotification(Notification):
    """A message whose time left is never negative: Textual 8.2.8 would never remove a message with a negative time."""

    @property
    def time_left(self) -> float:
        return max(super().time_left, BRIEFLY)

    @property
    def has_expired(self) -> bool:
        return super().time_left <= 0
