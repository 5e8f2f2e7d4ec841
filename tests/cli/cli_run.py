"""Runs the command line within the test's own process: quick, and errors go through the one place that catches them."""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

from cli.__main__ import main


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


def run(*arguments: str, lines: str = "", terminal: bool = False) -> Ran:
    """The exit code and what was printed by `noughts` with these arguments and these lines on its standard input."""
    kind = Terminal if terminal else io.StringIO
    out, err = kind(), kind()
    with patch.object(sys, "stdin", kind(lines)), redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    return Ran(code, out.getvalue(), err.getvalue())
