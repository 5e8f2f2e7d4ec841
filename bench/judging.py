"""The duration of an exact judgement, as a whole process: of a table, and of a function that takes 1 ms an answer.

    python bench/judging.py

Exits with code 1 if a bound is missed. The time of a table is that of the processor, compiled modules in the cache.
"""

import os
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from subprocess import run
from time import perf_counter
from typing import Final

from run import Figure, each_round, report

from engine.games import GAMES
from engine.solve import perfect_edges
from engine.spaces import space_of

ROUNDS: Final = 5
SLOW: Final = """
from time import perf_counter
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

def choose(board, side, moves):
    end = perf_counter() + 0.001
    while perf_counter() < end:
        pass
    for player in (side, 3 - side):
        for move in moves:
            if any(move in line and sum(board[each] == player for each in line) == 2 for line in LINES):
                return move
    return next(move for move in (4, 0, 2, 6, 8, *moves) if move in moves)
"""


def write_table(path: Path) -> None:
    """Write a perfect move for each position of tic-tac-toe."""
    game, lines = GAMES[0], dict[int, str]()
    space = space_of(game)
    for edge in perfect_edges(space).nonzero()[0].tolist():
        position = int(space.position[space.source[edge]])
        lines.setdefault(position, f"{game.to_text(position)},{game.move_name(int(space.move[edge]))}")
    path.write_text("\n".join(["position,move", *lines.values()]), "utf-8")


def seconds_of(folder: Path, agent: str) -> tuple[float, float]:
    """Return the seconds that `noughts judge` takes: of the processor, and on the clock."""
    place = {"NOUGHTS_LIBRARY": str(folder / "library"), "NOUGHTS_SETTINGS": str(folder / "settings")}
    used, start = getrusage(RUSAGE_CHILDREN), perf_counter()
    run(
        [sys.executable, "-m", "noughts", "judge", agent],
        check=True,
        capture_output=True,
        cwd=folder,
        env={**os.environ, **place, "PYTHONPATH": str(Path.cwd()), "PYTHONDONTWRITEBYTECODE": ""},
    )
    took, after = perf_counter() - start, getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime, took


def main() -> int:
    of_table = Figure("an exact judgement of a table, processor", "s", at_most=0.3)
    of_function = Figure("a judgement of a function of 1 ms an answer", "s", at_most=8)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_table(folder / "perfect.csv")
        (folder / "slow.py").write_text(SLOW, "utf-8")
        seconds_of(folder, "perfect.csv")  # compiles the modules, or loads them from their cache
        for _ in each_round(ROUNDS):
            of_table.rounds.append(seconds_of(folder, "perfect.csv")[0])
            of_function.rounds.append(seconds_of(folder, "slow.py:choose")[1])
    return report([of_table, of_function])


if __name__ == "__main__":
    sys.exit(main())
