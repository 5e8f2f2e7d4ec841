"""A pseudo-terminal that runs the program and knows the character and style of each cell: for `keys.py`."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from time import perf_counter
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
COLUMNS, LINES = 120, 40
PATIENCE: Final = 60.0
"""The most seconds to wait for something."""
PIECES: Final = re.compile(r"\x1b\[(\d*);?(\d*)H|\x1b\[([0-9;]*)m|\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b[^\[]|([^\x1b]+)")
"""A jump of the cursor, a style, any other control sequence, or text."""
CUT_OFF: Final = re.compile(r"\x1b(\[[0-9;?<>=]*)?\Z")
"""An incomplete control sequence."""

Place = tuple[int, int]
"""A line and a column of the terminal, from 0."""


class Terminal:
    """A pseudo-terminal that understands the control sequences which the program writes."""

    def __init__(self, arguments: tuple[str, ...], environment: dict[str, str]) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment},
            start_new_session=True,
        )
        os.close(theirs)
        self._cells = [[(" ", "")] * COLUMNS for _ in range(LINES)]
        """Each cell: a character, and its style as control sequences."""
        self._at = (0, 0)
        self._style = ""
        self._rest = ""
        self._decoder = getincrementaldecoder("utf-8")(errors="replace")

    def read(self, wait: float) -> float | None:
        """Process the output that comes within some seconds; return the time when it came, or `None` if none came."""
        if not select([self.ours], [], [], wait)[0]:
            return None
        written = self._rest + self._decoder.decode(os.read(self.ours, 1 << 16))
        came = perf_counter()
        cut_off = CUT_OFF.search(written)
        until = cut_off.start() if cut_off else len(written)
        self._draw(written[:until])
        self._rest = written[until:]
        return came

    def _draw(self, written: str) -> None:
        line, column = self._at
        for piece in PIECES.finditer(written):
            to_line, to_column, style, text = piece.groups()
            if to_line is not None:
                line, column = int(to_line or 1) - 1, int(to_column or 1) - 1
            elif style is not None:
                self._style = style
            for letter in text or "":
                if letter == "\n":
                    line, column = line + 1, 0
                elif letter >= " " and line < LINES and column < COLUMNS:
                    self._cells[line][column] = letter, self._style
                    column += 1
        self._at = line, column

    @property
    def text(self) -> str:
        """The text on the screen."""
        return "\n".join("".join(letter for letter, _ in line) for line in self._cells)

    def until(self, condition: Callable[[], bool]) -> float:
        """Wait for a condition; return the time when it became true. Raises `TimeoutError`."""
        begun = came = perf_counter()
        while not condition():
            if perf_counter() - begun > PATIENCE:
                raise TimeoutError(f"this never came; the screen shows:\n{self.text}")
            came = self.read(0.05) or came
        return came

    def shows(self, *texts: str) -> None:
        """Wait until some texts are on the screen."""
        self.until(lambda: all(text in self.text for text in texts))

    def rest(self, seconds: float) -> None:
        """Process the output for some seconds."""
        end = perf_counter() + seconds
        while (left := end - perf_counter()) > 0:
            self.read(left)

    def type(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def click(self, line: int, column: int) -> None:
        self.type(f"\x1b[<0;{column};{line}M\x1b[<0;{column};{line}m")

    def letter(self, place: Place) -> str:
        return self._cells[place[0]][place[1]][0]

    def ground(self, place: Place) -> str:
        """The background colour of a cell, as a control sequence."""
        return self._cells[place[0]][place[1]][1].partition("48;")[2]

    def delay(self, key: str, seen: Callable[[], bool]) -> float:
        """Press a key; return the seconds until something is seen."""
        begun = perf_counter()
        self.type(key)
        return self.until(seen) - begun

    def close(self) -> None:
        """End the program, and read its last output."""
        self.process.send_signal(signal.SIGTERM)
        try:
            while self.process.poll() is None:
                self.read(0.05)
        except OSError:  # the terminal is closed at the other end
            self.process.wait(PATIENCE)
        os.close(self.ours)


@contextmanager
def opened(*arguments: str, **choices: str) -> Iterator[Terminal]:
    """Run the program with a library of its own and these choices as settings; or, with `-c`, run Python code."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        (Path(folder) / "settings").write_text(json.dumps({"tour": "left", **choices}))
        places = {"NOUGHTS_LIBRARY": f"{folder}/library", "NOUGHTS_SETTINGS": f"{folder}/settings"}
        terminal = Terminal(arguments if arguments[:1] == ("-c",) else ("-m", "noughts", *arguments), places)
        try:
            yield terminal
        finally:
            terminal.close()
