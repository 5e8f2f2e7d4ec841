"""A terminal driver whose reader outlives bytes that Textual cannot take."""

from textual.drivers.linux_driver import LinuxDriver


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
