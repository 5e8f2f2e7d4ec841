"""A genetic learner's snapshot for the tests of files."""

from dataclasses import replace
from functools import cache

import numpy as np

from engine.game import Game
from learners.core.snapshot import Snapshot
from learners.genetic.learner import Genetic
from learners.genetic.view import CHAMPION


@cache
def made_up_population(game: Game, individuals: int = 4) -> Snapshot:
    """Return a snapshot with a random population after one generation, made without running a kernel."""
    learner = Genetic(game, "hochmuth", 1, {"population": individuals, "elite": 1})
    genome, boxes = learner.genome, learner.genome.boxes
    population = np.random.default_rng(1).integers(0, genome.alleles, (individuals, genome.size), np.uint8)
    has = population[:, genome.box_gene[boxes.cell_box]] == genome.cell_allele
    memory = learner.memory.copy()
    memory[boxes.cells] = has.sum(axis=0) + CHAMPION * has[0]
    stats = {**learner.stats(), "games": 2, "plies": 9, "first_wins": 1, "second_wins": 1, "generation": 1, "lost": 1}
    learner.restore(replace(learner.snapshot(), memory=memory, stats={**stats, "played": 8}, bulk=population.tobytes()))
    learner.history.add_statistics(learner.stats())
    learner.record_checkpoint()
    return learner.snapshot()
