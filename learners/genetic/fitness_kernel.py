"""What strategies are worth, compiled: every one plays all of its games, many of them at once.

population   the alleles of every individual, uint8 of shape (individuals, genes)
judged       what every individual's games came to, int64 of shape (individuals, 6): see `FIRST_WINS` and on
fitness      of every individual, shape (individuals,)
node, arc    the position classes of the game: see `learners.genetic.genome.Kinds`
"""

import numpy as np
from numpy.typing import NDArray

from learners.core.compiling import compiled

FIRST_WINS, SECOND_WINS, DRAWS, LOST, WON, PLIES = range(6)
"""The columns of `judged`: games by how they ended, those that the strategy lost and won, and the plies of all."""
GENE, WHO, PLY, ARC = range(4)
"""The columns of `node`."""
TOGETHER = 128
"""How many strategies play at once, in 32 bits: the compiler turns a loop over them into instructions for rows."""

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]


@compiled
def nobody(here: Ints) -> bool:
    """Whether no strategy has a way to get here."""
    ways = 0
    for each in range(TOGETHER):
        ways |= here[each]
    return ways == 0


@compiled
def settle(here: Ints, outcome: int, ply: int, counts: Ints) -> None:
    """Count the games that end here."""
    for each in range(TOGETHER):
        counts[outcome, each] += here[each]
        counts[PLIES, each] += here[each] * ply


@compiled
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


@compiled
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


@compiled
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


@compiled
def vote(population: Bytes, votes: Longs) -> None:
    """Count how many individuals have each allele, into `votes` of shape (genes, alleles)."""
    for each in range(len(population)):
        for gene in range(population.shape[1]):
            votes[gene, population[each, gene]] += 1
