"""Evolution compiled: the fitter strategies of a population have offspring. How fit they are: `kernels.judging`.

population   the alleles of every individual, uint8 of shape (individuals, genes)
fitness      of every individual, shape (individuals,)
gaps         how many genes pass before the next event, by its distribution: see `next_gap`
"""

import numpy as np

from learners.core.compiling import compiled
from learners.core.generator import WORD
from learners.core.kernel_generator import step
from learners.genetic.fitness_kernel import (
    DRAWS,
    FIRST_WINS,
    LOST,
    SECOND_WINS,
    Bytes,
    Floats,
    Ints,
    Longs,
    judge,
    mark_lost,
)

ROULETTE, SCALED, TOURNAMENT = range(3)
"""Ways to select: in proportion to fitness, to what it exceeds the least by, or the best of a few."""
MERGE, SELECTION, SIZE, ELITE, REPLICATION, CROSSOVER, FOCUS = range(7)
"""Of `rules`: count symmetric replies once; how to select, among how many; how many go on unchanged; the chances of a
copy, and of a crossover at each gene, in 2**32nds; whether children change a gene that lost them a game."""


@compiled
def next_gap(draw: int, gaps: Longs) -> int:
    """How many genes pass before the next event: the first entry of the ascending `gaps` that exceeds a 32-bit draw."""
    low, high = 0, len(gaps)
    while low < high:
        middle = (low + high) // 2
        if gaps[middle] > draw:
            high = middle
        else:
            low = middle + 1
    return low


@compiled
def another(allele: int, alleles: int, draw: int) -> np.int64:
    """Another of that many alleles, all equally likely."""
    return (allele + 1 + (draw * np.int64(alleles - 1) >> 32)) % alleles


@compiled
def best_of(fitness: Floats) -> int:
    """The fittest individual, the first of several."""
    best = 0
    for each in range(1, len(fitness)):
        if fitness[each] > fitness[best]:
            best = each
    return best


@compiled
def share_out(fitness: Floats, way: int, shares: Floats) -> None:
    """Write how much of the roulette wheel the individuals up to each have; evenly where none has any."""
    least = fitness.min() if way == SCALED else 0.0
    total = 0.0
    for each in range(len(fitness)):
        total += fitness[each] - least
        shares[each] = total
    if total == 0:
        for each in range(len(fitness)):
            shares[each] = each + 1


@compiled
def select(way: int, size: int, fitness: Floats, shares: Floats, low: int, high: int) -> tuple[int, int, int]:
    """An individual to have offspring, and the state of the generator after it."""
    if way == TOURNAMENT:
        best = -1
        for _ in range(size):
            draw, low, high = step(low, high)
            each = draw * len(fitness) >> 32
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
    """The nth of many 32-bit draws that come from one: none waits for the one before, so that a loop of them is fast.

    A counter in steps of the golden ratio, mixed by the finaliser of MurmurHash3 (A. Appleby), as SplitMix does it.
    """
    mixed = seed + nth * 0x9E3779B9 & WORD
    mixed = (mixed ^ mixed >> 16) * 0x85EBCA6B & WORD
    mixed = (mixed ^ mixed >> 13) * 0xC2B2AE35 & WORD
    return mixed ^ mixed >> 16


@compiled
def cross(parents: Bytes, pairs: Longs, rate: int, children: Bytes) -> None:
    """Copy every child's genes from one parent, and from each crossover on from the other.

    `pairs` holds both parents of each child and a draw of its own, shape (children, 3). Whether genes cross over is
    asked before every gene, with a chance of `rate` in 2**32. Three loops without a branch are far faster than one.
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
def mutate(child: Bytes, alleles: Bytes, gaps: Longs, low: int, high: int) -> tuple[int, int]:
    """Give every gene another allele with the chance that `gaps` holds; returns the state of the generator."""
    draw, low, high = step(low, high)
    gene = next_gap(draw, gaps)
    while gene < len(child):
        if alleles[gene] > 1:
            draw, low, high = step(low, high)
            child[gene] = another(child[gene], alleles[gene], draw)
        draw, low, high = step(low, high)
        gene += 1 + next_gap(draw, gaps)
    return low, high


@compiled
def mutate_lost(child: Bytes, alleles: Bytes, marks: Longs, low: int, high: int) -> tuple[int, int]:
    """Give one of the marked genes another allele; returns the state of the generator."""
    count = 0
    for gene in range(len(child)):
        marks[gene] = marks[gene] if alleles[gene] > 1 else 0
        count += marks[gene]
    if count:
        draw, low, high = step(low, high)
        nth = draw * count >> 32
        for gene in range(len(child)):
            if marks[gene] and nth == 0:
                draw, low, high = step(low, high)
                child[gene] = another(child[gene], alleles[gene], draw)
            nth -= marks[gene]
    return low, high


@compiled
def scatter(population: Bytes, alleles: Bytes, generator: Longs) -> None:
    """Give every gene of every individual any of its alleles, all equally likely."""
    low, high = int(generator[0]), int(generator[1])
    for each in range(len(population)):
        for gene in range(len(alleles)):
            draw, low, high = step(low, high)
            population[each, gene] = draw * np.int64(alleles[gene]) >> 32
    generator[0], generator[1] = low, high


@compiled
def pair_up(fitness: Floats, rules: Longs, pairs: Longs, generator: Longs) -> None:
    """Choose the parents of each child, and a draw for their crossing: below 0 where it is to be a copy of one parent.

    The elite come first, each a copy of itself.
    """
    low, high = int(generator[0]), int(generator[1])
    way, size = rules[SELECTION], rules[SIZE]
    shares, left = np.zeros(len(fitness)), fitness.copy()
    if way != TOURNAMENT:
        share_out(fitness, way, shares)
    for each in range(len(pairs)):
        if each < rules[ELITE]:
            one = other = best_of(left)
            left[one] = seed = -1
        else:
            draw, low, high = step(low, high)
            one, low, high = select(way, size, fitness, shares, low, high)
            other, seed = one, -1
            if draw >= rules[REPLICATION]:
                other, low, high = select(way, size, fitness, shares, low, high)
                seed, low, high = step(low, high)
        pairs[each, 0], pairs[each, 1], pairs[each, 2] = one, other, seed
    generator[0], generator[1] = low, high


@compiled
def breed(
    parents: Bytes,
    children: Bytes,
    fitness: Floats,
    alleles: Bytes,
    node: Ints,
    arc: Ints,
    rules: Longs,
    mutations: Longs,
    generator: Longs,
) -> None:
    """Fill the next generation: the elite as it is, then copies of one parent, and crossings of two, which mutate."""
    pairs = np.zeros((len(children), 3), np.int64)
    lost, marks = np.zeros(len(node), np.uint8), np.zeros(len(alleles), np.int64)
    pair_up(fitness, rules, pairs, generator)
    cross(parents, pairs, rules[CROSSOVER], children)
    low, high = int(generator[0]), int(generator[1])
    for each in range(len(children)):
        if pairs[each, 2] < 0:
            continue
        low, high = mutate(children[each], alleles, mutations, low, high)
        if rules[FOCUS]:
            marks[:] = 0
            for side in range(2):
                mark_lost(children[each], node, arc, lost, side, marks)
            low, high = mutate_lost(children[each], alleles, marks, low, high)
    generator[0], generator[1] = low, high


@compiled
def evolve(
    generations: int,
    until_perfect: int,
    population: Bytes,
    spare: Bytes,
    judged: Longs,
    fitness: Floats,
    alleles: Bytes,
    node: Ints,
    arc: Ints,
    points: Longs,
    rules: Longs,
    mutations: Longs,
    generator: Longs,
) -> tuple[int, int]:
    """Let `generations` follow on a population that is judged; returns how many did, and how many games they had.

    With `until_perfect` the last is the first whose best individual loses nothing. `spare` is the room for children.
    """
    games = 0
    for done in range(generations):
        breed(population, spare, fitness, alleles, node, arc, rules, mutations, generator)
        for each in range(len(spare)):
            for gene in range(len(alleles)):  # compiled in a tenth of the time that a slice takes
                population[each, gene] = spare[each, gene]
        judge(population, node, arc, rules[MERGE], points, judged, fitness)
        for each in range(len(population)):
            games += judged[each, FIRST_WINS] + judged[each, SECOND_WINS] + judged[each, DRAWS]
        if until_perfect and judged[best_of(fitness), LOST] == 0:
            return done + 1, games
    return generations, games
