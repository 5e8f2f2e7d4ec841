"""Messages that are shown over the screen for some seconds."""

from typing import Any, Final

from textual.app import App
from textual.notifications import Notification
from textual.worker import Worker, WorkerState

from engine.stop import Stopped
from lab.text.sanitise import plain

MIN_SECONDS: Final = 0.1
"""The minimum number of seconds for which a message is shown."""
WARNING_SECONDS: Final = 8
"""The number of seconds for which a warning is shown."""


class LastingNotification(Notification):
    """A notification whose time left is never negative.

    Symptom without this guard: Textual never removes a message whose time is over before it is drawn; the app hangs.
    """

    @property
    def time_left(self) -> float:
        return max(super().time_left, MIN_SECONDS)

    @property
    def has_expired(self) -> bool:
        return super().time_left <= 0


def lasting(notification: Notification) -> LastingNotification:
    """A copy of a notification whose time left is never negative."""
    return LastingNotification(
        message=notification.message,
        title=notification.title,
        severity=notification.severity,
        timeout=notification.timeout,
        markup=notification.markup,
        raised_at=notification.raised_at,
        identity=notification.identity,
    )


def warn(app: App[Any], message: str) -> None:
    """Show a warning."""
    app.notify(plain(message, 400), severity="warning", timeout=WARNING_SECONDS, markup=False)


def warn_of_failure(app: App[Any], event: Worker.StateChanged) -> None:
    """Show a warning if a background worker has failed, and was not stopped since the app ends.

    Textual reports the state of a worker only to the widget that started it, so each widget that starts workers calls
    this in its `on_worker_state_changed`.
    """
    if event.state is WorkerState.ERROR and not isinstance(event.worker.error, Stopped):
        warn(app, f"An error in the background: {event.worker.error!r}")
