"""Evolve strategies with DEAP from the population in a file. Reads lines `generations TIMES`, answers with seconds.

Run with the interpreter of the peers' environment. DEAP evaluates only individuals that a crossover has changed.
"""

import random
import sys
from pathlib import Path
from time import perf_counter

from deap import algorithms, base, creator, tools
from peer_fitness import MOVES, fitness

CROSSING, CROSSOVER, MUTATION = 0.9, 0.15, 0.001
"""The probabilities that two parents are crossed instead of copied, of a crossover at each gene, and of a mutation."""
HIGHEST = [len(squares) - 1 for squares in MOVES]

creator.create("Fitness", base.Fitness, weights=(1.0,))
creator.create("Individual", list, fitness=creator.Fitness)


def mate(one: list[int], other: list[int]) -> tuple[list[int], list[int]]:
    """Exchange the genes from each odd-numbered crossover up to the next crossover, then mutate both."""
    exchanging = False
    for gene in range(len(one)):
        if random.random() < CROSSOVER:  # noqa: S311  no secret depends on it
            exchanging = not exchanging
        if exchanging:
            one[gene], other[gene] = other[gene], one[gene]
    for each in (one, other):
        tools.mutUniformInt(each, 0, HIGHEST, MUTATION)
    return one, other


def evaluate(genome: list[int]) -> tuple[float]:
    return (fitness(genome),)


if __name__ == "__main__":
    genes = Path(sys.argv[1]).read_bytes()
    population = [creator.Individual(genes[start : start + len(MOVES)]) for start in range(0, len(genes), len(MOVES))]
    for individual in population:
        individual.fitness.values = evaluate(individual)
    toolbox = base.Toolbox()
    toolbox.register("evaluate", evaluate)
    toolbox.register("select", tools.selTournament, tournsize=2)
    toolbox.register("mate", mate)
    for line in sys.stdin:
        started_at = perf_counter()
        algorithms.eaSimple(population, toolbox, CROSSING, 0, int(line.split()[1]), verbose=False)
        print(perf_counter() - started_at, flush=True)
