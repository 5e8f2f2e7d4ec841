"""A terminal driver whose reader outlives bytes that Textual cannot take."""

from typing import Final

from textual.drivers.linux_driver import LinuxDriver
from textual.events import Resize
from textual.geometry import Size
from textual.message import Message

LARGEST: Final = Size(1000, 500)
"""Columns and rows that a terminal may report in its input; drawing many more takes all memory."""


class LastingInputDriver(LinuxDriver):
    """Reads on, with a new parser, after input on which the parser of Textual 8.2.8 fails and ends the app.

    It divides by the size in pixels that a terminal reports, which may be zero, and decodes bytes that may not be
    UTF-8. What was read together with such input is lost.
    """

    def run_input_thread(self) -> None:
        """Wait for input and dispatch events until the app ends."""
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
