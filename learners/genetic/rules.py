"""The rules of evolution, each a setting, and the populations that evolve by them.

hochmuth    G. Hochmuth's run that found a strategy that never loses: fitness is the share of games not lost. He names
            everything but how parents are selected; here they win small tournaments, and the best one goes on as it is.
            Of the ways tried, that comes nearest to the numbers of generations that he reports
-points     his first fitness, points for wins and draws, by which all his populations stalled
-1000, -crossover-.3
            his other two experiments
swift       evolution that knows where it lost: every child also changes one gene that decided in a game it lost.
            It is told nothing of good moves, nor of the values of positions
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from learners.core.settings import OneOf, Rate, Setting, SettingKind, Whole

MOST_INDIVIDUALS: Final = 10_000
HOCHMUTH: Final[Mapping[str, Setting]] = {
    "population": 500,
    "fitness": "unlost",
    "replies": "symmetric",
    "genes": "boards",
    "selection": "tournament",
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
    "swift": {**HOCHMUTH, "population": 300, "genes": "decisions", "size": 3, "change": "lost"},
}
"""Every population's rules, the default first."""

SETTING_KINDS: Final[Mapping[str, SettingKind]] = {
    "population": Whole(2, MOST_INDIVIDUALS, "how many individuals there are"),
    "fitness": OneOf(
        ("unlost", "points"), "the share of games not lost, or points: 10 a win and 5 a draw, 5 more as second"
    ),
    "replies": OneOf(("symmetric", "raw"), "replies that a symmetry makes the same count once, or each of them"),
    "genes": OneOf(
        ("boards", "decisions"),
        "a gene for each board that fills up in turn, or only for those that can be a decision",
        {"827": "boards", "627": "decisions"},
    ),
    "selection": OneOf(
        ("tournament", "roulette", "scaled"),
        "parents are the best of a few; or drawn by their fitness; or by what it exceeds the least one by",
    ),
    "size": Whole(1, 100, "how many take part in a tournament"),
    "elite": Whole(0, 100, "how many of the best go on as they are"),
    "replication": Rate("the chance that a child is a copy of one parent"),
    "crossover": Rate("the chance, at each gene, that a child goes on with the genes of its other parent"),
    "mutation": Rate("the chance, at each gene, that a child gets another allele"),
    "change": OneOf(("any", "lost"), "children change by mutation alone, or also one gene that lost them a game"),
    "until": OneOf(("perfect", "end"), "evolution ends with the first strategy that loses to nobody, or goes on"),
}


def gaps(rate: float, genes: int) -> NDArray[np.int64]:
    """For each count of genes, up to all, the chance in 2**32nds that an event of that rate comes before so many pass.

    In whole numbers, so that it is the same on every machine.
    """
    left, chance, found = 1 << 64, int(rate * 2**32), []
    for _ in range(genes):
        left -= left * chance >> 32
        found.append((1 << 64) - left >> 32)
    return np.array(found, np.int64)
