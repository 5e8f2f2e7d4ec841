"""A terminal driver that survives input which Textual cannot parse."""

from typing import Final

from textual.drivers.linux_driver import LinuxDriver
from textual.events import Resize
from textual.geometry import Size
from textual.message import Message

LARGEST: Final = Size(1000, 500)
"""Columns and rows that a terminal may report in its input; drawing many more takes all memory."""


class LastingInputDriver(LinuxDriver):
    """Goes on reading, with a new parser, after input on which the parser of Textual fails.

    Symptom without it: the app ends with `ZeroDivisionError` when a terminal reports a size of zero pixels
    (https://github.com/Textualize/textual/issues/6706), or with `UnicodeDecodeError` after bytes that are not UTF-8
    (https://github.com/Textualize/textual/issues/6456). Input that was read together with such bytes is lost.
    """

    def run_input_thread(self) -> None:
        """Read input and dispatch events until the app ends."""
        while not self.exit_event.is_set():
            try:
                super().run_input_thread()
            except (ZeroDivisionError, UnicodeDecodeError):
                continue

    def process_message(self, message: Message) -> None:
        """Pass a message on to the app, but not a size beyond `LARGEST`. Runs in the thread of the input."""
        if isinstance(message, Resize) and (message.size.width > LARGEST.width or message.size.height > LARGEST.height):
            return
        super().process_message(message)
