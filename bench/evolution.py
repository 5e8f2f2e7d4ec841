"""The speed of evolution, compared with that of other libraries on one core; measurements alternate.

    python bench/evolution.py --peers .venv-bench/bin/python

Noughts, DEAP and pygad continue from the same population in the middle of a run, with the same size, genes, rates,
selection and fitness. First, `check` compares our fitness function with that of the peers, which is written as their
users would write it.
"""

import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
from peer_fitness import results
from run import Figure, Peer, compare

from engine.evaluate import best_response
from engine.game import Outcome, Side
from engine.games import GAMES
from learners.genetic import fitness_kernel as judging
from learners.genetic.genome import class_tables
from learners.genetic.kernel_tables import Scores, Scoring
from learners.genetic.learner import Genetic

FOUND_AFTER = 373
"""The generations after which the paper's population of 500 found a strategy that never loses."""
OUR_GENERATIONS = 200
"""The generations that our learner breeds in one round; a peer breeds one."""
CHECKED = 10
SEEDS = range(1, 6)
SWIFT_SEEDS = range(1, 21)
MAX_GENERATIONS = 500


def evolve(seed: int, generations: int) -> Genetic:
    learner = Genetic(GAMES[0], "hochmuth", seed, {"until": "end"})
    learner.train(generations)
    return learner


def seconds_to_train(learner: Genetic, generations: int) -> float:
    start = perf_counter()
    learner.train(generations)
    return perf_counter() - start


def check(learner: Genetic) -> None:
    """Exit unless the fitness function of the peers counts the same games as ours."""
    genomes, classes = learner.population[:CHECKED], class_tables(learner.genome)
    judged = np.zeros((len(genomes), 6), np.int64)
    scoring, scores = Scoring(1, np.zeros((2, 3), np.int64)), Scores(judged, np.zeros(len(genomes)))
    judging.score_population(genomes, classes, scoring, scores)
    games, losses = judged[:, : len(Outcome)].sum(axis=1).tolist(), judged[:, judging.LOST].tolist()
    if list(zip(games, losses, strict=True)) != [results(genome) for genome in genomes.tolist()]:
        sys.exit("the fitness function of the peers differs from ours")


def measure_beside_peers(python: str, rounds: int) -> list[Figure]:
    learner = evolve(1, FOUND_AFTER // 2)
    check(learner)
    ours = Figure("generations of 500 individuals with 827 genes", "gen/s")
    ratio = Figure("  how many times faster than the better peer", "times", at_least=1000)
    theirs = {name: Figure(f"  {name}", "gen/s") for name in ("DEAP", "pygad")}
    with tempfile.TemporaryDirectory() as folder:
        population = Path(folder) / "population"
        population.write_bytes(learner.population.tobytes())
        peers = {name: Peer(python, f"peer_{name.lower()}.py", str(population)) for name in theirs}
        for peer in peers.values():
            peer.seconds("generations", 1)
        for _ in range(rounds):
            ours.rounds.append(OUR_GENERATIONS / seconds_to_train(learner, OUR_GENERATIONS))
            for name, peer in peers.items():
                theirs[name].rounds.append(1 / peer.seconds("generations", 1))
            ratio.rounds.append(ours.rounds[-1] / max(figure.rounds[-1] for figure in theirs.values()))
        for peer in peers.values():
            peer.close()
    return [ours, *theirs.values(), ratio]


def never_loses(learner: Genetic) -> bool:
    space, policy = learner.space, learner.policy()
    return all(best_response(space, side, policy).loss == 0 for side in Side)


def measure_swift() -> list[Figure]:
    """Measure the preset `swift` from the first generation to a strategy that never loses; each seed is a round."""
    successes = Figure(
        f"swift: seeds of {len(SWIFT_SEEDS)} that never lose within {MAX_GENERATIONS}", "seeds", at_least=19
    )
    generations = Figure("  their generations", "gen", at_most=MAX_GENERATIONS)
    spent = Figure("  and seconds", "s", at_most=2)
    perfect = 0
    for seed in SWIFT_SEEDS:
        learner = Genetic(GAMES[0], "swift", seed)
        seconds = seconds_to_train(learner, MAX_GENERATIONS)
        perfect += never_loses(learner)
        generations.rounds.append(learner.stats()["generation"])
        spent.rounds.append(seconds)
    successes.rounds.append(perfect)
    return [successes, generations, spent]


def measure(python: str, rounds: int) -> list[Figure]:
    figures = measure_beside_peers(python, rounds)
    whole = Figure(f"{FOUND_AFTER} generations, from the first", "s", at_most=2)
    for seed in SEEDS:
        start = perf_counter()
        evolve(seed, FOUND_AFTER)
        whole.rounds.append(perf_counter() - start)
    return [*figures, whole, *measure_swift()]


if __name__ == "__main__":
    sys.exit(compare("Measure evolution beside that of our peers.", measure))
