"""The fitness of strategies, compiled: each plays all of its games, and many strategies play at once.

A strategy plays its exhaustive set: all games in which it moves as its genes say, and the opponent makes every reply.
The tables are explained in `learners.genetic.kernel_tables`.
"""

from typing import NamedTuple

import numpy as np

from engine.compiling.compiler import compiled
from learners.genetic.kernel_tables import ClassTables, Genes, Ints, Longs, Scores, Scoring

FIRST_WINS, SECOND_WINS, DRAWS, LOST, WON, PLIES = range(6)
"""The columns of `judged`: games by outcome, games that the strategy lost and won, and the plies of all games."""
GENE, SIDE_OR_OUTCOME, PLY, ARC = range(4)
"""The columns of `node`."""
BATCH = 128
"""How many strategies play at once. A loop over them becomes vector instructions; their counts have the type of
`ClassTables.arc`, which is mostly 32 bits."""


LEADS_TO_LOSS, LOST_THROUGH = 1, 2
"""What `mark_lost` knows of a class: a game that goes on from there is lost; and the strategy's games reach it."""


class Paths(NamedTuple):
    """How many games of some strategies lead to each position class."""

    ways: Ints | Longs
    """The number of games by class and strategy, shape (classes, `BATCH`); all 0 before and after `play_out`."""
    times: Ints | Longs
    """How often a reply counts, by arc, shape (arcs,)."""


@compiled
def is_unreachable(here: Ints | Longs) -> bool:
    """Return whether no game of any strategy leads here."""
    ways = 0
    for each in range(BATCH):
        ways |= here[each]
    return ways == 0


@compiled
def count_ended(here: Ints | Longs, outcome: int, ply: int, counts: Ints | Longs) -> None:
    """Add the games that end here to `counts`."""
    for each in range(BATCH):
        counts[outcome, each] += here[each]
        counts[PLIES, each] += here[each] * ply


@compiled
def play_out(strategies: Genes, classes: ClassTables, side: int, paths: Paths, counts: Ints | Longs) -> None:
    """Count how the games of up to `BATCH` strategies as `side` end, over all replies of the opponent.

    `counts` has a row for each column of `judged`, shape (6, `BATCH`).
    """
    node, arc, ways, times = classes.node, classes.arc, paths.ways, paths.times
    own = np.zeros(BATCH, np.uint8)
    ways[0, : len(strategies)] = 1
    for current in range(len(node) - 1):
        here = ways[current]
        if is_unreachable(here):
            continue
        gene, who, first = node[current, GENE], node[current, SIDE_OR_OUTCOME], node[current, ARC]
        if gene < 0:
            count_ended(here, who, node[current, PLY], counts)
        elif who == side:
            for each in range(len(strategies)):  # twice as fast as a slice
                own[each] = strategies[each, gene]
            for choice in range(first, node[current + 1, ARC]):
                there, allele = ways[arc[choice, 0]], np.uint8(choice - first)
                for each in range(BATCH):
                    there[each] += here[each] * here.dtype.type(own[each] == allele)
        else:
            for reply in range(first, node[current + 1, ARC]):
                there, same = ways[arc[reply, 0]], times[reply]
                for each in range(BATCH):
                    there[each] += here[each] * same
        here[:] = 0
    counts[WON], counts[LOST] = counts[side], counts[1 - side]


@compiled
def score_population(population: Genes, classes: ClassTables, scoring: Scoring, scores: Scores) -> None:
    """Play all games of every individual, as either side against all replies, and write its results to `scores`."""
    points, judged = scoring.points, scores.judged
    kind = classes.arc.dtype
    ways = np.zeros((len(classes.node), BATCH), kind)
    counts = np.zeros((2, judged.shape[1], BATCH), kind)
    times = np.ones(len(classes.arc), kind) if scoring.merge else classes.arc[:, 1].copy()
    paths = Paths(ways, times)
    for start in range(0, len(population), BATCH):
        strategies = population[start : start + BATCH]
        counts[:] = 0
        for side in range(2):
            play_out(strategies, classes, side, paths, counts[side])
        for each in range(len(strategies)):
            score = 0
            for side in range(2):
                score += points[side, 0] * counts[side, LOST, each]
                score += points[side, 1] * counts[side, DRAWS, each]
                score += points[side, 2] * counts[side, WON, each]
            total = judged[start + each]
            for column in range(len(total)):
                total[column] = counts[0, column, each] + counts[1, column, each]
            games = total[FIRST_WINS] + total[SECOND_WINS] + total[DRAWS]
            scores.fitness[start + each] = score if points.any() else (games - total[LOST]) / games


@compiled
def mark_lost(genome: Genes, classes: ClassTables, side: int, lost: Genes, marks: Longs) -> None:
    """Set `marks` to 1 for each gene that chooses a move in a game that the strategy loses as `side`.

    `lost` is a buffer, shape (k,). A first pass, backwards, writes `LEADS_TO_LOSS` for each class from which a game is
    lost, else 0; a second pass turns that into `LOST_THROUGH` where the strategy's own games reach the class.
    """
    node, arc = classes.node, classes.arc
    for current in range(len(node) - 2, -1, -1):
        gene, who, first = node[current, GENE], node[current, SIDE_OR_OUTCOME], node[current, ARC]
        if gene < 0:
            lost[current] = LEADS_TO_LOSS if who == 1 - side else 0
        elif who == side:
            lost[current] = lost[arc[first + genome[gene], 0]]
        else:
            lost[current] = 0
            for reply in range(first, node[current + 1, ARC]):
                lost[current] |= lost[arc[reply, 0]]
    lost[0] *= LOST_THROUGH
    for current in range(len(node) - 1):
        if lost[current] != LOST_THROUGH:
            continue
        gene, who, first = node[current, GENE], node[current, SIDE_OR_OUTCOME], node[current, ARC]
        if gene >= 0 and who == side:
            marks[gene] = 1
            lost[arc[first + genome[gene], 0]] = LOST_THROUGH
        elif gene >= 0:
            for reply in range(first, node[current + 1, ARC]):
                lost[arc[reply, 0]] = min(LOST_THROUGH, lost[arc[reply, 0]] * LOST_THROUGH)


@compiled
def vote(population: Genes, votes: Longs) -> None:
    """Count how many individuals have each allele, into `votes`, shape (genes, alleles)."""
    for each in range(len(population)):
        for gene in range(population.shape[1]):
            votes[gene, population[each, gene]] += 1
