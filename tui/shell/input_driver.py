"""A terminal driver that survives input which Textual cannot parse."""

from typing import Final

from textual.drivers.linux_driver import LinuxDriver
from textual.events import Resize
from textual.geometry import Size
from textual.message import Message

LARGEST: Final = Size(1000, 500)
"""The largest size in columns and lines that a terminal may report: a much larger one would take all memory to draw."""


class ResilientInputDriver(LinuxDriver):
    """Continues reading, with a new parser, after input on which Textual's parser fails.

    Symptom without it: the app ends with `ZeroDivisionError` when a terminal reports a size of zero pixels
    (https://github.com/Textualize/textual/issues/6706), or with `UnicodeDecodeError` after bytes that are not UTF-8
    (https://github.com/Textualize/textual/issues/6456). Input that arrives together with such bytes is lost.
    """

    def run_input_thread(self) -> None:
        """Read input and dispatch events until the app ends."""
        while not self.exit_event.is_set():
            try:
                super().run_input_thread()
            except (ZeroDivisionError, UnicodeDecodeError):
                continue

    def process_message(self, message: Message) -> None:
        """Pass a message to the app, except for a size beyond `LARGEST`. Runs in the input thread."""
        if isinstance(message, Resize) and (message.size.width > LARGEST.width or message.size.height > LARGEST.height):
            return
        super().process_message(message)
