"""The program in a pseudo-terminal, with a terminal emulator that is just sufficient to see what a person would."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from codecs import getincrementaldecoder
from collections.abc import Callable, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic

from rich.console import Console
from rich.text import Text

from tests.waiting import LIMIT, wait_until

ROOT = Path(__file__).parents[2]
ROWS, COLUMNS = 24, 80
DEADLINE = LIMIT
END_MARK = "\x1b[999z"
"""A control sequence without a meaning: written after the program's end, it shows that all before it was read."""
PIECES = re.compile(r"\x1b\[(\d*);?(\d*)H|\x1b\[([0-9;]*)m|\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b[^\[]|([^\x1b]+)")
"""A jump of the cursor, a style, any other control sequence, or text."""
UNCOLOURED = re.compile(r"\x1b\[[0-9;?<>=]*[A-Za-ln-z]|\x1b[^\[]")
"""A control sequence that sets no colours."""
CUT_OFF = re.compile(r"\x1b(\[[0-9;?<>=]*)?\Z")
"""The beginning of a control sequence whose rest has not arrived."""
FIXED = ("COLUMNS", "LINES")
"""Variables that `readline` sets while tests run: programs would believe them instead of the terminal."""
RUBBISH = "\N{REPLACEMENT CHARACTER}"
"""Fills the terminal after a change of its size, until the program draws over it."""
TO_THE_END, DELETE_TO_THE_LEFT = "\x1b[F", "\x15"
"""The keys of a field that empty it: End, and Ctrl+U."""
SWITCHES = {"1049": "alternate screen", "1003": "mouse", "2004": "pasting"}
"""Modes of a terminal that a program must turn off again, by number; the cursor (25) it must turn on."""


class Terminal:
    """A pseudo-terminal, a program in it, and what it drew: an emulator of what Textual writes."""

    def __init__(self, *arguments: str, size: tuple[int, int] = (COLUMNS, ROWS)) -> None:
        self.ours, self.theirs = pty.openpty()
        self.take_size(*size)
        self.settings = termios.tcgetattr(self.theirs)
        self.cursor = (0, 0)
        self.style = ""
        self._pieces: list[str] = []
        """All that the program has written, as it came."""
        self._undrawn = ""
        """The beginning of a control sequence, whose rest has not come."""
        self._decoder = getincrementaldecoder("utf-8")(errors="replace")
        self.process = self.start(arguments)

    def start(self, arguments: Sequence[str], **variables: str) -> "subprocess.Popen[bytes]":
        usual = {name: value for name, value in os.environ.items() if name not in FIXED}
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env={**usual, "TERM": "xterm-256color", **variables},
            start_new_session=True,
        )

    def take_size(self, columns: int, rows: int) -> None:
        """Change the size, and fill the screen with rubbish, which the program must overwrite."""
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.size = columns, rows
        self.cells = [[RUBBISH] * columns for _ in range(rows)]
        self.styles = [[""] * columns for _ in range(rows)]
        """The style of each cell, as the numbers of its control sequence."""

    def resize(self, columns: int, rows: int) -> None:
        """Change the size, and send SIGWINCH, since this is not the controlling terminal of the program."""
        self.take_size(columns, rows)
        self.process.send_signal(signal.SIGWINCH)

    def read(self, wait: float) -> bool:
        """Read output for some seconds; returns whether there was any."""
        if not select.select([self.ours], [], [], wait)[0]:
            return False
        self.take(os.read(self.ours, 65536))
        return True

    def take(self, output: bytes) -> None:
        self._pieces.append(self._decoder.decode(output))
        written = self._undrawn + self._pieces[-1]
        cut_off = CUT_OFF.search(written)
        until = cut_off.start() if cut_off else len(written)
        row, column = self.cursor
        columns, rows = self.size
        for piece in PIECES.finditer(written, 0, until):
            to_row, to_column, style, text = piece.groups()
            if to_row is not None:
                row, column = int(to_row or 1) - 1, int(to_column or 1) - 1
            elif style is not None:
                self.style = style
            for letter in text or "":
                if letter == "\n":
                    row, column = row + 1, 0
                elif letter >= " " and row < rows and column < columns:
                    self.cells[row][column], self.styles[row][column] = letter, self.style
                    column += 1
        self.cursor, self._undrawn = (row, column), written[until:]

    @property
    def written(self) -> str:
        return "".join(self._pieces)

    @property
    def screen(self) -> str:
        return "\n".join("".join(cells).rstrip() for cells in self.cells)

    def in_the_colour_of_its_ground(self) -> set[str]:
        """The text that has the colour of its background, and so is invisible."""
        written = Text.from_ansi(UNCOLOURED.sub("\n", self.written))
        return {
            text.strip()
            for text, style, _ in written.render(Console())
            if style and style.color and style.color == style.bgcolor
        } - {""}

    def until(self, *texts: str, gone: str = "\0") -> None:
        self.until_true(lambda shown: all(text in shown for text in texts) and gone not in shown, f"{texts} never came")

    def until_true(self, shows: Callable[[str], bool], otherwise: str) -> None:
        def shown() -> bool:
            if shows(self.screen):
                return True
            assert self.process.poll() is None, self.screen
            self.read(0.05)
            return shows(self.screen)

        wait_until(shown, otherwise, lambda: self.screen, step=0)

    def until_quiet(self, pause: float = 0.2) -> None:
        """Wait until the program has written nothing for some seconds. A screen that is drawn for ever is a fault."""
        wait_until(lambda: not self.read(pause), "a pause in what it writes", lambda: self.screen, step=0)

    def read_for(self, seconds: float) -> None:
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            self.read(left)

    def type(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def click(self, column: int, row: int) -> None:
        self.type(f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m")

    def fill_in(self, label: str, text: str) -> None:
        """Replace the text of a field by clicking on it: tabs would count from a focus that a screen cannot show."""

        def found(text: str) -> re.Match[str] | None:  # anew each time: behind a new label may be the screen before it
            return re.search(rf"^[│ ]*{label}{text}", self.screen, re.MULTILINE)

        self.until_true(lambda _: found(" +(?=[^│ ])"), f"{label} never came")
        field = found(" +")
        self.click(len(field.group()) + 1, field.string.count("\n", 0, field.start()) + 1)
        self.until(gone="g Start")  # the field has the focus: letters are no longer keys
        self.type(TO_THE_END + DELETE_TO_THE_LEFT)
        self.until_true(lambda _: found(" *(│|$)"), "it stays as it was")
        self.type(text)
        self.until_true(lambda _: found(f" +{text}"), f"{label} {text} never came")

    def end(self) -> None:
        def ended() -> bool:
            self.read(0.02)
            return self.process.poll() is not None

        def all_was_read() -> bool:
            self.read(0.02)
            return self.written.endswith(END_MARK)

        wait_until(ended, "the end of the program", lambda: self.screen, step=0)
        os.write(self.theirs, END_MARK.encode())
        wait_until(all_was_read, "the end of what it wrote", lambda: self.screen, step=0)
        self._pieces = [self.written.removesuffix(END_MARK)]

    def hang_up(self, *numbers: signal.Signals) -> None:
        """Close the window, and send the signals that a closed controlling terminal causes."""
        os.close(self.theirs)
        os.close(self.ours)
        self.theirs = self.ours = -1
        for number in numbers:
            self.process.send_signal(number)

    def assert_restored(self) -> None:
        """Assert that the terminal is restored, and that the app, if it drew anything, left no text on it."""
        drew = "\x1b[?1049h" in self.written
        for number, name in SWITCHES.items():
            assert self._last(f"\x1b[?{number}l") >= self._last(f"\x1b[?{number}h") >= drew - 1, name
        assert self._last("\x1b[?25h") >= self._last("\x1b[?25l") >= drew - 1, "cursor"
        assert termios.tcgetattr(self.theirs) == self.settings
        assert "Traceback" not in self.written
        rest = self.written[self._last("\x1b[?1049l") :] if drew else ""
        assert not "".join(text for *_, text in PIECES.findall(rest)).strip(), repr(rest)

    def assert_ends(self, code: int) -> None:
        """Assert that the program ends with this exit code, and restores the terminal."""
        self.end()
        assert self.process.returncode == code
        self.assert_restored()

    def _last(self, sequence: str) -> int:
        return self.written.rfind(sequence)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for descriptor in {self.ours, self.theirs} - {-1}:
            os.close(descriptor)


@contextmanager
def opened(*arguments: str):
    seats = arguments or ("play", "--second", "save:riechel")
    with closing(Terminal("-m", "noughts", *seats)) as terminal:
        terminal.until("NOUGHTS", "your move", "What it knows")
        yield terminal
