"""Compute the book: `make book`. It goes on where it stopped, and can be interrupted at any time.

The positions with few pieces come first: they are the most useful, and take the longest.
"""

import os
import signal
import sys
import time
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import Final

import numpy as np

from engine.connect_solver.board import WordBoard
from engine.connect_solver.book import FILE, GAME, PLIES, Book
from engine.connect_solver.solver import Solver
from engine.games import parse_game

MEGABYTES: Final = 1024
"""The size of the table: what it keeps from one position to the next saves most of the work."""
Words = tuple[int, int]
INTERVAL: Final = 60.0
"""The seconds between two writes of the file."""


class Building:
    """The scores that are known so far, by key."""

    def __init__(self, path: Path) -> None:
        """Read what an earlier run has computed."""
        self.path = path
        self.solver = Solver(parse_game(GAME), MEGABYTES)
        self.board = WordBoard(self.solver.shape)
        self.scores: dict[int, int] = {}
        if path.exists():
            with np.load(path) as stored:
                self.scores = dict(zip(stored["keys"].tolist(), stored["scores"].tolist(), strict=True))

    def write(self) -> None:
        """Write all scores, in one step."""
        keys = sorted(self.scores)
        whole = self.path.with_suffix(".tmp")
        with whole.open("wb") as file:
            np.savez_compressed(
                file, keys=np.array(keys, np.int64), scores=np.array([self.scores[key] for key in keys], np.int8)
            )
        whole.replace(self.path)

    def run(self) -> None:
        """Compute what is missing, ply by ply; positions that follow the best play come first."""
        written, before, given = time.monotonic(), dict[int, Words](), {0: 0}
        for ply, reached in enumerate(self.board.positions(PLIES)):
            quiet = {key: each for key, each in reached.items() if self.board.is_quiet(*each)}
            least, least_given = self.from_parents(before, given)
            order = sorted((least_given.get(key, 0), key) for key in quiet if key not in self.scores)
            missing = [key for _, key in order]
            begun, nodes = time.monotonic(), 0
            for number, key in enumerate(missing, 1):
                found = self.solver.solve_words(*quiet[key], least=least.get(key))
                self.scores[key], nodes = found.score, nodes + found.nodes
                if time.monotonic() - written > INTERVAL or number == len(missing):
                    self.write()
                    written = time.monotonic()
                    seconds = written - begun
                    done = len(quiet) - len(missing) + number
                    print(f"{ply} pieces: {done:,} of {len(quiet):,}, {seconds:,.0f} s, {nodes:,} nodes", flush=True)
            given = self.from_parents(before, given)[1] or given
            before = reached

    def from_parents(self, parents: dict[int, Words], given: dict[int, int]) -> tuple[dict[int, int], dict[int, int]]:
        """Return the least score of each reply to positions with a known score, and what was given away on the way.

        No reply leaves the side that makes it more than the score of the position: so a reply, scored for the other
        side, is worth at least the negative of that score.
        """
        keys = sorted(self.scores)
        book = Book(self.board, np.array(keys, np.int64), np.array([self.scores[key] for key in keys], np.int8))
        least, least_given = dict[int, int](), dict[int, int]()
        for key, each in parents.items():
            score = book.score(*each)
            if score is None:
                continue
            for reply in self.board.after(*each):
                reached, known = self.board.key(*reply), book.score(*reply)
                least[reached] = max(least.get(reached, -score), -score)
                away = given.get(key, 0) + (score + known if known is not None else 0)
                least_given[reached] = min(least_given.get(reached, away), away)
        return least, least_given


def main() -> None:
    """Compute the book, or the part that is given as a number of pieces."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(str(FILE))
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a program started in the background ignores
    try:
        flock(os.open(path.parent, os.O_RDONLY), LOCK_EX | LOCK_NB)  # held to the end of the process
    except BlockingIOError:
        sys.exit(f"{path} is being computed by another program: wait for it, or end it")
    building = Building(path)
    try:
        building.run()
    except KeyboardInterrupt:
        building.write()
        print("Stopped; the same command goes on.")


if __name__ == "__main__":
    main()
