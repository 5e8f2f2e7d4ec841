"""Guards against faults of Textual, and what is built on them: delayed calls, and messages over the screen.

Each guard names the symptom that it prevents, and uses public API only.
`tests/tui/shell/test_guards.py` and its neighbours show the symptoms. Delete a guard when its test passes without it
with both the oldest and the newest supported version of Textual.
"""

import sys
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from textual.app import App, ScreenStackError
from textual.command import CommandList
from textual.dom import DOMNode, NoScreen
from textual.driver import Driver
from textual.errors import NoWidget
from textual.events import Event, InputEvent, MouseDown, MouseEvent, MouseMove, Paste, Resize
from textual.message_pump import MessagePump
from textual.notifications import Notification
from textual.screen import Screen
from textual.timer import Timer, TimerCallback
from textual.widget import Widget
from textual.widgets import OptionList
from textual.worker import NoActiveWorker, Worker, active_worker, get_current_worker

from lab.text.sanitise import plain

Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")

DELAYED_CALL: Final = "delayed call "
"""The beginning of the names of the timers of `call_after`; the seconds follow."""
OPENING_INTERVAL: Final = 0.02
"""Seconds between checks for whether a screen has finished opening."""


def is_closing(node: DOMNode) -> bool:
    """Return whether the screen of a node is being removed, or the app ends. Some of its widgets may already be gone.

    Symptom without this check: `NoMatches` from a timer or a worker that updates a closing screen.
    """
    try:
        screen = node.screen
    except NoScreen:
        return True
    return not (screen.is_attached and screen.display)  # `display` is false as soon as the removal begins


def call_after(node: MessagePump, seconds: float, callback: TimerCallback) -> Timer:
    """Call a function once after `seconds`, unless the returned timer is stopped before.

    Symptom without this guard: `set_timer` never calls the function if the process gets no processor time for `seconds`
    while the timer starts, since Textual then skips its only call. `set_interval` skips that call too, but makes the
    next one. A stopped interval may call once more, if its next call is due within half a millisecond: that is ignored.
    """
    called = False

    def call() -> object:
        nonlocal called
        timer.stop()
        if called:
            return None
        called = True
        return callback()

    timer = node.set_interval(seconds, call, name=f"{DELAYED_CALL}{seconds}")
    return timer


def has_earlier_size(screen: Screen[Any], event: Resize) -> bool:
    """Return whether an event has an earlier size of the terminal, so that Textual must not handle it.

    Symptom if it is handled, found by a random test: a screen is drawn for ever. Textual answers each change of a
    screen's size with another event, so that events with two sizes can follow each other without end.
    """
    return event.size != screen.app.size


def is_opening(app: App[Any]) -> bool:
    """Return whether the current screen is not mounted yet.

    Symptom if the app exits then: `NoMatches`, since Textual sets up widgets whose children were never mounted.
    """
    try:
        return app.is_running and not app.screen.is_mounted
    except ScreenStackError:  # while modes are switched
        return True


def resilient_driver(driver: type[Driver]) -> type[Driver]:
    """Return a driver in place of `driver`: on Linux and macOS, one that survives input which Textual cannot parse."""
    if sys.platform == "win32":
        return driver
    from textual.drivers.linux_driver import LinuxDriver

    from tui.shell.input_driver import ResilientInputDriver

    return ResilientInputDriver if driver is LinuxDriver else driver


def release_mouse(app: App[Any], event: Event) -> None:
    """Release the mouse if the widget that captured it cannot use it any more.

    Symptom without this guard: every click goes to that widget. A scroll bar that is clicked fast captures the mouse
    after the button is released (https://github.com/Textualize/textual/issues/1478), and a widget that is hidden or
    disabled while it has the mouse never gets the event of the release.
    """
    holder = app.mouse_captured
    if holder is None or not isinstance(event, MouseEvent) or event.is_forwarded:
        return
    # a press, or a motion without a button, can only follow a release that the holder has missed
    missed_release = isinstance(event, MouseDown) or (isinstance(event, MouseMove) and not event.button)
    if missed_release or not _can_use_mouse(app, holder):
        app.capture_mouse(None)


def _can_use_mouse(app: App[Any], widget: Widget) -> bool:
    """Return whether the widget is visible on the current screen, and enabled."""
    try:
        app.screen.find_widget(widget)
    except NoWidget:
        return False
    return widget.is_attached and not widget.is_disabled


def hits_removed_widget(app: App[Any], event: Event) -> bool:
    """Return whether a mouse event hits a widget that was removed after the screen was drawn.

    Symptom if the event is handled: `NoScreen` when Textual renders that widget to find the style under the mouse
    (https://github.com/Textualize/textual/issues/5629).
    """
    if not isinstance(event, MouseEvent) or event.is_forwarded:
        return False
    try:
        widget, _ = app.screen.get_widget_at(int(event.x), int(event.y))
    except (NoWidget, ScreenStackError):
        return False
    return not widget.is_attached


def comes_without_screen(app: App[Any], event: Event) -> bool:
    """Return whether input arrives before the first screen opens, or after the last has closed.

    Symptom if the event is handled: `ScreenStackError` ends an app that is about to end anyway, with a traceback.
    """
    return isinstance(event, InputEvent | Paste) and not app.screen_stack


def skip_if_unwanted(
    callback: Callable[..., Result | Awaitable[Result]],
) -> Callable[..., Result | Awaitable[Result] | None]:
    """Wrap a function for `call_from_thread`, so that a method of a widget is not called where nobody wants the result.

    That is the case when the screen is closing, or when the worker of this thread was cancelled, for example by a later
    worker of its group.

    Symptom without this guard: `NoMatches` when a thread reports a result to a screen that has been closed. Or an old
    result replaces a newer one: a thread may check that its worker is not cancelled, and be delayed before it reports.
    """
    worker = _current_worker()
    owner = getattr(callback, "__self__", None)  # the widget, if the function is one of its methods

    def call(*args: object, **kwargs: object) -> Result | Awaitable[Result] | None:
        is_cancelled = worker is not None and worker.is_cancelled
        if isinstance(owner, Widget) and (is_cancelled or is_closing(owner)):
            return None
        return callback(*args, **kwargs)

    return call


def release_worker_after(work: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Wrap the work of a thread, so that the thread does not keep its worker once the work has ended.

    Symptom without this guard: a closed screen stays in memory until its thread, which waits in a pool, gets another
    worker, since Textual keeps the present worker in the context of the thread.
    """

    @wraps(work)
    def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        try:
            return work(*args, **kwargs)
        finally:
            active_worker.set(None)  # type: ignore[arg-type]  # its type has no value for "none"

    return run


def _current_worker() -> Worker[Any] | None:
    """Return the worker that runs in this thread, if any."""
    try:
        return get_current_worker()
    except NoActiveWorker:
        return None


def turns_empty_page(app: App[Any], action: object, namespace: DOMNode | None) -> bool:
    """Return whether an action scrolls by a page in a list that has no room for a line.

    Symptom without this check: `KeyError` or `AttributeError` in a very small terminal: the list has computed no lines.
    """
    if "page" not in str(action):
        return False
    lists = [namespace] if isinstance(namespace, OptionList) else app.screen.query(CommandList)
    return any(not each.scrollable_content_region for each in lists)


class Debounce:
    """Calls a function once, `seconds` after the last of a series of calls."""

    def __init__(self, node: MessagePump, seconds: float, function: Callable[[], object]) -> None:
        self._node = node
        self._seconds = seconds
        self._function = function
        self._timer: Timer | None = None

    def __call__(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = call_after(self._node, self._seconds, self._run)

    def _run(self) -> None:
        self._timer = None
        self._function()


MIN_MESSAGE_SECONDS: Final = 0.1
"""The minimum number of seconds for which a message is shown."""
WARNING_SECONDS: Final = 8
"""The number of seconds for which a warning is shown."""


class LastingNotification(Notification):
    """A notification whose time left is never negative.

    Symptom without this guard: Textual never removes a message whose time is over before it is drawn; the app hangs.
    """

    @property
    def time_left(self) -> float:
        return max(super().time_left, MIN_MESSAGE_SECONDS)

    @property
    def has_expired(self) -> bool:
        return super().time_left <= 0


def make_lasting(notification: Notification) -> LastingNotification:
    """Return a copy of a notification whose time left is never negative."""
    return LastingNotification(**vars(notification))


def warn(app: App[Any], message: str) -> None:
    """Show a warning."""
    app.notify(plain(message, 400), severity="warning", timeout=WARNING_SECONDS, markup=False)
