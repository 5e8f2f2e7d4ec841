"""Runs the command line within the test's own process: quick, and errors go through the one place that catches them."""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

from cli.__main__ import main


class Stream(io.TextIOWrapper):
    """A stream in memory, of text above bytes as a standard stream is; perhaps it says that it is a terminal."""

    def __init__(self, text: str, *, terminal: bool) -> None:
        super().__init__(io.BytesIO(text.encode()), "utf-8", newline="", write_through=True)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    @property
    def data(self) -> bytes:
        """What was written."""
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue()


@dataclass(frozen=True)
class Ran:
    code: int
    data: bytes
    """Standard output."""
    err: str

    @property
    def out(self) -> str:
        """Standard output as text."""
        return self.data.decode()


def run(*arguments: str, lines: str = "", terminal: bool = False) -> Ran:
    """The exit code and what was printed by `noughts` with these arguments and these lines on its standard input."""
    given, out, err = (Stream(text, terminal=terminal) for text in (lines, "", ""))
    with patch.object(sys, "stdin", given), redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    return Ran(code, out.data, err.data.decode())
