"""The settings of evolution, and its presets.

hochmuth    G. Hochmuth's run that found a strategy that never loses: fitness is the share of games not lost. He states
            everything but how parents are selected. His program was a modified GENESIS (J. Grefenstette): as there,
            they are drawn by how far their fitness exceeds a low mark, here the lowest fitness of their generation, and
            the best one continues unchanged. `docs/papers.md` compares this with other readings
-points     his first fitness, points for wins and draws, with which all his populations stalled
-1000, -crossover-.3
            his two other experiments
swift       each child of two parents also changes one gene that decided a move in a game that the child lost. Good
            moves and the values of positions are not used
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from learners.core.settings import OneOf, Rate, Setting, SettingKind, Whole

MAX_INDIVIDUALS: Final = 10_000
HOCHMUTH: Final[Mapping[str, Setting]] = {
    "population": 500,
    "fitness": "unlost",
    "replies": "symmetric",
    "genes": "boards",
    "selection": "scaled",
    "size": 2,
    "elite": 1,
    "replication": "0.1",
    "crossover": "0.15",
    "mutation": "0.001",
    "change": "any",
    "until": "perfect",
}

PRESETS: Final[Mapping[str, Mapping[str, Setting]]] = {
    "hochmuth": HOCHMUTH,
    "hochmuth-points": {**HOCHMUTH, "fitness": "points"},
    "hochmuth-1000": {**HOCHMUTH, "population": 1000},
    "hochmuth-crossover-.3": {**HOCHMUTH, "population": 1000, "crossover": "0.3"},
    "swift": {
        **HOCHMUTH,
        "population": 300,
        "genes": "decisions",
        "selection": "tournament",
        "size": 3,
        "change": "lost",
    },
}
PRESET_WORDS: Final[Mapping[str, str]] = {
    "hochmuth": "G. Hochmuth's run: fitness is the share of games not lost",
    "hochmuth-points": "his first fitness, points for wins and draws, with which he stalled",
    "hochmuth-1000": "his experiment with 1,000 strategies",
    "hochmuth-crossover-.3": "his experiment with more crossovers",
    "swift": "the fastest: a child also changes a move of a game that it lost",
}

SETTINGS: Final[Mapping[str, SettingKind]] = {
    "population": Whole(2, MAX_INDIVIDUALS, "the number of individuals", title="individuals"),
    "fitness": OneOf(
        ("unlost", "points"),
        "the share of games not lost, or points: 10 for a win, 5 for a draw, 5 more as second",
        title="fitness",
    ),
    "replies": OneOf(
        ("symmetric", "raw"),
        "count symmetric replies of the opponent once, or count each of them",
        title="replies counted",
    ),
    "genes": OneOf(
        ("boards", "decisions"),
        "a gene for each board filled in turn, even past the end of a game (827 in tic-tac-toe); or only for "
        "positions to decide (627)",
        title="genes",
        aliases={"827": "boards", "627": "decisions"},
    ),
    "selection": OneOf(
        ("tournament", "roulette", "scaled"),
        "parents are the best of a few; or drawn by fitness; or drawn by how far their fitness exceeds the lowest",
        title="selection",
    ),
    "size": Whole(1, 100, "the number of individuals in a tournament", title="tournament size"),
    "elite": Whole(0, 100, "how many of the best continue unchanged", title="elite"),
    "replication": Rate("the probability that a child is a copy of one parent", title="chance of a copy"),
    "crossover": Rate(
        "the probability, at each gene, that a child changes to the genes of its other parent",
        title="chance to cross over",
    ),
    "mutation": Rate("the probability, at each gene, that a child gets another allele", title="chance to mutate"),
    "change": OneOf(
        ("any", "lost"), "children change by mutation only, or also in one gene that lost them a game", title="changes"
    ),
    "until": OneOf(("perfect", "end"), "stop at the first strategy that never loses, or continue", title="end"),
}


def gap_distribution(rate: float, genes: int) -> NDArray[np.int64]:
    """Return the distribution of the number of genes before the next mutation, if each gene mutates at this `rate`.

    Entry n is the probability, in parts of 2^32, that one or more of the next n + 1 genes mutate; shape (genes,),
    ascending. It is computed in integers, so that it is the same on every machine.
    """
    unchanged, chance, distribution = 1 << 64, int(rate * 2**32), []
    for _ in range(genes):
        unchanged -= unchanged * chance >> 32
        distribution.append((1 << 64) - unchanged >> 32)
    return np.array(distribution, np.int64)
