"""Base cases, genes and alleles: counted, and read the same way through every symmetry."""

import numpy as np
import pytest

from engine.game import Game
from engine.games import parse_game
from engine.space import RUNNING
from learners.genetic.genome import OVER, Genome, class_tables, genome_of
from tests.learners.strategies import genes_of
from tests.oracles import genetic as oracle
from tests.oracles.rules import RULES, move_through
from tests.sizes import QUICK_GAMES, marks_of_game

every_genome = pytest.mark.parametrize(
    ("game", "boards"),
    [
        pytest.param(game, boards, id=f"{game.name}-{boards}", marks=marks_of_game(game))
        for game in QUICK_GAMES
        for boards in (True, False)
    ],
)


def test_the_oracle_counts_what_the_paper_counts():
    genes, reachable = oracle.boards(), oracle.decisions("tictactoe")
    assert (len(genes), len(reachable)) == (827, 627)
    assert sum(map(len, genes.values())) == 2480
    assert oracle.log10_product(genes) == pytest.approx(352.87, abs=0.005)
    assert reachable.items() <= genes.items()


@pytest.mark.parametrize("name", ["tictactoe", "misere"])
def test_the_program_counts_what_the_paper_counts(name: str):
    genome, decisions = (genome_of(parse_game(name), boards=boards) for boards in (True, False))
    assert (genome.size, decisions.size) == (827, 627)
    assert int(genome.alleles.sum()) == 2480
    assert genome.log10_strategies == pytest.approx(oracle.log10_product(oracle.boards()), abs=1e-9)
    assert len(np.unique(genome.gene[genome.gene >= 0])) == 627


@every_genome
def test_genes_and_alleles_are_the_base_cases_and_choices_of_the_oracle(game: Game, boards: bool):
    genome = genome_of(game, boards=boards)
    assert len(genes_of(game.name, boards=boards)) == genome.size
    assert np.array_equal(genome.gene == OVER, genome.boxes.space.outcome != RUNNING)
    assert len(np.unique(genome.base)) == genome.size


@every_genome
def test_a_situation_is_read_the_same_way_through_every_symmetry(game: Game, boards: bool):
    """The base case is the same, its transformation leads there, and the inverse brings every allele's move back."""
    genome = genome_of(game, boards=boards)
    space = genome.boxes.space
    for row in np.flatnonzero(genome.gene != OVER)[::7].tolist():
        position, gene = int(space.position[row]), int(genome.gene[row])
        symmetry = game.symmetries[genome.symmetry[row]]
        base = int(genome.base[gene])
        assert game.transform(position, symmetry) == base
        assert base == min(game.transform(position, each) for each in game.symmetries)
        means = edges_of(genome, row)
        at_base = edges_of(genome, space.row(base))
        assert len(means) == len(at_base) == genome.alleles[gene]
        for edge, of_base in zip(means, at_base, strict=True):
            assert space.source[edge] == row
            assert game.transform_move(int(space.move[edge]), symmetry) == space.move[of_base]
        for image in space.images[:, row].tolist():
            assert genome.gene[image] == gene
            assert space.edge_class[edges_of(genome, image)].tolist() == space.edge_class[means].tolist()
        assert set(space.edge_class[means]) == set(space.edge_class[list(space.edges(position))])


def edges_of(genome: Genome, row: int) -> list[int]:
    return genome.edge[row, : genome.alleles[genome.gene[row]]].tolist()


@every_genome
def test_the_oracle_reads_every_allele_as_the_same_choice(game: Game, boards: bool):
    """The oracle uses its own base cases, transformations and inverses, on strings."""
    genome = genome_of(game, boards=boards)
    space, genes = genome.boxes.space, genes_of(game.name, boards=boards)
    sets = list(genes.values())
    for row in np.flatnonzero(genome.gene != OVER)[::7].tolist():
        position, gene = game.to_text(int(space.position[row])), int(genome.gene[row])
        first, goes = oracle.base(game.name, position)
        assert sets[gene] is genes[first]
        for edge, choice in zip(edges_of(genome, row), sets[gene], strict=True):
            move = game.move_name(int(space.move[edge]))
            assert move_through(move, goes) in choice
            strategy = {first: choice}
            same = oracle.orbits(game.name, position, tuple(RULES[game.name].moves(position)))
            assert any({move, oracle.decoded(game.name, strategy, position)} <= each for each in same)


@every_genome
def test_nodes_are_the_position_classes_and_arcs_their_distinct_moves(game: Game, boards: bool):
    genome = genome_of(game, boards=boards)
    classes, space = class_tables(genome), genome.boxes.space
    assert len(classes.node) == len(np.unique(space.position_class)) + 1
    for kind, (gene, _, ply, first) in enumerate(classes.node[:-1].tolist()):
        arcs = classes.arc[first : classes.node[kind + 1, 3]]
        assert len(arcs) == (0 if gene == OVER else genome.alleles[gene])
        assert np.all(arcs[:, 0] > kind)
        assert np.all(classes.node[arcs[:, 0], 2] >= ply + 1)
        if gene != OVER:
            assert arcs[:, 1].sum() == len(space.edges(int(genome.base[gene])))
