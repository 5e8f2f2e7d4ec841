"""Run the command line in the process of the test: this is quick, and includes the handling of errors in `main`."""

import io
import json
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from math import inf
from typing import Any
from unittest.mock import patch

from cli.__main__ import main
from cli.shared import progress

PROGRESS = re.compile(r"^noughts: (compiling for the first time|.* of .*, \S+/s, ).*\n", re.MULTILINE)


def without_progress(written: str) -> str:
    """What standard error has besides the lines of progress, which only a slow machine gets."""
    return PROGRESS.sub("", written)


class Stream(io.TextIOWrapper):
    """A stream in memory: text on top of bytes, like a standard stream. `terminal`: it claims to be a terminal.

    Lone surrogates in `text` stand for bytes that are not UTF-8.
    """

    def __init__(self, text: str, *, terminal: bool) -> None:
        data = io.BytesIO(text.encode("utf-8", "surrogateescape"))
        super().__init__(data, "utf-8", "strict", newline="", write_through=True)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    @property
    def data(self) -> bytes:
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
        return self.data.decode()


def run(*arguments: str, lines: str = "", terminal: bool = False, first_line: float = inf) -> Ran:
    """Run `noughts` with these arguments, and these lines as standard input; return exit code and output.

    Long work is told of after `first_line` seconds: never, so that the output does not depend on the machine's speed.
    """
    given, out, err = (Stream(text, terminal=terminal) for text in (lines, "", ""))
    silent = patch.object(progress, "FIRST_LINE", first_line)
    with silent, patch.object(sys, "stdin", given), redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    return Ran(code, out.data, err.data.decode())


def refused(words: str, *arguments: str, code: int = 1, most: int = 2, lines: str = "") -> None:
    """Expect `noughts` to refuse these arguments with these words, in few short lines and nothing else."""
    ran = run(*arguments, lines=lines)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("noughts: ")
    assert words in ran.err.replace('"', "'")
    assert ran.err.count("\n") <= most
    assert ran.err.replace("\n", "").isprintable()
    assert len(ran.err) < 900


def as_json(*arguments: str, code: int = 0) -> Any:  # noqa: ANN401  JSON
    ran = run(*arguments, "--json")
    assert (ran.code, ran.err, ran.out.count("\n")) == (code, "", 1)
    return json.loads(ran.out)
