"""Evolution compiled: every strategy plays all of its games, and the fitter ones have offspring.

population   the alleles of every individual, uint8 of shape (individuals, genes)
judged       what every individual's games came to, int64 of shape (individuals, 6): see `FIRST_WINS` and on
fitness      of every individual, shape (individuals,)
node, arc    the position classes of the game: see `learners.genome.Kinds`
gaps         how many genes pass before the next event, by its distribution: see `next_gap`
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from learners.kernels.generator import step

FIRST_WINS, SECOND_WINS, DRAWS, LOST, WON, PLIES = range(6)
"""The columns of `judged`: games by how they ended, those that the strategy lost and won, and the plies of all."""
GENE, WHO, PLY, ARC = range(4)
"""The columns of `node`."""
ROULETTE, SCALED, TOURNAMENT = range(3)
"""Ways to select: in proportion to fitness, to what it exceeds the least by, or the best of a few."""
MERGE, SELECTION, SIZE, ELITE, REPLICATION, CROSSOVER, FOCUS = range(7)
"""Of `rules`: count symmetric replies once; how to select, among how many; how many go on unchanged; the chances of a
copy, and of a crossover at each gene, in 2**32nds; whether children change a gene that lost them a game."""
TOGETHER = 128
"""How many strategies play at once, in 32 bits: the compiler turns a loop over them into instructions for rows."""

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]


@njit(cache=True, nogil=True)
def nobody(here: Ints) -> bool:
    """Whether no strategy has a way to get here."""
    ways = 0
    for each in range(TOGETHER):
        ways |= here[each]
    return ways == 0


@njit(cache=True, nogil=True)
def settle(here: Ints, outcome: int, ply: int, counts: Ints) -> None:
    """Count the games that end here."""
    for each in range(TOGETHER):
        counts[outcome, each] += here[each]
        counts[PLIES, each] += here[each] * ply


@njit(cache=True, nogil=True)
def play_out(some: Bytes, node: Ints, arc: Ints, times: Ints, ways: Ints, side: int, counts: Ints) -> None:
    """Count the ways in which the games of some strategies as `side` end, all replies of the opponent taken in turn.

    There are up to `TOGETHER` strategies. A reply counts as many `times` as its arc says. `ways`, of shape (kinds,
    TOGETHER), is all 0 before and after; `counts` has a row for each column of `judged`.
    """
    own = np.zeros(TOGETHER, np.uint8)
    ways[0, : len(some)] = 1
    for kind in range(len(node) - 1):
        here = ways[kind]
        if nobody(here):
            continue
        gene, who, first = node[kind, GENE], node[kind, WHO], node[kind, ARC]
        if gene < 0:
            settle(here, who, node[kind, PLY], counts)
        elif who == side:
            for each in range(len(some)):  # twice as fast as a slice
                own[each] = some[each, gene]
            for choice in range(first, node[kind + 1, ARC]):
                there, allele = ways[arc[choice, 0]], np.uint8(choice - first)
                for each in range(TOGETHER):
                    there[each] += here[each] * np.int32(own[each] == allele)
        else:
            for reply in range(first, node[kind + 1, ARC]):
                there, same = ways[arc[reply, 0]], times[reply]
                for each in range(TOGETHER):
                    there[each] += here[each] * same
        here[:] = 0
    counts[WON], counts[LOST] = counts[side], counts[1 - side]


@njit(cache=True, nogil=True)
def judge(population: Bytes, node: Ints, arc: Ints, merge: int, points: Longs, judged: Longs, fitness: Floats) -> None:
    """Let every individual play its exhaustive set, first as the first side and then as the second.

    With `merge` replies that a symmetry makes the same count once. With `points` its fitness is what its games score,
    by side and outcome: loss, draw, win; with none of them the share of its games that it does not lose.
    """
    ways, counts = np.zeros((len(node), TOGETHER), np.int32), np.zeros((2, judged.shape[1], TOGETHER), np.int32)
    times = np.ones(len(arc), np.int32) if merge else arc[:, 1].copy()
    for start in range(0, len(population), TOGETHER):
        some = population[start : start + TOGETHER]
        counts[:] = 0
        for side in range(2):
            play_out(some, node, arc, times, ways, side, counts[side])
        for each in range(len(some)):
            score = 0
            for side in range(2):
                score += points[side, 0] * counts[side, LOST, each]
                score += points[side, 1] * counts[side, DRAWS, each]
                score += points[side, 2] * counts[side, WON, each]
            total = judged[start + each]
            for column in range(len(total)):
                total[column] = counts[0, column, each] + counts[1, column, each]
            games = total[FIRST_WINS] + total[SECOND_WINS] + total[DRAWS]
            fitness[start + each] = score if points.any() else (games - total[LOST]) / games


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def best_of(fitness: Floats) -> int:
    """The fittest individual, the first of several."""
    best = 0
    for each in range(1, len(fitness)):
        if fitness[each] > fitness[best]:
            best = each
    return best


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def cross(parents: Bytes, one: int, other: int, child: Bytes, rate: int, low: int, high: int) -> tuple[int, int]:
    """Copy genes from one parent, and from each crossover on from the other; returns the state of the generator.

    Whether genes cross over is asked before every gene, with a chance of `rate` in 2**32.
    """
    crossed = False
    for gene in range(len(child)):
        draw, low, high = step(low, high)
        crossed ^= draw < rate
        child[gene] = crossed
    for gene in range(len(child)):  # without a branch, which no processor could foresee
        mine, theirs = parents[one, gene], parents[other, gene]
        child[gene] = mine ^ (mine ^ theirs) * child[gene]
    return low, high


@njit(cache=True, nogil=True)
def mark_lost(genome: Bytes, node: Ints, arc: Ints, lost: Bytes, side: int, marks: Longs) -> None:
    """Mark the genes that decided in a game which the strategy lost as `side`. `lost` is room for a number a kind."""
    for kind in range(len(node) - 2, -1, -1):
        gene, who, first = node[kind, GENE], node[kind, WHO], node[kind, ARC]
        if gene < 0:
            lost[kind] = who == 1 - side
        elif who == side:
            lost[kind] = lost[arc[first + genome[gene], 0]]
        else:
            lost[kind] = 0
            for reply in range(first, node[kind + 1, ARC]):
                lost[kind] |= lost[arc[reply, 0]]
    lost[0] *= 2
    for kind in range(len(node) - 1):
        if lost[kind] < 2:
            continue
        gene, who, first = node[kind, GENE], node[kind, WHO], node[kind, ARC]
        if gene >= 0 and who == side:
            marks[gene] = 1
            lost[arc[first + genome[gene], 0]] = 2
        elif gene >= 0:
            for reply in range(first, node[kind + 1, ARC]):
                lost[arc[reply, 0]] = min(2, lost[arc[reply, 0]] * 2)


@njit(cache=True, nogil=True)
def mutate(child: Bytes, alleles: Bytes, gaps: Longs, low: int, high: int) -> tuple[int, int]:
    """Give every gene another allele with the chance that `gaps` holds; returns the state of the generator."""
    draw, low, high = step(low, high)
    gene = next_gap(draw, gaps)
    while gene < len(child):
        if alleles[gene] > 1:
            draw, low, high = step(low, high)
            child[gene] = (child[gene] + 1 + (draw * np.int64(alleles[gene] - 1) >> 32)) % alleles[gene]
        draw, low, high = step(low, high)
        gene += 1 + next_gap(draw, gaps)
    return low, high


@njit(cache=True, nogil=True)
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
                child[gene] = (child[gene] + 1 + (draw * np.int64(alleles[gene] - 1) >> 32)) % alleles[gene]
            nth -= marks[gene]
    return low, high


@njit(cache=True, nogil=True)
def scatter(population: Bytes, alleles: Bytes, generator: Longs) -> None:
    """Give every gene of every individual any of its alleles, all equally likely."""
    low, high = int(generator[0]), int(generator[1])
    for each in range(len(population)):
        for gene in range(len(alleles)):
            draw, low, high = step(low, high)
            population[each, gene] = draw * np.int64(alleles[gene]) >> 32
    generator[0], generator[1] = low, high


@njit(cache=True, nogil=True)
def vote(population: Bytes, votes: Longs) -> None:
    """Count how many individuals have each allele, into `votes` of shape (genes, alleles)."""
    for each in range(len(population)):
        for gene in range(population.shape[1]):
            votes[gene, population[each, gene]] += 1


@njit(cache=True, nogil=True)
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
    """Fill the next generation: the elite as it is, then copies of one parent and crossings of two, which mutate."""
    low, high = int(generator[0]), int(generator[1])
    way, size, focus = rules[SELECTION], rules[SIZE], rules[FOCUS]
    shares, left = np.zeros(len(fitness)), fitness.copy()
    lost, marks = np.zeros(len(node), np.uint8), np.zeros(len(alleles), np.int64)
    if way != TOURNAMENT:
        share_out(fitness, way, shares)
    for each in range(len(children)):
        child = children[each]
        if each < rules[ELITE]:
            best = best_of(left)
            child[:] = parents[best]
            left[best] = -1.0
            continue
        draw, low, high = step(low, high)
        one, low, high = select(way, size, fitness, shares, low, high)
        if draw < rules[REPLICATION]:
            child[:] = parents[one]
            continue
        other, low, high = select(way, size, fitness, shares, low, high)
        low, high = cross(parents, one, other, child, rules[CROSSOVER], low, high)
        low, high = mutate(child, alleles, mutations, low, high)
        if focus:
            marks[:] = 0
            for side in range(2):
                mark_lost(child, node, arc, lost, side, marks)
            low, high = mutate_lost(child, alleles, marks, low, high)
    generator[0], generator[1] = low, high


@njit(cache=True, nogil=True)
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
        population[:] = spare
        judge(population, node, arc, rules[MERGE], points, judged, fitness)
        for each in range(len(population)):
            games += judged[each, FIRST_WINS] + judged[each, SECOND_WINS] + judged[each, DRAWS]
        if until_perfect and judged[best_of(fitness), LOST] == 0:
            return done + 1, games
    return generations, games
