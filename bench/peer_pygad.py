"""Evolve strategies with pygad from the population in a file. Reads lines `generations 1`, answers each with seconds.

Run with the interpreter of the peers' environment. pygad has one loop that runs to the end, so a callback waits
between two generations. Selection, elite and mutation are pygad's; it does not evaluate unchanged parents again.
"""

import sys
from pathlib import Path
from time import perf_counter

import numpy as np
import pygad
from numpy.typing import NDArray
from peer_fitness import MOVES, fitness

COPIED, CROSSOVER, MUTATION = 0.1, 0.15, 0.001
"""The probabilities that a child is a copy, of a crossover at each gene, and of a mutation."""
ENDLESS = 1_000_000

random = np.random.default_rng(1)
clock = [0.0]


def cross(parents: NDArray[np.int64], size: tuple[int, int], _: pygad.GA) -> NDArray[np.int64]:
    """Return the children of each parent and the next one; the genes change parent at every crossover."""
    from_next = np.logical_xor.accumulate(random.random(size) < CROSSOVER, axis=1)
    from_next &= random.random((size[0], 1)) >= COPIED
    return np.where(from_next, np.roll(parents, -1, axis=0)[: size[0]], parents[: size[0]])


def evaluate(_: pygad.GA, genome: NDArray[np.int64], __: int) -> float:
    return fitness(genome.tolist())


def wait(*_: object) -> None:
    """Wait for the request for a generation; exit at the end of the input."""
    if not sys.stdin.readline():
        sys.exit()
    clock[0] = perf_counter()


def tell(_: pygad.GA) -> None:
    print(perf_counter() - clock[0], flush=True)


if __name__ == "__main__":
    population = np.frombuffer(Path(sys.argv[1]).read_bytes(), np.uint8).reshape(-1, len(MOVES)).astype(int)
    pygad.GA(
        num_generations=ENDLESS,
        num_parents_mating=len(population),
        fitness_func=evaluate,
        initial_population=population,
        gene_type=int,
        gene_space=[range(len(squares)) for squares in MOVES],
        parent_selection_type="tournament",
        K_tournament=2,
        keep_elitism=1,
        crossover_type=cross,
        mutation_type="random",
        mutation_probability=MUTATION,
        on_fitness=wait,
        on_generation=tell,
        random_seed=1,
    ).run()
