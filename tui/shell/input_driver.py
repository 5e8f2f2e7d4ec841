"""A terminal driver that survives input which Textual cannot parse, or which comes too fast for the app."""

import asyncio
import termios
from asyncio import AbstractEventLoop
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


class Backlog:
    """Counts the keys and mouse events that the app has yet to answer. The input thread adds them."""

    def __init__(self, app: App[Any], loop: AbstractEventLoop) -> None:
        """Count for `app`, which runs in `loop`."""
        self.app = app
        self.loop = loop
        self.sent = 0
        """The number of events that were passed on to the app."""
        self.arrived = 0
        """The number of events in `sent` that have reached the event loop."""

    @property
    def is_full(self) -> bool:
        """Whether `MAX_WAITING` or more wait, on their way to the event loop or in a queue of the app."""
        return self.sent - self.arrived + self.queued >= MAX_WAITING

    @property
    def queued(self) -> int:
        """The number of messages that wait where keys are handled: in the focused widget, and all around it."""
        try:
            target = self.app.focused or self.app.screen
        except ScreenStackError:  # between two modes
            return self.app.message_queue_size
        return sum(each.message_queue_size for each in target.ancestors_with_self)

    def add(self) -> None:
        """Count an event that was passed on, until the event loop handles it."""
        self.sent += 1
        self.loop.call_soon_threadsafe(self._arrive)

    def _arrive(self) -> None:
        self.arrived += 1


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
        self.backlog = Backlog(app, asyncio.get_running_loop())

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
            if self.backlog.is_full:
                if isinstance(message, Key) and message.is_printable:
                    discard_text(self.fileno)
                return
            self.backlog.add()
        super().process_message(message)


def discard_text(fileno: int) -> None:
    """Discard the text that a terminal holds, since to parse a megabyte takes longer than to answer it.

    Call this after a key that is text only. What follows a mouse event is kept: the rest of one that is cut in two
    would be digits, which are moves.
    """
    with suppress(termios.error):  # the terminal is gone
        termios.tcflush(fileno, termios.TCIFLUSH)
