"""The tables of the genetic kernels: how strategies play, how they are scored, and how they breed."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Genes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]


class ClassTables(NamedTuple):
    """The position classes of a game, k of them by ply, the start first, and where their moves lead."""

    node: Ints
    """For each class: its gene, −1 if it is over; the side to move, or the outcome; its ply; its first arc. The row
    after the last class has the number of arcs. Shape (k + 1, 4)."""
    arc: Ints | Longs
    """For each distinct move of each class, by allele: the class that it leads to, and how many moves are the same,
    shape (arcs, 2). Games and plies are counted in numbers of its type: 64 bits where 32 could overflow."""


class Scoring(NamedTuple):
    """How the games of a strategy become its fitness."""

    merge: int
    """1 to count symmetric replies of the opponent once, 0 to count each."""
    points: Longs
    """Points for loss, draw and win, by side, shape (2, 3). All 0: fitness is the share of games not lost."""


class Scores(NamedTuple):
    """The results of the games of each individual."""

    judged: Longs
    """Counts of games and plies: see the columns in `learners.genetic.fitness_kernel`; shape (individuals, 6)."""
    fitness: Floats
    """The fitness, shape (individuals,)."""


class PopulationTables(NamedTuple):
    """What evolution changes."""

    genomes: Genes
    """The alleles of each individual, shape (individuals, genes)."""
    spare: Genes
    """A buffer for the next generation, same shape."""
    scores: Scores
    generator: Longs
    """The state of the generator, shape (2,)."""


class Breeding(NamedTuple):
    """How a generation breeds the next."""

    classes: ClassTables
    alleles: Genes
    """How many alleles each gene has, shape (genes,)."""
    mutations: Longs
    """How many genes pass before the next mutation, as a distribution: see `next_gap`; shape (genes,)."""
    selection: int
    """How parents are selected: `ROULETTE`, `SCALED` or `TOURNAMENT`."""
    size: int
    """The individuals in a tournament."""
    elite: int
    """The number of the best individuals that continue unchanged."""
    replication: int
    """The probability that a child is a copy of one parent, in parts of 2^32."""
    crossover: int
    """The probability of a crossover at each gene, in parts of 2^32."""
    focus: int
    """1 if each child of two parents also mutates a gene that decided a move in a game that the child lost."""
