"""Fitness by playing every game and by counting paths, and breeding by the rules, on small populations."""

from fractions import Fraction

import numpy as np
import pytest

from engine.games import parse_game
from learners.core.training import MAX_ROUNDS
from learners.genetic import fitness_kernel as judging
from learners.genetic.genome import class_tables, genome_of
from learners.genetic.kernel import SCALED, share_out
from learners.genetic.kernel_tables import Scores, Scoring
from learners.genetic.learner import PARTS, POINTS, Genetic, gap_distribution
from learners.genetic.view import CHAMPION, SHOWN_PARTS
from saves.encoding.check import LARGEST_COUNT
from tests.learners.strategies import genes_of, judged_as, strategy_of
from tests.oracles import genetic as oracle
from tests.oracles.generator import Generator


def judged(name: str, population: np.ndarray, *, boards: bool, merge: bool, points: bool):
    """The games and the fitness of these genomes, computed by the kernel."""
    classes = class_tables(genome_of(parse_game(name), boards=boards))
    table = np.array(POINTS if points else np.zeros((2, 3)), np.int64)
    counts, fitness = np.full((len(population), 6), 7, np.int64), np.zeros(len(population))
    judging.score_population(population, classes, Scoring(int(merge), table), Scores(counts, fitness))
    return counts, fitness


def random_genomes(name: str, count: int, *, boards: bool, seed: int = 1) -> np.ndarray:
    alleles = genome_of(parse_game(name), boards=boards).alleles
    return np.random.default_rng(seed).integers(0, alleles, (count, len(alleles)), np.uint8)


@pytest.mark.long
@pytest.mark.parametrize("merge", [True, False], ids=["symmetric", "raw"])
@pytest.mark.parametrize(
    ("name", "boards", "count"),
    [("tictactoe", True, 100), ("tictactoe", False, 100), ("misere", True, 10), ("hexapawn", False, 50)],
)
def test_playing_every_game_and_counting_paths_agree(name: str, boards: bool, count: int, merge: bool):
    population = random_genomes(name, count, boards=boards)
    counts, shares = judged(name, population, boards=boards, merge=merge, points=False)
    same, scores = judged(name, population, boards=boards, merge=merge, points=True)
    assert np.array_equal(counts, same)
    for genome, row, share, score in zip(population, counts.tolist(), shares, scores, strict=True):
        strategy = strategy_of(name, genome, boards=boards)
        tallies = [oracle.tally(name, strategy, side, merge=merge) for side in (0, 1)]
        assert row == judged_as(tallies)
        assert share == float(oracle.unlost(tallies))
        assert score == oracle.scored(tallies)


RULES = {
    "population": 9,
    "fitness": "unlost",
    "replies": "symmetric",
    "genes": "decisions",
    "selection": "tournament",
    "size": 2,
    "elite": 1,
    "replication": "0.1",
    "crossover": "0.15",
    "mutation": "0.02",
    "change": "any",
    "until": "end",
}


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "generations", "changed"),
    [
        ("tictactoe", 2, {}),
        ("tictactoe", 4, {"selection": "roulette", "genes": "boards", "elite": 0, "replies": "raw"}),
        ("tictactoe", 4, {"selection": "scaled", "size": 1, "crossover": "0.3", "fitness": "points"}),
        ("tictactoe", 4, {"change": "lost", "size": 3, "mutation": "0.001"}),
        ("misere", 3, {"change": "lost", "genes": "boards", "selection": "scaled"}),
        *(
            ("hexapawn", 25, {"selection": way, "change": change, "elite": elite, "fitness": fitness})
            for way in ("tournament", "roulette", "scaled")
            for change in ("any", "lost")
            for elite, fitness in ((0, "points"), (3, "unlost"))
        ),
        ("hexapawn", 25, {"replication": "1", "elite": 0}),
        ("hexapawn", 25, {"replication": "0", "crossover": "0", "mutation": "0", "change": "lost"}),
        ("hexapawn", 10, {"replication": "0", "crossover": "1", "mutation": "1", "change": "lost"}),
        ("hexapawn", 10, {"replies": "raw", "size": 100}),
    ],
)
def test_generations_are_bred_by_the_rules(name: str, generations: int, changed: dict):
    rules = {**RULES, **changed}
    learner = Genetic(parse_game(name), "hochmuth", 5, rules)
    genes = genes_of(name, boards=rules["genes"] == "boards")
    naive = oracle.NaiveEvolution(name, genes, rules, Generator.seeded(5))
    played = 0
    for generation in range(1, generations + 1):
        learner.train(1)
        played += int(learner._scores.judged[:, :3].sum())
        assert learner.stats()["played"] == played
        naive.next()
        assert learner.population.tolist() == naive.population
        assert learner.generator.tolist() == [naive.generator.first, naive.generator.second]
        assert learner._scores.fitness.tolist() == [float(fitness) for fitness in naive.fitness]
        best = naive.fitness.index(max(naive.fitness))
        assert_describes(learner, naive.population, best, generation)


def test_individuals_of_the_same_fitness_are_selected_equally_often():
    shares = np.zeros(3)
    share_out(np.full(3, 0.5), SCALED, shares)
    assert shares.tolist() == [1, 2, 3]


def assert_describes(learner: Genetic, population: list[list[int]], best: int, generation: int) -> None:
    """Check votes, champion and statistics against a population and the index of its best individual."""
    boxes, genome, stats = learner.genome.boxes, learner.genome, learner.stats()
    for cell, gene, allele in zip(boxes.cells, genome.box_gene[boxes.cell_box], genome.cell_allele, strict=True):
        votes = sum(individual[gene] == allele for individual in population)
        assert learner.memory[cell] == votes + CHAMPION * (population[best][gene] == allele)
    games = learner._scores.judged[:, :3].sum(axis=1)
    shares = [int(row[judging.LOST]) / int(total) for row, total in zip(learner._scores.judged, games, strict=True)]
    assert stats["generation"] == learner.rounds == generation
    assert stats["games"] == games[best]
    assert (stats["lost"], stats["plies"]) == (
        learner._scores.judged[best, judging.LOST],
        learner._scores.judged[best, judging.PLIES],
    )
    reported = learner.spec.json_stats(stats)
    assert reported["best_fitness"] == pytest.approx(max(learner._scores.fitness), abs=1e-9)
    assert reported["mean_fitness"] == pytest.approx(sum(learner._scores.fitness) / len(population), abs=1e-9)
    assert reported["mean_lost"] == pytest.approx(sum(shares) / len(population), abs=1e-9)
    assert reported["worst_lost"] == pytest.approx(max(shares), abs=1e-9)
    assert reported["perfect"] is (stats["lost"] == 0)
    lost = {"worst": max(shares), "mean": sum(shares) / len(shares), "best": shares[best]}
    shown = {name: share * SHOWN_PARTS for name, share in lost.items()}
    assert learner.view.growth(stats) == pytest.approx(shown, abs=1)
    free = np.flatnonzero(genome.alleles > 1).tolist()
    alike = [sum(one[gene] == other[gene] for one in population for other in population) for gene in free]
    assert reported["diversity"] == pytest.approx(1 - sum(alike) / len(free) / len(population) ** 2, abs=1e-9)


@pytest.mark.parametrize("rate", ["0.0", "0.001", "0.02", "0.5", "1.0"])
def test_the_table_of_gaps_holds_the_chance_of_an_event_within_each_gap(rate: str):
    table = gap_distribution(float(rate), 827).tolist()
    for passed, chance in enumerate(table, 1):
        assert abs(Fraction(chance, 2**32) - oracle.happens_within(rate, passed)) <= Fraction(passed + 1, 2**32)
    assert table == sorted(table)


def test_no_counter_overflows():
    """The largest population, bred for the longest plan, where each strategy has as many games as are possible."""
    most, generations, plies = 10_000, MAX_ROUNDS, 9
    games = 9 * 7 * 5 * 3 + 8 * 6 * 4 * 2  # the opponent has all replies, as the first side and as the second
    genomes = random_genomes("tictactoe", 300, boards=True, seed=9)
    counts, _ = judged("tictactoe", genomes, boards=True, merge=False, points=False)
    assert counts[:, :3].sum(axis=1).max() <= games
    assert counts[:, judging.PLIES].max() <= games * plies < 2**31, "kernels count the games of one in 32 bits"
    assert games * most * generations < 2**63
    assert games * most * 75_000_000 < LARGEST_COUNT < 2**63, "months of the largest population can be saved"
    assert games * max(map(max, POINTS)) * most < 2**53, "sums of points are exact"
    assert games * max(map(max, POINTS)) * PARTS <= LARGEST_COUNT
    assert Genetic.spec.settings["population"].parse(str(most)) == most < CHAMPION
