"""Genomes as the naive oracles name them: for each gene its base case, for each allele a set of moves there."""

from functools import cache

import numpy as np

from engine.games import parse_game
from learners.genetic import fitness_kernel as judging
from learners.genetic.genome import BOARDS, Genome, genome_of
from tests.oracles import genetic as oracle
from tests.oracles.rules import move_through


@cache
def genes_of(name: str, *, boards: bool) -> dict[str, list[oracle.Choice]]:
    """The base cases of the genome in the order of its genes, each with its choices in the order of its alleles."""
    genome = genome_of(parse_game(name), boards=boards)
    wanted = oracle.boards() if boards and name in BOARDS else oracle.decisions(name)
    genes = {}
    for gene in range(genome.size):
        first, sets = choices_of(genome, gene) or unread_gene(genome, gene)
        assert set(sets) == set(wanted[first])
        assert len(sets) == len(wanted[first]) == genome.alleles[gene]
        genes[first] = sets
    assert genes.keys() == wanted.keys()
    return genes


def choices_of(genome: Genome, gene: int) -> tuple[str, list[oracle.Choice]] | None:
    """A gene's base case and choices; `None` where no position of the game has that gene."""
    rows = np.flatnonzero(genome.gene == gene)
    if not len(rows):
        return None
    space = genome.boxes.space
    name, row = space.game.name, int(rows[0])
    position = space.game.to_text(int(space.position[row]))
    first, goes = oracle.base(name, position)
    still = [there for image, there in oracle.RULES[name].seen(first) if image == first]
    sets = []
    for allele in range(int(genome.alleles[gene])):
        edge = int(genome.edge[row, allele])
        move = move_through(space.game.move_name(int(space.move[edge])), goes)
        sets.append(frozenset(move_through(move, there) for there in still))
    return first, sets


def unread_gene(genome: Genome, gene: int) -> tuple[str, list[oracle.Choice]]:
    """The base case and choices of a gene that is never read: any order of its choices will do."""
    game = genome.boxes.space.game
    first = oracle.base(game.name, game.to_text(int(genome.base[gene])))[0]
    return first, oracle.boards()[first]


def strategy_of(name: str, genome: np.ndarray, *, boards: bool) -> oracle.Strategy:
    genes = genes_of(name, boards=boards)
    return {first: sets[allele] for (first, sets), allele in zip(genes.items(), genome.tolist(), strict=True)}


def judged_as(tallies: list[dict[str, int]]) -> list[int]:
    """The results of an exhaustive set as both sides, as the kernel stores them."""
    first, second = tallies
    judged = [0] * 6
    judged[judging.FIRST_WINS] = first["won"] + second["lost"]
    judged[judging.SECOND_WINS] = first["lost"] + second["won"]
    judged[judging.DRAWS] = first["drawn"] + second["drawn"]
    judged[judging.LOST] = first["lost"] + second["lost"]
    judged[judging.WON] = first["won"] + second["won"]
    judged[judging.PLIES] = first["plies"] + second["plies"]
    return judged
