"""Hochmuth, 2003: a genetic algorithm that looks for a strategy that never loses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import mean
from typing import Final

import numpy as np

from engine.games.tictactoe import TICTACTOE
from engine.stop import Stop
from engine.trees.tree import Reduction, Tree, tree_of
from learners.genetic.genome import genome_of
from learners.genetic.learner import Genetic
from learners.genetic.view import PARTS as WHOLE
from learners.papers.report import UNPRINTED, Curves, Figure, Finding, FindingTable, PaperResult, Source, number_figure
from learners.papers.running import Paper, PaperPart, ReportShare
from learners.papers.trainings import seeds_text, train

SOURCE: Final = Source(
    "hochmuth",
    "On the Genetic Evolution of a Perfect Tic-Tac-Toe Strategy",
    "Gregor Hochmuth, 2003",
    "Populations of strategies are bred to lose fewer of all games that can be played against them. What the paper "
    "leaves to future work, to evolve a heuristic instead of a table of moves, is left here, too.",
    topic="genetic search, Hochmuth 2003",
)
RESULTS: Final = "Results, Fitness #2"
STALLED: Final = "Results and Observations"
MANY: Final = "Fitness #1"
ONE_OF_ONE: Final = 2.5, 100.0
ONE_OF_THREE: Final = 0.8404, 90.5701
"""The shares of successes in per cent that one success in so many runs stands for, of which "several" are at least
three: the exact 95 % interval of the binomial distribution (C. Clopper and E. Pearson, 1934)."""
PARTS: Final = 10_000
"""The curves show how many of this number of games are lost."""
LOST: Final = Figure("3 to 5 percent", STALLED, 2.5, 5.5)
"""The games lost, in whole per cent."""
GAMES: Final = Figure("480", RESULTS, 475, 485)
"""He writes "around 480", which is rounded to tens."""
NONE: Final = Figure("none", MANY, 0, 0)
SELECTION: Final = (
    "the paper does not say how parents are selected; here they are drawn by how far their fitness exceeds the lowest"
)


@dataclass(frozen=True)
class GeneticExperiment:
    name: str
    preset: str
    generations: int
    seeds: int
    population: int
    curve: str = ""
    """The figure of the paper that shows a run of the experiment, if there is one."""


EXPERIMENTS: Final = (
    GeneticExperiment("fitness 2, population 500", "hochmuth", 500, 60, 500, "Figure 7"),
    GeneticExperiment("fitness 2, population 1,000", "hochmuth-1000", 500, 40, 1_000, "Figure 8"),
    GeneticExperiment("fitness 2, population 1,000, crossover .3", "hochmuth-crossover-.3", 1000, 20, 1_000),
    GeneticExperiment("fitness 1, population 50", "hochmuth-points", 1000, 40, 50),
    GeneticExperiment("fitness 1, population 1,000", "hochmuth-points", 1000, 20, 1_000),
    GeneticExperiment("fitness 1, population 10,000", "hochmuth-points", 1000, 2, 10_000, "Figure 6"),
)
FIRST, LARGER, CROSSED, SMALL, MIDDLE, LARGEST = (each.name for each in EXPERIMENTS)
FIGURES: Final[Mapping[str, Mapping[str, Figure]]] = {
    FIRST: {
        "perfect": Figure("the first run", RESULTS, *ONE_OF_ONE),
        "generation": number_figure("373", "Figure 7"),
        "seconds": Figure("1,688 seconds", RESULTS),
        "games": number_figure("320", RESULTS),
        "tied": UNPRINTED,
    },
    LARGER: {
        "perfect": Figure("the second run", RESULTS, *ONE_OF_ONE),
        "generation": number_figure("457", "Figure 8"),
        "seconds": Figure("65 minutes", RESULTS),
        "games": number_figure("320", RESULTS),
        "tied": Figure("no better than with 500", RESULTS),
    },
    CROSSED: {
        "perfect": Figure("one out of several", RESULTS, *ONE_OF_THREE),
        "generation": number_figure("692", RESULTS),
        "lost by others": Figure("1 or 2", RESULTS, 1, 2),
    },
    SMALL: {"perfect": NONE, "lost": LOST, "games": GAMES},
    MIDDLE: {"perfect": NONE, "lost": LOST},
    # its few runs are too slow to be many: they are not compared
    LARGEST: {"perfect": NONE, "lost": Figure(LOST.printed, STALLED), "games": Figure(GAMES.printed, RESULTS)},
}
"""The figures that the paper prints for each experiment, by the keys of `findings_of`."""


@dataclass(frozen=True)
class HochmuthRun:
    generation: int
    """The last generation: the first with a perfect strategy, if there was one."""
    perfect: bool
    games: int
    """The games in the exhaustive set of the best individual."""
    lost: int
    tied: int
    seconds: float
    curve: tuple[tuple[int, tuple[int, ...]], ...]
    """The games lost in `PARTS` by the best individual, and the mean over all individuals, by generation."""


def evolve(experiment: GeneticExperiment, seed: int, report: ReportShare, stop: Stop) -> HochmuthRun:
    learner = Genetic(TICTACTOE, experiment.preset, seed, {"population": experiment.population})
    progress = train(learner, experiment.generations, report, stop)
    stats = learner.stats()
    curve = []
    for each in learner.history.statistics:
        best, average = round(PARTS * each["lost"] / each["games"]), round(each["mean_lost"] / (WHOLE // PARTS))
        curve.append((each["generation"], (best, average)))
    return HochmuthRun(
        generation=stats["generation"],
        perfect=learner.perfect,
        games=stats["games"],
        lost=stats["lost"],
        tied=stats["draws"],
        seconds=progress.seconds,
        curve=tuple(curve),
    )


def games_until_decided(tree: Tree) -> int:
    """Return the number of games in a tree in which each game ends once only one result is possible."""
    space, games = tree.space, tree.below[:, :-1]
    decided = np.count_nonzero(games, axis=1) == 1
    count = decided.astype(np.int64)
    for _, edges in space.plies():
        kept_edges = np.flatnonzero(tree.kept[edges]) + edges.start
        open_edges = kept_edges[~decided[space.source[kept_edges]]]
        np.add.at(count, space.source[open_edges], count[space.target[open_edges]])
    return int(count[0])


def count_table() -> FindingTable:
    genome, decisions = genome_of(TICTACTOE, boards=True), genome_of(TICTACTOE, boards=False)
    tree = tree_of(TICTACTOE, reduction=Reduction.SYMMETRY)
    return FindingTable.of(
        "The search space",
        "counted, not sampled",
        Finding(
            "boards with an X, an O or nothing on each square",
            number_figure("19,683", "Games and Situations"),
            ((len(TICTACTOE.board.pieces) + 1) ** (TICTACTOE.board.rows * TICTACTOE.board.columns),),
        ),
        Finding("situations, up to symmetry", number_figure("827", "Games and Situations"), (genome.size,)),
        Finding("of these, in play and not over", UNPRINTED, (decisions.size,)),
        Finding(
            "moves of all situations, added",
            number_figure("2,480", "Defining Individuals"),
            (int(genome.alleles.sum()),),
        ),
        Finding(
            "moves of all situations, multiplied",
            Figure("2,480", "Defining Individuals"),
            f"10^{genome.log10_strategies:.2f}",
            known="the paper prints the sign of a product over what is a sum: there are far more strategies",
        ),
        Finding(
            "games, ended when one result is left",
            number_figure("23,129", "Games and Situations"),
            (games_until_decided(tree),),
        ),
        Finding(
            "games, played to their ends",
            number_figure("23,129", "Games and Situations"),
            (tree.root.games.total,),
            known="the paper's number is of games that stop as soon as only one result is possible",
        ),
    )


def findings_of(figures: Mapping[str, Figure], runs: Sequence[HochmuthRun]) -> tuple[Finding, ...]:
    perfect, others = [run for run in runs if run.perfect], [run for run in runs if not run.perfect]
    findings = {
        "perfect": Finding(
            "runs in 100 that found a perfect strategy",
            UNPRINTED,
            tuple(100.0 * run.perfect for run in runs),
            average=True,
        ),
        "generation": Finding(
            "generation of a perfect strategy",
            UNPRINTED,
            tuple(run.generation for run in perfect),
            known=SELECTION,
            never=len(others),
        ),
        "seconds": Finding("seconds to a perfect strategy", UNPRINTED, tuple(run.seconds for run in perfect), 2),
        "games": Finding(
            "games of the best one's exhaustive set", UNPRINTED, tuple(run.games for run in runs), known=SELECTION
        ),
        "tied": Finding("games that perfect strategies tie", UNPRINTED, tuple(run.tied for run in perfect)),
        "lost": Finding(
            "games in 100 that the best one loses",
            UNPRINTED,
            tuple(100 * run.lost / run.games for run in runs),
            1,
            known=SELECTION,
            average=True,
        ),
        "lost by others": Finding(
            "games lost by the best one of the others", UNPRINTED, tuple(run.lost for run in others), 1, known=SELECTION
        ),
    }
    return tuple(replace(findings[key], figure=figure) for key, figure in figures.items())


def comparison_table(results: Mapping[str, Sequence[HochmuthRun]]) -> FindingTable:
    def more_finding(what: str, count: Callable[[HochmuthRun], int]) -> Finding:
        first, second = mean(map(count, results[SMALL])), mean(map(count, results[FIRST]))
        return Finding(what, Figure("more", RESULTS), "more" if first > second else "not more", known=SELECTION)

    return FindingTable.of(
        "fitness 1 compared with fitness 2",
        f"the best individuals of {SMALL} and of {FIRST}: means of the seeds above",
        more_finding("games in its exhaustive set", lambda run: run.games),
        more_finding("games that it wins or ties", lambda run: run.games - run.lost),
    )


def experiment_curves(experiment: GeneticExperiment, runs: Sequence[HochmuthRun], seed: int) -> Curves:
    """Return the curves of the first run that found a perfect strategy; of the first run if none did."""
    index = next((number for number, run in enumerate(runs) if run.perfect), 0)
    return Curves(
        f"{experiment.curve}, {experiment.name}",
        f"seed {seed + index}",
        ("best", "mean"),
        runs[index].curve,
        log=False,
        unit=f"games lost in {PARTS:,}",
        rounds="generations",
        log_rounds=False,
    )


def hochmuth(experiments: Sequence[GeneticExperiment] = EXPERIMENTS) -> Paper[HochmuthRun]:
    parts = [
        PaperPart(each.name, partial(evolve, each), each.population * each.generations, each.seeds)
        for each in experiments
    ]

    def tables(results: Mapping[str, Sequence[HochmuthRun]], seed: int) -> PaperResult:
        finding_tables = [count_table()]
        for each in experiments:
            runs = results[each.name]
            about = f"{each.generations:,} generations at most; {seeds_text(seed, len(runs))}"
            finding_tables.append(FindingTable.of(each.name, about, *findings_of(FIGURES[each.name], runs)))
        finding_tables.append(comparison_table(results))
        drawn = sorted((each for each in experiments if each.curve), key=lambda each: each.curve)
        return tuple(finding_tables), tuple(experiment_curves(each, results[each.name], seed) for each in drawn)

    return Paper(SOURCE, parts, tables)
