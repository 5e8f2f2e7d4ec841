"""The time until the first screens are drawn, in a pseudo-terminal.

    python bench/start.py

Exits with code 1 if a bound is missed.
"""

import fcntl
import os
import pty
import struct
import sys
import tempfile
import termios
from pathlib import Path
from select import select
from time import perf_counter, sleep
from typing import Final

from run import Figure, each_round, report

RUNS: Final = 7
STEPS: Final = (
    ("first move drawn", "5", ("▄",), 1.0),
    ("Tree screen opened", "r", ("549,946",), 0.3),
    ("its first node selected", "\x1b[B", ("59,705",), 0.1),
    ("and expanded", "\x1b[C", ("3,596",), 0.1),
)
"""What is measured, the key to press, the texts that must appear, and the bound in seconds."""
PATIENCE: Final = 10.0
REST: Final = 0.5
"""Seconds between two steps."""
BOARD: Final = ("your move", "┼")
"""The texts on the screen when a person can play."""


def read_until(terminal: int, wanted: tuple[str, ...]) -> None:
    """Read the output until all of `wanted` has been drawn. Raises `TimeoutError`."""
    seen, begun = "", perf_counter()
    while not all(part in seen for part in wanted):
        if perf_counter() - begun > PATIENCE:
            raise TimeoutError(f"{wanted} did not appear")
        if select([terminal], [], [], 0.01)[0]:
            seen += os.read(terminal, 1 << 16).decode("utf-8", "replace")


def start(folder: str) -> list[float]:
    """Return the seconds that each of `STEPS` takes; the first one begins with the start of the process."""
    took = []
    begun = perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        place = {"NOUGHTS_LIBRARY": f"{folder}/library", "NOUGHTS_SETTINGS": f"{folder}/settings"}
        environment = {**os.environ, "TERM": "xterm-256color", **place}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once, not at each start
        os.execvpe(sys.executable, [sys.executable, "-m", "noughts"], environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    read_until(terminal, BOARD)
    for _, key, seen, _ in STEPS:
        os.write(terminal, key.encode())
        read_until(terminal, seen)
        took.append(perf_counter() - begun)
        sleep(REST)
        begun = perf_counter()
    os.write(terminal, b"q")
    while select([terminal], [], [], PATIENCE)[0]:
        try:
            os.read(terminal, 1 << 16)
        except OSError:  # the terminal is closed at the other end
            break
    os.waitpid(process, 0)
    os.close(terminal)
    return took


def main() -> int:
    os.chdir(Path(__file__).resolve().parent.parent)
    figures = [Figure(what, "ms", at_most=1000 * most) for what, _, _, most in STEPS]
    with tempfile.TemporaryDirectory() as folder:
        start(folder)  # so that the files are compiled, and the operating system has cached them
        for _ in each_round(RUNS):
            for figure, took in zip(figures, start(folder), strict=True):
                figure.rounds.append(1000 * took)
    return report(figures)


if __name__ == "__main__":
    sys.exit(main())
