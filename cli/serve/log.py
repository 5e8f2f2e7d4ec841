"""What the server prints about trouble: short lines, few of them, without control characters."""

import logging
from contextlib import suppress
from time import monotonic
from typing import Final

import click

from lab.words.sanitise import plain

PAUSE: Final = 1.0
"""Least seconds between two lines."""
WIDTH: Final = 200


class Lines(logging.Handler):
    """A log handler that prints the first line of a message to standard error, without tracebacks."""

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
        with suppress(OSError):  # nobody can read it: the terminal is gone, or the program that the server writes to
            click.echo(f"noughts: {plain(' '.join(message.split()), WIDTH)}{more}", err=True)


def quiet_logger() -> logging.Logger:
    """The logger of the server, of aiohttp and of asyncio, which print through `Lines` alone."""
    lines = Lines()
    for name in ("asyncio", "aiohttp"):
        each = logging.getLogger(name)
        each.handlers, each.propagate = [lines], False
    logger = logging.getLogger("noughts.serve")
    logger.handlers, logger.propagate = [lines], False
    return logger
