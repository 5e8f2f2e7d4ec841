"""Hochmuth, 2003: a genetic algorithm that looks for a strategy that never loses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from engine.games import parse_game
from engine.stop import Stop
from engine.trees.tree import Reduction, Tree, tree_of
from learners.genetic.genome import genome_of
from learners.genetic.learner import Genetic
from learners.papers.figures import UNPRINTED, Curves, Figure, Finding, Source, Table, number
from learners.papers.running import Paper, ReportShare, Task, seeds, seeds_text, trained

SOURCE: Final = Source(
    "hochmuth",
    "On the Genetic Evolution of a Perfect Tic-Tac-Toe Strategy",
    "Gregor Hochmuth, 2003",
    "Populations of strategies are bred to lose fewer of all games that can be played against them.",
    topic="genetic search, Hochmuth 2003",
)
GAME: Final = parse_game("tictactoe")
RESULTS: Final = "Results, Fitness #2"
STALLED: Final = "Results and Observations"
SELECTION: Final = "the paper does not say how parents are selected; here they win small tournaments"


@dataclass(frozen=True)
class Experiment:
    """One of his experiments."""

    name: str
    preset: str
    generations: int
    seeds: int
    population: int


EXPERIMENTS: Final = (
    Experiment("fitness 2, population 500", "hochmuth", 500, 100, 500),
    Experiment("fitness 2, population 1,000", "hochmuth-1000", 500, 60, 1_000),
    Experiment("fitness 2, population 1,000, crossover .3", "hochmuth-crossover-.3", 1000, 60, 1_000),
    Experiment("fitness 1, population 50", "hochmuth-points", 1000, 60, 50),
    Experiment("fitness 1, population 10,000", "hochmuth-points", 1000, 6, 10_000),
)
FIRST, LARGER, CROSSED, SMALL, LARGEST = (each.name for each in EXPERIMENTS)


@dataclass(frozen=True)
class Run:
    """The result of one seed of an experiment."""

    generation: int
    """The last generation: the first with a perfect strategy, if there was one."""
    perfect: bool
    games: int
    """The games in the exhaustive set of the best individual."""
    lost: int
    """How many of these it lost."""
    seconds: float


def evolve(experiment: Experiment, seed: int, report: ReportShare, stop: Stop) -> Run:
    """Run one seed of an experiment. Raises `Stopped`."""
    learner = Genetic(GAME, experiment.preset, seed, {"population": experiment.population})
    progress = trained(learner, experiment.generations, report, stop)
    stats = learner.stats()
    return Run(stats["generation"], learner.perfect, stats["games"], stats["lost"], progress.seconds)


def games_until_decided(tree: Tree) -> int:
    """Return the number of games in a tree if each ends as soon as only one result is possible."""
    space, games = tree.space, tree.below[:, :-1]
    decided = np.count_nonzero(games, axis=1) == 1
    count = decided.astype(np.int64)
    for _, edges in space.plies():
        kept = np.flatnonzero(tree.kept[edges]) + edges.start
        kept = kept[~decided[space.source[kept]]]
        np.add.at(count, space.source[kept], count[space.target[kept]])
    return int(count[0])


def counts() -> Table:
    """Return the counts of the first sections, which involve no chance."""
    genome, decisions, tree = (
        genome_of(GAME, boards=True),
        genome_of(GAME, boards=False),
        tree_of(GAME, reduction=Reduction.SYMMETRY),
    )
    return Table(
        "The search space",
        "counted",
        (
            Finding("situations, up to symmetry", number("827", "Games and Situations"), (genome.size,)),
            Finding("of these, in play and not over", UNPRINTED, (decisions.size,)),
            Finding(
                "moves of all situations, added", number("2480", "Defining Individuals"), (int(genome.alleles.sum()),)
            ),
            Finding(
                "moves of all situations, multiplied",
                Figure("2480", "Defining Individuals"),
                f"10^{genome.log10_strategies:.2f}",
                known="the paper prints the sign of a product over what is a sum: there are far more strategies",
            ),
            Finding(
                "games, ended when one result is left",
                number("23,129", "Games and Situations"),
                (games_until_decided(tree),),
            ),
            Finding(
                "games, played to their ends",
                number("23,129", "Games and Situations"),
                (tree.root.games.total,),
                known="the paper's number is of games that stop as soon as only one result is possible",
            ),
        ),
    )


def perfect_runs(runs: Sequence[Run]) -> Finding:
    """Return how many runs in 100 found a perfect strategy."""
    return Finding(
        "runs in 100 that found a perfect strategy",
        Figure("the first run", RESULTS),
        (100 * sum(run.perfect for run in runs) / len(runs),),
    )


def generation(printed: str, place: str, runs: Sequence[Run]) -> Finding:
    """Return the generations in which runs found a perfect strategy."""
    return Finding(
        "generation of a perfect strategy",
        number(printed, place),
        tuple(run.generation for run in runs if run.perfect),
        known=SELECTION,
    )


def seconds(printed: str, place: str, runs: Sequence[Run]) -> Finding:
    """Return the times after which runs found a perfect strategy."""
    return Finding(
        "seconds to a perfect strategy", Figure(printed, place), tuple(run.seconds for run in runs if run.perfect), 2
    )


def games(printed: str, place: str, runs: Sequence[Run]) -> Finding:
    """Return the sizes of the exhaustive sets of the best individuals."""
    figure = number(printed, place)
    return Finding("games of the best one's exhaustive set", figure, tuple(run.games for run in runs), known=SELECTION)


def lost(runs: Sequence[Run]) -> Finding:
    """Return how many games the best individuals lose, in per cent."""
    return Finding(
        "games in 100 that the best one loses",
        Figure("3 to 5 percent", STALLED, 3, 5),
        tuple(100 * run.lost / run.games for run in runs),
        1,
        known=f"{SELECTION}, and a small population loses its variety soon",
    )


def findings(name: str, runs: Sequence[Run]) -> tuple[Finding, ...]:
    """Return the findings of an experiment."""
    if name == FIRST:
        return (
            perfect_runs(runs),
            generation("373", "Figure 7", runs),
            seconds("1688 seconds", RESULTS, runs),
            games("320", RESULTS, runs),
        )
    if name == LARGER:
        return generation("457", "Figure 8", runs), seconds("65 minutes", RESULTS, runs), games("320", RESULTS, runs)
    if name == CROSSED:
        failed = [run for run in runs if not run.perfect]
        return (
            Finding(
                "runs in 100 that found a perfect strategy",
                Figure("one out of several", RESULTS),
                (100 * sum(run.perfect for run in runs) / len(runs),),
            ),
            generation("692", RESULTS, runs),
            Finding(
                "games lost by the best one of the others",
                Figure("1 or 2", RESULTS, 1, 2),
                tuple(run.lost for run in failed),
                1,
                known=SELECTION,
            ),
        )
    return lost(runs), games("480", RESULTS, runs)


def hochmuth(experiments: Sequence[Experiment] = EXPERIMENTS) -> Paper[Run]:
    """Return the paper with these experiments."""

    def tasks(seed: int) -> list[Task[Run]]:
        return [
            Task(each.name, each.population * each.generations, partial(evolve, each, number))
            for each in experiments
            for number in seeds(seed, each.seeds)
        ]

    def tables(found: Mapping[str, Sequence[Run]], seed: int) -> tuple[tuple[Table, ...], tuple[Curves, ...]]:
        made = [counts()]
        for each in experiments:
            about = f"{each.generations:,} generations at most; {seeds_text(seed, each.seeds)}"
            made.append(Table(each.name, about, findings(each.name, found[each.name])))
        return tuple(made), ()

    return Paper(SOURCE, tasks, tables, max(each.seeds for each in experiments))
