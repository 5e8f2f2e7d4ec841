"""The terminal emulator of the tests, which here also tells when output came: for `keys.py` and `start.py`."""

import json
import os
import select
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from subprocess import Popen
from time import perf_counter
from typing import Final

from tests.tui import terminal as emulator

SIZE: Final = (120, 40)

Place = tuple[int, int]
"""A line and a column of the terminal, from 0."""


class Terminal(emulator.Terminal):
    """A pseudo-terminal with a program in it, and the time of its last output."""

    def __init__(self, arguments: tuple[str, ...], variables: dict[str, str], size: tuple[int, int] = SIZE) -> None:
        self.variables = {"COLORTERM": "truecolor", **variables}
        self.came = perf_counter()
        super().__init__(*arguments, size=size)

    def start(self, arguments: Sequence[str], **_: str) -> "Popen[bytes]":
        return super().start(arguments, **self.variables)

    def read(self, wait: float) -> bool:
        """Read all that has come, then draw it: to draw takes this emulator longer than a terminal."""
        came = []
        while select.select([self.ours], [], [], 0 if came else wait)[0]:
            came.append(os.read(self.ours, 65536))
            self.came = perf_counter()
        for output in came:
            self.take(output)
        return bool(came)

    def moment(self, condition: Callable[[], bool]) -> float:
        """Wait for a condition; return the time when it became true. Raises `TimeoutError`."""
        start = self.came = perf_counter()
        while not condition():
            if perf_counter() - start > emulator.DEADLINE:
                raise TimeoutError(f"this never came; the screen shows:\n{self.screen}")
            self.read(0.05)
        return self.came

    def letter(self, place: Place) -> str:
        return self.cells[place[0]][place[1]]

    def ground(self, place: Place) -> str:
        """The background colour of a cell, as a control sequence."""
        return self.styles[place[0]][place[1]].partition("48;")[2]

    def delay(self, key: str, seen: Callable[[], bool]) -> float:
        start = perf_counter()
        self.type(key)
        return self.moment(seen) - start


@contextmanager
def open_terminal(*arguments: str, **choices: str) -> Iterator[Terminal]:
    """Run the program with a library of its own and these choices as settings; or, with `-c`, run Python code."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        (Path(folder) / "settings").write_text(json.dumps({"tour": "left", **choices}))
        places = {"NOUGHTS_LIBRARY": f"{folder}/library", "NOUGHTS_SETTINGS": f"{folder}/settings"}
        program = arguments if arguments[:1] == ("-c",) else ("-m", "noughts", *arguments)
        with closing(Terminal(program, places)) as terminal:
            yield terminal
