"""A terminal driver that survives input which Textual cannot parse, or which comes too fast for the app."""

import asyncio
import termios
from contextlib import suppress
from typing import Any, Final

from textual.app import App, ScreenStackError
from textual.drivers.linux_driver import LinuxDriver
from textual.events import AppBlur, AppFocus, InputEvent, Key, Resize
from textual.geometry import Size
from textual.message import Message

LARGEST: Final = Size(1000, 500)
"""The largest size in columns and lines that a terminal may report: a much larger one would take all memory to draw."""
MAX_WAITING: Final = 500
"""The number of keys and mouse events that may wait: far more than a person types ahead, and a pasted line of text."""


class ResilientInputDriver(LinuxDriver):
    """Passes on input as far as it makes sense and the app keeps up with it.

    Symptoms without it: the app ends when a terminal reports a size of zero pixels
    (https://github.com/Textualize/textual/issues/6706), after bytes that are not UTF-8
    (https://github.com/Textualize/textual/issues/6456), or when it reports a key beyond Unicode, or in the form of the
    Kitty protocol that tells presses from releases. Input that arrives together with such bytes is lost.

    A megabyte of text that is pasted without the marks of a paste arrives as a million keys, which would take minutes
    and a gigabyte: keys beyond `MAX_WAITING` are lost, and all that the terminal then holds.
    """

    def __init__(self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: Any = None) -> None:  # noqa: ANN401  as Textual has it
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._client = app
        self._loop_of_app = asyncio.get_running_loop()
        self._sent = 0
        """How many keys and mouse events were passed on."""
        self._arrived = 0
        """How many of them have reached the event loop."""

    def run_input_thread(self) -> None:
        """Read input and dispatch events until the app ends."""
        while not self.exit_event.is_set():
            try:
                super().run_input_thread()
            except (ValueError, ArithmeticError):  # what the parser raises; not an OSError: the terminal is gone
                continue

    def process_message(self, message: Message) -> None:
        """Pass a message to the app, unless it is useless or one too many. Runs in the input thread.

        Useless are a size beyond `LARGEST`, and whether the window has the focus: nothing depends on it, but each
        change draws the screen anew, and there are thousands if windows are switched by a program.
        """
        if isinstance(message, Resize) and (message.size.width > LARGEST.width or message.size.height > LARGEST.height):
            return
        if isinstance(message, AppFocus | AppBlur):
            return
        if isinstance(message, InputEvent):
            if self._sent - self._arrived + waiting_in(self._client) >= MAX_WAITING:
                self._discard_rest(message)
                return
            self._sent += 1
            self._loop_of_app.call_soon_threadsafe(self._count_arrival)
        super().process_message(message)

    def _discard_rest(self, message: InputEvent) -> None:
        """Discard the text that the terminal holds, since to parse a megabyte takes longer than to answer it.

        What follows a mouse event is kept: the rest of one that is cut in two would be digits, which are moves.
        """
        if isinstance(message, Key) and message.is_printable:
            with suppress(termios.error):  # the terminal is gone
                termios.tcflush(self.fileno, termios.TCIFLUSH)

    def _count_arrival(self) -> None:
        self._arrived += 1


def waiting_in(app: App[Any]) -> int:
    """The number of messages that wait where keys are handled: in the focused widget, and all around it."""
    try:
        target = app.focused or app.screen
    except ScreenStackError:  # between two modes
        return app.message_queue_size
    return sum(each.message_queue_size for each in target.ancestors_with_self)
