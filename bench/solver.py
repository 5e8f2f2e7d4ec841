"""The speed of the solver of Connect Four, beside that of the program of P. Pons if his sources are there.

    python bench/solver.py [--peer FOLDER]

FOLDER holds his sources (Solver.cpp and the files that it includes); they are compiled with g++ -O3, and the program is
given a table as ours keeps it, and no book. Processor time, each set in turn by both; a ratio compares the same round.
Without his sources or a compiler, nodes are compared with those that his program took on these positions when we
measured it. Exits with code 1 if a bound is missed.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Final, NamedTuple

from run import Figure, report

from engine.connect_solver.solver import Solver
from engine.games import parse_game
from engine.known_positions import known_positions

ROUNDS: Final = 3


class Set(NamedTuple):
    name: str
    positions: int
    """How many are timed: the hardest take long."""
    peer_nodes: int
    """The mean nodes of P. Pons' program on these, measured."""
    faster: float | None = None
    """How many times faster ours is to be."""


SETS: Final = (
    Set("end-easy", 100, 52),
    Set("middle-easy", 100, 607, 1.5),
    Set("begin-easy", 100, 5_400, 1.5),
    Set("middle-medium", 100, 57_000, 4),
    Set("begin-medium", 30, 1_550_000, 4),
    Set("begin-hard", 2, 55_800_000, 4),
)
MAX_END_EASY: Final = 0.02
"""The milliseconds that a position near the end may take."""
DRIVER: Final = """
#include "Solver.hpp"
#include <ctime>
#include <iostream>
int main() {
  GameSolver::Connect4::Solver solver;
  std::string moves;
  while (std::cin >> moves) {
    GameSolver::Connect4::Position position;
    position.play(moves);
    clock_t begun = clock();
    solver.solve(position);
    std::cout << double(clock() - begun) / CLOCKS_PER_SEC << std::endl;
  }
}
"""


def peer_program(sources: Path | None, folder: Path) -> Path | None:
    """Compile the peer; `None` if that cannot be done."""
    compiler = shutil.which("g++")
    if sources is None or compiler is None or not (sources / "Solver.cpp").exists():
        return None
    driver, program = folder / "driver.cpp", folder / "peer"
    driver.write_text(DRIVER, encoding="utf-8")
    options = "-O3", "-march=native", f"-I{sources}"
    subprocess.run([compiler, *options, str(driver), str(sources / "Solver.cpp"), "-o", str(program)], check=True)
    return program


def peer_seconds(program: Path, texts: list[str]) -> float:
    done = subprocess.run([program], input="\n".join(texts), capture_output=True, text=True, check=True)
    return sum(map(float, done.stdout.split()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", type=Path)
    game = parse_game("connectfour")
    solver = Solver(game)
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        program = peer_program(parser.parse_args().peer, Path(folder))
        for chosen in SETS:
            known = [each for each in known_positions(game) if each.set == chosen.name][: chosen.positions]
            positions = [each.position for each in known]
            solver.solve(positions[0])
            bound = MAX_END_EASY if chosen is SETS[0] else None
            without_peer = None if program else chosen.faster
            ours = Figure(f"{chosen.name}: a position", "ms", at_most=bound)
            many = Figure("  nodes of his program for one of ours", "times", at_least=without_peer)
            ratio = Figure("  times faster than his program", "times", at_least=chosen.faster)
            for _ in range(ROUNDS):
                solver.forget()
                start = process_time()
                nodes = sum(solver.solve(position).nodes for position in positions)
                seconds = process_time() - start
                ours.rounds.append(1000 * seconds / len(positions))
                many.rounds.append(chosen.peer_nodes * len(positions) / max(nodes, 1))
                if program:
                    ratio.rounds.append(peer_seconds(program, [each.columns for each in known]) / seconds)
            figures += [ours, many]
            if program:
                figures.append(ratio)
    return report(figures)


if __name__ == "__main__":
    sys.exit(main())
