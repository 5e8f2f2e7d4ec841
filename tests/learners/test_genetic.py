"""The genetic algorithm: fitness by playing every game and by counting paths, breeding by the rules, champions."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from engine import parse_game
from engine.evaluate import best_response
from engine.game import BadText, Side
from learners import parse_player, revive
from learners.genetic import PARTS, POINTS, Genetic, gaps
from learners.genome import genome_of, kinds_of
from learners.kernels import genetic as kernel
from learners.learner import Learner
from learners.population import CHAMPION
from learners.training import MOST_ROUNDS, Plan, run
from saves.check import LARGEST_COUNT
from tests.learners.cases import assert_same
from tests.learners.strategies import genes_of, judged_as, strategy_of
from tests.oracles import genetic as oracle
from tests.oracles.generator import Generator

TICTACTOE = parse_game("tictactoe")


def judged(name: str, population: np.ndarray, *, boards: bool, merge: bool, points: bool):
    """What the kernel makes of these genomes: their games and their fitness."""
    kinds = kinds_of(genome_of(parse_game(name), boards=boards))
    table = np.array(POINTS if points else np.zeros((2, 3)), np.int64)
    counts, fitness = np.full((len(population), 6), 7, np.int64), np.zeros(len(population))
    kernel.judge(population, kinds.node, kinds.arc, int(merge), table, counts, fitness)
    return counts, fitness


def random_genomes(name: str, count: int, *, boards: bool, seed: int = 1) -> np.ndarray:
    alleles = genome_of(parse_game(name), boards=boards).alleles
    return np.random.default_rng(seed).integers(0, alleles, (count, len(alleles)), np.uint8)


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


@pytest.mark.parametrize(("merge", "least", "most"), [(True, 103, 427), (False, 530, 1283)])
def test_strategies_that_never_lose_play_so_many_games(merge: bool, least: int, most: int):
    assert oracle.games_of_never_losing("tictactoe", merge=merge) == (least, most)


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


@pytest.mark.parametrize(
    ("name", "generations", "changed"),
    [
        ("tictactoe", 4, {}),
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
    for generation in range(1, generations + 1):
        learner.train(1)
        naive.next()
        assert learner.population.tolist() == naive.population
        assert learner.generator.tolist() == [naive.generator.first, naive.generator.second]
        assert learner._fitness.tolist() == [float(fitness) for fitness in naive.fitness]
        best = naive.fitness.index(max(naive.fitness))
        tell_of(learner, naive.population, best, generation)


def tell_of(learner: Genetic, population: list[list[int]], best: int, generation: int) -> None:
    """Check votes, champion and statistics against a population of which that one is the best."""
    boxes, genome, stats = learner.genome.boxes, learner.genome, learner.stats()
    for cell, gene, allele in zip(boxes.cells, genome.box_gene[boxes.cell_box], genome.cell_allele, strict=True):
        votes = sum(individual[gene] == allele for individual in population)
        assert learner.memory[cell] == votes + CHAMPION * (population[best][gene] == allele)
    games = learner._judged[:, :3].sum(axis=1)
    shares = [int(row[kernel.LOST]) / int(total) for row, total in zip(learner._judged, games, strict=True)]
    assert stats["generation"] == learner.rounds == generation
    assert stats["games"] == games[best]
    assert (stats["lost"], stats["plies"]) == (
        learner._judged[best, kernel.LOST],
        learner._judged[best, kernel.PLIES],
    )
    told = learner.told(stats)
    assert told["best_fitness"] == pytest.approx(max(learner._fitness), abs=1e-9)
    assert told["mean_fitness"] == pytest.approx(sum(learner._fitness) / len(population), abs=1e-9)
    assert told["mean_lost"] == pytest.approx(sum(shares) / len(population), abs=1e-9)
    assert told["worst_lost"] == pytest.approx(max(shares), abs=1e-9)
    assert told["perfect"] is (stats["lost"] == 0)
    free = np.flatnonzero(genome.alleles > 1).tolist()
    alike = [sum(one[gene] == other[gene] for one in population for other in population) for gene in free]
    assert told["diversity"] == pytest.approx(1 - sum(alike) / len(free) / len(population) ** 2, abs=1e-9)


def test_every_game_judged_is_counted():
    learner, played = Genetic(TICTACTOE, "hochmuth", 3, {"population": 20}), 0
    for _ in range(5):
        learner.train(1)
        played += int(learner._judged[:, :3].sum())
    assert learner.stats()["played"] == played


@pytest.mark.parametrize("rate", ["0.0", "0.001", "0.02", "0.5", "1.0"])
def test_the_table_of_gaps_is_the_chance_of_an_event_before(rate: str):
    table = gaps(float(rate), 827).tolist()
    for passed, chance in enumerate(table, 1):
        assert abs(Fraction(chance, 2**32) - oracle.happens_within(rate, passed)) <= Fraction(passed + 1, 2**32)
    assert table == sorted(table)


def champion(preset: str, seed: int, **settings) -> Genetic:
    learner = Genetic(TICTACTOE, preset, seed, settings)
    *_, last = run(learner, Plan(500))
    assert last.perfect == learner.perfect
    assert last.finished
    return learner


def assert_loses_to_nobody(learner: Genetic) -> None:
    """By the best responder, by playing every game, and by how many games that can be."""
    policy = learner.policy()
    assert {best_response(learner.space, side, policy).loss for side in Side} == {0.0}
    best = learner.population[int(learner._fitness.argmax())]
    strategy = strategy_of(learner.game.name, best, boards=learner.settings["genes"] == "boards")
    merge = learner.settings["replies"] == "symmetric"
    tallies = [oracle.tally(learner.game.name, strategy, side, merge=merge) for side in (0, 1)]
    assert [counts["lost"] for counts in tallies] == [0, 0]
    least, most = oracle.games_of_never_losing(learner.game.name, merge=merge)
    assert least <= learner.stats()["games"] <= most
    assert learner.told(learner.stats())["best_fitness"] == 1.0
    assert learner.stats()["lost"] == 0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_swift_finds_a_strategy_that_loses_to_nobody(seed: int):
    learner = champion("swift", seed)
    assert learner.perfect
    assert learner.rounds == learner.history[-1]["generation"] < 500
    assert [stats["perfect"] for stats in learner.history].count(1) == 1
    assert_loses_to_nobody(learner)


@pytest.mark.parametrize(("name", "replies"), [("tictactoe", "raw"), ("misere", "symmetric")])
def test_so_it_does_when_raw_replies_count_and_in_misere(name: str, replies: str):
    learner = Genetic(parse_game(name), "swift", 1, {"replies": replies})
    learner.train(500)
    assert learner.perfect
    assert_loses_to_nobody(learner)


def test_where_the_first_side_is_lost_nobody_is_perfect():
    learner = Genetic(parse_game("hexapawn"), "swift", 1)
    learner.train(100)
    assert not learner.perfect
    assert learner.rounds == 100
    policy = learner.policy()
    assert [best_response(learner.space, side, policy).loss for side in Side] == [1.0, 0.0]


def found(**settings) -> Genetic:
    """A small population that has become perfect, or would have."""
    learner = Genetic(TICTACTOE, "swift", 1, {"population": 100, **settings})
    learner.train(200)
    return learner


def test_evolution_ends_with_the_first_that_is_perfect_or_goes_on():
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


def test_slices_do_not_matter_where_evolution_ends():
    at_once, in_parts = found(), Genetic(TICTACTOE, "swift", 1, {"population": 100})
    while not in_parts.perfect:
        in_parts.train(3)
    assert_same(in_parts.snapshot(), at_once.snapshot())


def test_a_plan_that_was_broken_off_goes_on_as_if_it_had_never_stopped():
    whole, half = Genetic(TICTACTOE, "hochmuth", 4), Genetic(TICTACTOE, "hochmuth", 4)
    *_, last = run(half, Plan(13))
    *_, gone_on = run(revive(last.snapshot, TICTACTOE), Plan(12))
    *_, at_once = run(whole, Plan(25))
    assert_same(gone_on.snapshot, at_once.snapshot)


def test_the_elite_never_gets_worse():
    learner = Genetic(TICTACTOE, "hochmuth", 2, {"population": 50, "elite": 2, "mutation": ".1"})
    best = []
    for _ in range(40):
        learner.train(1)
        best.append(learner.stats()["best_fitness"])
    assert best == sorted(best)
    assert best[0] < best[-1]


def test_a_moment_without_its_population_plays_and_is_not_bred_on():
    learner = Genetic(TICTACTOE, "swift", 1, {"population": 10})
    *_, last = run(learner, Plan(10))
    stats = next(stats for stats in last.snapshot.history if stats["generation"] == 5)
    memory = last.snapshot.memories[5]
    learner = revive(
        replace(last.snapshot, memory=memory, stats=stats, history=(), memories={}, bulk=b""),
        TICTACTOE,
    )
    assert learner.policy().sum() == (learner.genome.gene >= 0).sum()
    before = learner.snapshot()
    with pytest.raises(BadText, match="no population was kept"):
        learner.train(1)
    assert_same(learner.snapshot(), before)


@pytest.mark.parametrize("population", ["0", "1", "-5", "10001", "1e3", "nan", "2.5", ""])
def test_a_population_that_cannot_breed_is_refused(population: str):
    with pytest.raises(BadText, match=f"^population cannot be '{population}'; it is "):
        Genetic(TICTACTOE, "hochmuth", 1, {"population": population})


@pytest.mark.parametrize("rate", ["-0.1", "1.0001", "nan", "inf", "-inf", "1e999", "15%", "", "0,5", "-1e-9", "1/2"])
@pytest.mark.parametrize("key", ["replication", "crossover", "mutation"])
def test_a_rate_that_is_no_chance_is_refused(key: str, rate: str):
    with pytest.raises(BadText, match=f"^{key} cannot be .*; it is a chance from 0 to 1"):
        Genetic(TICTACTOE, "hochmuth", 1, {key: rate})


@pytest.mark.parametrize(
    ("text", "rate"), [("0", "0.0"), ("-0", "0.0"), (".15", "0.15"), ("1", "1.0"), ("1e-3", "0.001"), (" .5 ", "0.5")]
)
def test_a_rate_is_one_number_however_it_is_written(text: str, rate: str):
    assert Genetic(TICTACTOE, "hochmuth", 1, {"mutation": text}).settings["mutation"] == rate


@pytest.mark.parametrize(("population", "elite"), [(2, 2), (2, 100), (100, 100)])
def test_an_elite_that_leaves_nobody_to_breed_is_refused(population: int, elite: int):
    with pytest.raises(BadText, match=f"an elite of {elite} leaves nobody to breed: the population is {population}"):
        Genetic(TICTACTOE, "hochmuth", 1, {"population": population, "elite": elite})
    Genetic(TICTACTOE, "hochmuth", 1, {"population": population, "elite": population - 1}).train(3)


def test_the_number_of_genes_names_the_genome():
    settings = {"827": "boards", "627": "decisions", "Boards": "boards"}
    assert {text: Genetic.parse_setting("genes", text) for text in settings} == settings


@pytest.mark.parametrize("opponent", ["random", "perfect"])
def test_nobody_else_can_train_it(opponent: str):
    learner: Learner = Genetic(TICTACTOE, "hochmuth", 1)
    with pytest.raises(BadText):
        learner.meet(parse_player(opponent, TICTACTOE))
    assert learner.opponent == "self"


def test_no_counter_overflows():
    """The largest population, bred for as long as one plan can be, with the most games that anybody has."""
    most, generations, plies = 10_000, MOST_ROUNDS, 9
    games = 9 * 7 * 5 * 3 + 8 * 6 * 4 * 2  # the opponent has all replies, as the first side and as the second
    genomes = random_genomes("tictactoe", 300, boards=True, seed=9)
    counts, _ = judged("tictactoe", genomes, boards=True, merge=False, points=False)
    assert counts[:, :3].sum(axis=1).max() <= games
    assert counts[:, kernel.PLIES].max() <= games * plies < 2**31, "kernels count the games of one in 32 bits"
    assert games * most * generations < 2**63
    assert games * most * 75_000_000 < LARGEST_COUNT < 2**63, "months of the largest population can be saved"
    assert games * max(map(max, POINTS)) * most < 2**53, "sums of points are exact"
    assert games * max(map(max, POINTS)) * PARTS <= LARGEST_COUNT
    assert Genetic.setting_kinds["population"].parse(str(most)) == most < CHAMPION
