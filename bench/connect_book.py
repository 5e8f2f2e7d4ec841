"""Compute the book: `make book`. It goes on where it stopped, and can be interrupted at any time.

The positions with most pieces come first, for they take the least time each, and give the scores of those before them.
Among them, those close to the best play come first.
"""

import os
import signal
import sys
import time
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from fcntl import LOCK_EX, LOCK_NB, flock
from itertools import islice
from pathlib import Path
from threading import Event
from typing import Final

import numpy as np

from engine.connect_solver.book import FILE, PLIES, Book
from engine.connect_solver.games import WordBoard
from engine.connect_solver.solver import Solver
from engine.games.connectfour import CONNECT_FOUR
from engine.stop import Stopped

MEGABYTES: Final = 1024
"""The size of the table: what it keeps from one position to the next saves most of the work."""
Words = tuple[int, int]
INTERVAL: Final = 60.0
"""The seconds between two writes of the file."""
THREADS: Final = os.cpu_count() or 1
"""The positions that are searched at once, with one table."""


class Building:
    """The scores that are known so far, by key."""

    def __init__(self, path: Path) -> None:
        """Read what an earlier run has computed."""
        self.path = path
        self.board = WordBoard(Solver(CONNECT_FOUR, 1).shape)
        self.scores: dict[int, int] = {}
        if path.exists():
            with np.load(path) as stored:
                self.scores = dict(zip(stored["keys"].tolist(), stored["scores"].tolist(), strict=True))

    def write(self) -> None:
        book, whole = self.book(), self.path.with_suffix(".tmp")
        with whole.open("wb") as file:
            np.savez_compressed(file, keys=book.keys, scores=book.scores)
        whole.replace(self.path)

    def book(self) -> Book:
        keys = sorted(self.scores)
        return Book(self.board, np.array(keys, np.int64), np.array([self.scores[key] for key in keys], np.int8))

    def run(self, stopped: Event) -> None:
        """Compute what is missing, from the last ply to the first. Raises `Stopped`.

        What follows from the scores of an earlier run comes first.
        """
        plies = self.board.positions(PLIES)
        quiet = [{key: words for key, words in ply.items() if self.board.is_quiet(*words)} for ply in plies]
        for ply in range(PLIES - 1, -1, -1):
            known = {key: words for key, words in quiet[ply].items() if self.follows(words, quiet[ply + 1])}
            self.fill(ply, known, stopped)
        given_away = self.given_away(plies)
        for ply in range(PLIES, -1, -1):
            order = sorted(quiet[ply], key=lambda key, given=given_away[ply]: (given.get(key, 0), key))
            self.fill(ply, {key: quiet[ply][key] for key in order}, stopped)

    def follows(self, position: Words, quiet: Collection[int]) -> bool:
        """Return whether the score of a position follows from known ones; `quiet` are the keys of the next ply."""
        replies = (self.board.key(*reply) for reply in self.board.positions_after(*position))
        return all(reply in self.scores for reply in replies if reply in quiet)

    def fill(self, ply: int, wanted: dict[int, Words], stopped: Event) -> None:
        """Compute the missing scores of these positions of a ply, and write them now and then."""
        missing = {key: words for key, words in wanted.items() if key not in self.scores}
        start, written, nodes = time.monotonic(), time.monotonic(), 0
        for number, (key, score, new_nodes) in enumerate(self.solve_all(ply, missing, stopped), 1):
            self.scores[key] = score
            nodes += new_nodes
            if time.monotonic() - written > INTERVAL or number == len(missing):
                self.write()
                written = time.monotonic()
                seconds = written - start
                print(f"{ply} pieces: {number:,} of {len(missing):,}, {seconds:,.0f} s, {nodes:,} nodes", flush=True)

    def solve_all(self, ply: int, missing: dict[int, Words], stopped: Event) -> Iterator[tuple[int, int, int]]:
        """Yield the key, the score and the nodes of each position, as they are found. Raises `Stopped`."""
        solver, book = Solver(CONNECT_FOUR, MEGABYTES), self.book()

        def solve(key: int, words: Words) -> tuple[int, int, int]:
            if ply == PLIES:
                solution = solver.solve_words(*words, stop=stopped.is_set)
                return key, solution.score, solution.nodes
            lowest, nodes = self.board.shape.size, 0
            for reply in self.board.positions_after(*words):
                score = book.score(*reply)
                if score is None:  # the answer is forced, and leads beyond the book
                    solution = solver.solve_words(*reply, stop=stopped.is_set)
                    score, nodes = solution.score, nodes + solution.nodes
                lowest = min(lowest, score)
            return key, -lowest, nodes

        waiting = iter(missing.items())
        with ThreadPoolExecutor(THREADS) as pool:
            running = {pool.submit(solve, *item) for item in islice(waiting, 2 * THREADS)}
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                running |= {pool.submit(solve, *item) for item in islice(waiting, len(done))}
                yield from (future.result() for future in done)

    def given_away(self, plies: list[dict[int, Words]]) -> list[dict[int, int]]:
        """Return by ply how much score both sides have given away on the best way to each position.

        What a move after the last known score gives away counts as nothing.
        """
        book = self.book()
        given = [{0: 0}]
        for positions in plies[:-1]:
            reached = dict[int, int]()
            for key, each in positions.items():
                score = book.score(*each)
                for reply in self.board.positions_after(*each):
                    known = book.score(*reply)
                    away = given[-1].get(key, 0)
                    if score is not None and known is not None:
                        away += score + known
                    after = self.board.key(*reply)
                    reached[after] = min(reached.get(after, away), away)
            given.append(reached)
        return given


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(str(FILE))
    try:
        flock(os.open(path.parent, os.O_RDONLY), LOCK_EX | LOCK_NB)  # held to the end of the process
    except BlockingIOError:
        sys.exit(f"{path} is being computed by another program: wait for it, or end it")
    stopped = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    building = Building(path)
    try:
        building.run(stopped)
    except Stopped:
        building.write()
        print("Stopped; the same command goes on.")


if __name__ == "__main__":
    main()
