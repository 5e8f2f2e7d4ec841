"""The time until the first screens are drawn, in a pseudo-terminal.

    python bench/start.py

Exits with code 1 if a bound is missed.
"""

import sys
import tempfile
from contextlib import closing
from time import perf_counter
from typing import Final

from run import Figure, each_round, report
from terminal import Terminal

RUNS: Final = 7
STEPS: Final = (
    ("first move drawn", "5", ("▄",), 1.0),
    ("Tree screen opened", "r", ("131,184",), 0.3),
    ("its first node selected", "\x1b[B", ("14,652",), 0.1),
    ("and expanded", "\x1b[C", ("3,596",), 0.1),
)
"""What is measured, the key to press, the texts that must appear, and the bound in seconds."""
REST: Final = 0.5
"""Seconds between two steps."""
BOARD: Final = ("your move", "┼")
"""The texts on the screen when a person can play."""


def until_written(terminal: Terminal, wanted: tuple[str, ...], since: int = 0) -> None:
    terminal.moment(lambda: all(part in terminal.written[since:] for part in wanted))


def start(folder: str) -> list[float]:
    """Return the seconds that each of `STEPS` takes; the first one begins with the start of the process."""
    took = []
    places = {"NOUGHTS_LIBRARY": f"{folder}/library", "NOUGHTS_SETTINGS": f"{folder}/settings"}
    compiled = {"PYTHONDONTWRITEBYTECODE": ""}  # an installed program is compiled once, not at each start
    started_at = perf_counter()
    with closing(Terminal(("-m", "noughts"), {**places, **compiled}, size=(80, 24))) as terminal:
        until_written(terminal, BOARD)
        for _, key, seen, _ in STEPS:
            before = len(terminal.written)
            terminal.type(key)
            until_written(terminal, seen, before)
            took.append(terminal.came - started_at)
            terminal.read_for(REST)
            started_at = perf_counter()
        terminal.type("q")
        terminal.end()
    return took


def main() -> int:
    figures = [Figure(what, "ms", at_most=1000 * most) for what, _, _, most in STEPS]
    with tempfile.TemporaryDirectory() as folder:
        start(folder)  # so that the files are compiled, and the operating system has cached them
        for _ in each_round(RUNS):
            for figure, took in zip(figures, start(folder), strict=True):
                figure.rounds.append(1000 * took)
    return report(figures)


if __name__ == "__main__":
    sys.exit(main())
