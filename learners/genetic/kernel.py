"""Evolution, compiled: the fitter strategies of a population have offspring.

The tables are explained in `learners.genetic.kernel_tables`; the fitness comes from `learners.genetic.fitness_kernel`.
"""

import numpy as np

from engine.compiling.compiler import compiled
from learners.core.kernel_games import pick, step
from learners.core.kernel_step import WORD
from learners.genetic.fitness_kernel import DRAWS, FIRST_WINS, LOST, SECOND_WINS, mark_lost, score_population
from learners.genetic.kernel_tables import Breeding, Floats, Genes, Longs, PopulationTables, Scoring

ROULETTE, SCALED, TOURNAMENT = range(3)
"""Ways to select parents: in proportion to fitness, or to its excess over the lowest fitness, or the best of a few."""


@compiled
def next_gap(draw: int, gaps: Longs) -> int:
    """Return how many genes to skip before the next mutation: the index of the first number in `gaps` above a draw.

    `gaps` ascends: `gaps[n]` is the probability, in parts of 2^32, that one or more of the next n + 1 genes mutate.
    """
    low, high = 0, len(gaps)
    while low < high:
        middle = (low + high) // 2
        if gaps[middle] > draw:
            high = middle
        else:
            low = middle + 1
    return low


@compiled
def another_allele(allele: int, alleles: int, draw: int) -> np.int64:
    """Return one of the other `alleles` − 1 alleles, all equally likely."""
    return (allele + 1 + (draw * np.int64(alleles - 1) >> 32)) % alleles


@compiled
def best_of(fitness: Floats) -> int:
    """Return the fittest individual, the first if several are equally fit."""
    best = 0
    for each in range(1, len(fitness)):
        if fitness[each] > fitness[best]:
            best = each
    return best


@compiled
def share_out(fitness: Floats, selection: int, shares: Floats) -> None:
    """Fill `shares` with the cumulative shares of the roulette wheel; if all shares would be 0, they are equal."""
    least = fitness.min() if selection == SCALED else 0.0
    total = 0.0
    for each in range(len(fitness)):
        total += fitness[each] - least
        shares[each] = total
    if total == 0:
        for each in range(len(fitness)):
            shares[each] = each + 1


@compiled
def select(breeding: Breeding, fitness: Floats, shares: Floats, low: int, high: int) -> tuple[int, int, int]:
    """Return a parent, and the state of the generator after the draws."""
    if breeding.selection == TOURNAMENT:
        best = -1
        for _ in range(breeding.size):
            draw, low, high = step(low, high)
            each = pick(draw, len(fitness))
            if best < 0 or fitness[each] > fitness[best] or (fitness[each] == fitness[best] and each < best):
                best = each
        return best, low, high
    draw, low, high = step(low, high)
    mark = draw / 2**32 * shares[-1]
    first, last = 0, len(shares) - 1
    while first < last:
        middle = (first + last) // 2
        if shares[middle] > mark:
            last = middle
        else:
            first = middle + 1
    return first, low, high


@compiled
def nth_draw(seed: int, nth: int) -> int:
    """Return the nth of many 32-bit draws from one seed. No draw depends on another, so a loop over them is fast.

    A counter in steps of the golden ratio, mixed by the finaliser of MurmurHash3 (A. Appleby), as in SplitMix.
    """
    mixed = seed + nth * 0x9E3779B9 & WORD
    mixed = (mixed ^ mixed >> 16) * 0x85EBCA6B & WORD
    mixed = (mixed ^ mixed >> 13) * 0xC2B2AE35 & WORD
    return mixed ^ mixed >> 16


@compiled
def cross(parents: Genes, pairs: Longs, rate: int, children: Genes) -> None:
    """Copy the genes of every child from one parent, and change to the other parent at each crossover.

    `pairs` holds both parents of each child, and the seed of its draws, shape (children, 3). Before each gene, a
    crossover has the probability `rate` / 2^32. Three loops without a branch are far faster than one with branches.
    """
    flips = np.zeros(children.shape[1], np.uint8)
    for each in range(len(pairs)):
        one, other, seed = pairs[each, 0], pairs[each, 1], int(pairs[each, 2])
        child, crossed = children[each], 0
        for gene in range(len(flips)):
            flips[gene] = nth_draw(seed, gene) < rate
        for gene in range(len(flips)):
            crossed ^= flips[gene]
            child[gene] = crossed
        for gene in range(len(flips)):
            mine, theirs = parents[one, gene], parents[other, gene]
            child[gene] = mine ^ (mine ^ theirs) * child[gene]


@compiled
def mutate(child: Genes, alleles: Genes, gaps: Longs, low: int, high: int) -> tuple[int, int]:
    """Give random genes another allele, with gaps distributed as `gaps`; return the state of the generator."""
    draw, low, high = step(low, high)
    gene = next_gap(draw, gaps)
    while gene < len(child):
        if alleles[gene] > 1:
            draw, low, high = step(low, high)
            child[gene] = another_allele(child[gene], alleles[gene], draw)
        draw, low, high = step(low, high)
        gene += 1 + next_gap(draw, gaps)
    return low, high


@compiled
def mutate_lost(child: Genes, alleles: Genes, marks: Longs, low: int, high: int) -> tuple[int, int]:
    """Give one of the marked genes another allele; return the state of the generator."""
    count = 0
    for gene in range(len(child)):
        marks[gene] = marks[gene] if alleles[gene] > 1 else 0
        count += marks[gene]
    if count:
        draw, low, high = step(low, high)
        nth = pick(draw, count)
        for gene in range(len(child)):
            if marks[gene] and nth == 0:
                draw, low, high = step(low, high)
                child[gene] = another_allele(child[gene], alleles[gene], draw)
            nth -= marks[gene]
    return low, high


@compiled
def randomise(population: Genes, alleles: Genes, generator: Longs) -> None:
    """Give every gene of every individual a random allele, all equally likely."""
    low, high = int(generator[0]), int(generator[1])
    for each in range(len(population)):
        for gene in range(len(alleles)):
            draw, low, high = step(low, high)
            population[each, gene] = draw * np.int64(alleles[gene]) >> 32
    generator[0], generator[1] = low, high


@compiled
def pair_up(fitness: Floats, breeding: Breeding, pairs: Longs, generator: Longs) -> None:
    """Choose the parents of each child, and the seed of its crossover; a seed below 0 means a copy of one parent.

    Fills `pairs`, shape (children, 3). The copies of the elite come first.
    """
    low, high = int(generator[0]), int(generator[1])
    shares, remaining = np.zeros(len(fitness)), fitness.copy()
    if breeding.selection != TOURNAMENT:
        share_out(fitness, breeding.selection, shares)
    for each in range(len(pairs)):
        if each < breeding.elite:
            one = other = best_of(remaining)
            remaining[one] = seed = -1
        else:
            draw, low, high = step(low, high)
            one, low, high = select(breeding, fitness, shares, low, high)
            other, seed = one, -1
            if draw >= breeding.replication:
                other, low, high = select(breeding, fitness, shares, low, high)
                seed, low, high = step(low, high)
        pairs[each, 0], pairs[each, 1], pairs[each, 2] = one, other, seed
    generator[0], generator[1] = low, high


@compiled
def breed(parents: Genes, fitness: Floats, breeding: Breeding, generator: Longs, children: Genes) -> None:
    """Fill `children`: unchanged copies of the elite and of single parents, and mutated children of two parents."""
    alleles = breeding.alleles
    pairs = np.zeros((len(children), 3), np.int64)
    lost, marks = np.zeros(len(breeding.classes.node), np.uint8), np.zeros(len(alleles), np.int64)
    pair_up(fitness, breeding, pairs, generator)
    cross(parents, pairs, breeding.crossover, children)
    low, high = int(generator[0]), int(generator[1])
    for each in range(len(children)):
        if pairs[each, 2] < 0:
            continue
        low, high = mutate(children[each], alleles, breeding.mutations, low, high)
        if breeding.focus:
            marks[:] = 0
            for side in range(2):
                mark_lost(children[each], breeding.classes, side, lost, marks)
            low, high = mutate_lost(children[each], alleles, marks, low, high)
    generator[0], generator[1] = low, high


@compiled
def evolve(
    generations: int, until_perfect: int, population: PopulationTables, scoring: Scoring, breeding: Breeding
) -> tuple[int, int]:
    """Breed this many generations from a population with scores; return how many were bred, and their games.

    With `until_perfect` the last generation is the first whose best individual loses no game.
    """
    genomes, spare, scores, games = population.genomes, population.spare, population.scores, 0
    for done in range(generations):
        breed(genomes, scores.fitness, breeding, population.generator, spare)
        for each in range(len(spare)):
            for gene in range(len(breeding.alleles)):  # compiles ten times as fast as a slice
                genomes[each, gene] = spare[each, gene]
        score_population(genomes, breeding.classes, scoring, scores)
        for each in range(len(genomes)):
            games += scores.judged[each, FIRST_WINS] + scores.judged[each, SECOND_WINS] + scores.judged[each, DRAWS]
        if until_perfect and scores.judged[best_of(scores.fitness), LOST] == 0:
            return done + 1, games
    return generations, games
