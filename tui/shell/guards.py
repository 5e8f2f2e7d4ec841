"""Guards against errors of Textual 8.2.8, all with public API; each names the symptom that it prevents."""

import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar, cast

from rich.console import RenderableType
from textual.app import App, ScreenStackError
from textual.dom import DOMNode, NoScreen
from textual.driver import Driver
from textual.errors import NoWidget
from textual.events import Event, MouseDown, MouseEvent, MouseMove, Resize
from textual.geometry import Size
from textual.message_pump import MessagePump
from textual.timer import Timer
from textual.widget import Widget

Result = TypeVar("Result")

OPENING: Final = 0.02
"""Seconds between two looks at whether a screen has finished opening."""
NOT_DRAWN: Final = Size(0, 0)
"""The size of a screen before it is first drawn."""
RESIZING: Final = 0.2
"""Seconds between two looks at whether the screen has the size of the terminal."""


def is_closing(node: DOMNode) -> bool:
    """Whether its screen is closing, or the app ends: some of the widgets may be gone by then."""
    try:
        screen = node.screen
    except NoScreen:
        return True
    return not (screen.is_attached and screen.display)  # `display` is false from when its removal begins


def call_after(node: MessagePump, seconds: float, callback: Callable[[], object]) -> Timer:
    """Call back once after this time, unless the timer is stopped before.

    Textual's `set_timer` never calls back if the process has to wait for a processor for that long while the timer
    starts: it then counts the only call as missed. An interval goes on. A stopped interval, however, calls once more if
    its next call is due within half a millisecond, since it does not wait for so short a time.
    """
    called = False

    def call() -> None:
        nonlocal called
        timer.stop()
        if not called:
            called = True
            callback()

    timer = node.set_interval(seconds, call)
    return timer


class GuardedApp(App[None]):
    """An app whose screens may close at any moment, also while they open or while a thread works for them."""

    def get_driver_class(self) -> type[Driver]:
        """The driver of this terminal, made to outlive input that it cannot parse."""
        driver = super().get_driver_class()
        if sys.platform == "win32":
            return driver
        from textual.drivers.linux_driver import LinuxDriver

        from tui.shell.input_driver import LastingInputDriver

        return LastingInputDriver if driver is LinuxDriver else driver

    ending = False
    """Whether the app has been asked to end."""

    def exit(self, result: None = None, return_code: int = 0, message: RenderableType | None = None) -> None:
        """End the app, once a screen that is opening is complete.

        Without this, an app that ends while a screen opens fails with `NoMatches`: Textual tells widgets to set up
        parts that they were never given.
        """
        self.ending = True
        if self._is_opening():
            call_after(self, OPENING, partial(self.exit, result, return_code, message))
        else:
            super().exit(result, return_code, message)

    def _is_opening(self) -> bool:
        try:
            return self.is_running and not self.screen.is_mounted
        except ScreenStackError:  # between two modes
            return True

    def on_mount(self) -> None:
        self.set_interval(RESIZING, self._resize_screen)

    def _resize_screen(self) -> None:
        """Send the size of the terminal to a screen that was drawn for another one.

        Without this, a screen may keep its old size for good: Textual sends the size by a timer that can be lost (see
        `call_after`), and then waits for that timer whenever the size changes again.
        """
        for screen in self.screen_stack[-1:]:
            if screen.outer_size not in (NOT_DRAWN, self.size):
                screen.post_message(Resize(self.size, self.size))

    async def on_event(self, event: Event) -> None:
        """Take the mouse from a widget that holds it without a button, or can no longer be seen.

        Without this every click would go to that widget: a scroll bar that is clicked fast captures the mouse after
        the button is up again, and a widget that is hidden while it holds the mouse never hears of the button.
        """
        holder = self.mouse_captured
        if isinstance(event, MouseEvent) and not event.is_forwarded and holder is not None:
            released = isinstance(event, MouseDown) or (isinstance(event, MouseMove) and not event.button)
            if released or not self._takes_mouse(holder):
                self.capture_mouse(None)
        await super().on_event(event)

    def _takes_mouse(self, widget: Widget) -> bool:
        """Whether it is visible on this screen, and enabled."""
        try:
            self.screen.find_widget(widget)
        except NoWidget:
            return False
        return widget.is_attached and not widget.is_disabled

    def call_from_thread(
        self, callback: Callable[..., Result | Awaitable[Result]], *args: object, **kwargs: object
    ) -> Result:
        """Call a function in the thread of the screen and wait for its result.

        A method of a widget whose screen is closing is not called, and the result is `None`: it would look for widgets
        that are gone.
        """
        owner = getattr(callback, "__self__", None)

        def call() -> Result | Awaitable[Result]:
            closing = isinstance(owner, Widget) and is_closing(owner)
            return cast("Result", None) if closing else callback(*args, **kwargs)

        return super().call_from_thread(call)
