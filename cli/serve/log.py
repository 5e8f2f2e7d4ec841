"""Warnings of the server: short lines without control characters, at most one a second."""

import logging
from contextlib import suppress
from time import monotonic
from typing import Final

import click

from lab.text.sanitise import plain

PAUSE: Final = 1.0
"""The minimum time between two lines, in seconds."""
WIDTH: Final = 200


class LineHandler(logging.Handler):
    """A log handler that prints each message to standard error as one line, cut to `WIDTH`, without its traceback."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._printed = -PAUSE
        self._left_out = 0

    def emit(self, record: logging.LogRecord) -> None:
        now = monotonic()
        if now - self._printed < PAUSE:
            self._left_out += 1
            return
        message = record.getMessage()
        if record.exc_info and record.exc_info[0] is not None:
            message = f"{message}: {record.exc_info[0].__name__}"
        more = f" (and {self._left_out} more messages)" if self._left_out else ""
        self._printed, self._left_out = now, 0
        with suppress(OSError):  # the terminal was closed, or the program that reads standard error has ended
            click.echo(f"noughts: {plain(' '.join(message.split()), WIDTH)}{more}", err=True)


def quiet_logger() -> logging.Logger:
    """Return the server's logger. It, aiohttp and asyncio print through `LineHandler` only."""
    lines = LineHandler()
    for name in ("asyncio", "aiohttp"):
        each = logging.getLogger(name)
        each.handlers, each.propagate = [lines], False
    logger = logging.getLogger("noughts.serve")
    logger.handlers, logger.propagate = [lines], False
    return logger
