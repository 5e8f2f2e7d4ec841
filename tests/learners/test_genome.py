"""Base cases, genes and alleles, counted and seen through every symmetry; champions of the genetic algorithm."""

from dataclasses import replace

import numpy as np
import pytest

from engine.evaluate import best_response
from engine.game import BadText, Game, Side
from engine.games import parse_game
from engine.space import RUNNING
from learners import revive
from learners.core.training import TrainingPlan, run
from learners.genetic.genome import OVER, Genome, class_tables, genome_of
from learners.genetic.learner import Genetic
from noughts.testing.learners import assert_same
from tests.learners.strategies import genes_of, strategy_of
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


@pytest.mark.parametrize("name", ["tictactoe", "misere"])
def test_the_program_counts_what_the_paper_counts(name: str):
    genome, decisions = (genome_of(parse_game(name), boards=boards) for boards in (True, False))
    assert (genome.size, decisions.size) == (827, 627)
    assert [Genetic.spec.parse_setting("genes", text) for text in ("827", "627")] == ["boards", "decisions"]
    assert int(genome.alleles.sum()) == 2480
    assert genome.log10_strategies == pytest.approx(352.87, abs=0.005)
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


TICTACTOE = parse_game("tictactoe")


def champion(preset: str, seed: int, **settings) -> Genetic:
    learner = Genetic(TICTACTOE, preset, seed, settings)
    *_, last = run(learner, TrainingPlan(500))
    assert last.perfect == learner.perfect
    assert last.finished
    return learner


def assert_loses_to_nobody(learner: Genetic) -> None:
    """Check it by its best responder, and by playing every game."""
    policy = learner.policy()
    assert {best_response(learner.space, side, policy).loss for side in Side} == {0.0}
    best = learner.population[int(learner._scores.fitness.argmax())]
    strategy = strategy_of(learner.game.name, best, boards=learner.settings["genes"] == "boards")
    merge = learner.settings["replies"] == "symmetric"
    tallies = [oracle.tally(learner.game.name, strategy, side, merge=merge) for side in (0, 1)]
    assert [counts["lost"] for counts in tallies] == [0, 0]
    assert learner.stats()["games"] == sum(counts["won"] + counts["drawn"] for counts in tallies)
    assert learner.spec.json_stats(learner.stats())["best_fitness"] == 1.0
    assert learner.stats()["lost"] == 0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_swift_finds_a_strategy_that_loses_to_nobody(seed: int):
    learner = champion("swift", seed)
    assert learner.perfect
    assert learner.rounds == learner.history.statistics[-1]["generation"] < 500
    assert [stats["perfect"] for stats in learner.history.statistics].count(1) == 1
    assert_loses_to_nobody(learner)


def test_no_strategy_is_perfect_if_a_side_is_lost():
    learner = Genetic(parse_game("hexapawn"), "swift", 1)
    learner.train(100)
    assert not learner.perfect
    assert learner.rounds == 100
    policy = learner.policy()
    assert [best_response(learner.space, side, policy).loss for side in Side] == [1.0, 0.0]


def found(**settings) -> Genetic:
    """A small population, bred until it is perfect or for 200 generations."""
    learner = Genetic(TICTACTOE, "swift", 1, {"population": 100, **settings})
    learner.train(200)
    return learner


def test_evolution_ends_at_the_first_perfect_champion_or_continues_by_setting():
    ended, on = found(), found(until="end")
    assert ended.perfect
    assert ended.rounds < on.rounds == 200
    assert not on.perfect
    on = Genetic(TICTACTOE, "swift", 1, {"population": 100, "until": "end"})
    on.train(ended.rounds - 1)
    assert not on.stats()["perfect"]
    on.train(1)
    assert on.stats() == ended.stats()
    assert np.array_equal(on.memory, ended.memory)
    assert on.generator.tolist() == ended.generator.tolist()
    ended.train(10)
    on.train(10)
    assert on.stats() == ended.stats()


def test_a_checkpoint_without_its_population_plays_but_is_not_bred_further():
    learner = Genetic(TICTACTOE, "swift", 1, {"population": 10})
    *_, last = run(learner, TrainingPlan(10))
    stats = next(stats for stats in last.snapshot.history if stats["generation"] == 5)
    memory = last.snapshot.checkpoints[5].memory
    learner = revive(replace(last.snapshot, memory=memory, stats=stats, history=(), checkpoints={}, bulk=b""))
    assert learner.policy().sum() == (learner.genome.gene >= 0).sum()
    before = learner.snapshot()
    with pytest.raises(BadText, match="its seed leads to another population"):
        learner.train(1)
    assert_same(learner.snapshot(), before)


@pytest.mark.parametrize(("population", "elite"), [(2, 2), (2, 100), (100, 100)])
def test_an_elite_that_leaves_nobody_to_breed_is_refused(population: int, elite: int):
    with pytest.raises(BadText, match=f"an elite of {elite} leaves nobody to breed: the population is {population}"):
        Genetic(TICTACTOE, "hochmuth", 1, {"population": population, "elite": elite})
    Genetic(TICTACTOE, "hochmuth", 1, {"population": population, "elite": population - 1}).train(3)
