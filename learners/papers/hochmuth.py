"""Hochmuth, 2003: a genetic algorithm that looks for a strategy that never loses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
from learners.papers.report import (
    UNPRINTED,
    Curves,
    Figure,
    Finding,
    FindingTable,
    PaperResult,
    Source,
    number,
    share_figure,
)
from learners.papers.running import Paper, ReportShare
from learners.papers.trainings import SeededWork, seeded_paper, seeds_text, trained

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
SEVERAL: Final = 3
"""He counts one success in "several" runs: at least this many."""
PARTS: Final = 10_000
"""The curves show how many of this number of games are lost."""
LOST: Final = Figure("3 to 5 percent", STALLED, 2.5, 5.5)
"""The games lost, in whole per cent."""
GAMES: Final = Figure("480", RESULTS, 475, 485)
"""He writes "around 480", which is rounded to tens."""
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
FIRST, LARGER, CROSSED, SMALL, _, LARGEST = (each.name for each in EXPERIMENTS)


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
    progress = trained(learner, experiment.generations, report, stop)
    stats = learner.stats()
    curve = tuple(
        (each["generation"], (round(PARTS * each["lost"] / each["games"]), round(each["mean_lost"] / (WHOLE // PARTS))))
        for each in learner.history.statistics
    )
    return HochmuthRun(
        stats["generation"], learner.perfect, stats["games"], stats["lost"], stats["draws"], progress.seconds, curve
    )


def games_until_decided(tree: Tree) -> int:
    """Return the number of games in a tree in which each game ends once only one result is possible."""
    space, games = tree.space, tree.below[:, :-1]
    decided = np.count_nonzero(games, axis=1) == 1
    count = decided.astype(np.int64)
    for _, edges in space.plies():
        kept = np.flatnonzero(tree.kept[edges]) + edges.start
        kept = kept[~decided[space.source[kept]]]
        np.add.at(count, space.source[kept], count[space.target[kept]])
    return int(count[0])


def counts() -> FindingTable:
    genome, decisions, tree = (
        genome_of(TICTACTOE, boards=True),
        genome_of(TICTACTOE, boards=False),
        tree_of(TICTACTOE, reduction=Reduction.SYMMETRY),
    )
    return FindingTable(
        "The search space",
        "counted, not sampled",
        (
            Finding(
                "boards with an X, an O or nothing on each square",
                number("19,683", "Games and Situations"),
                ((len(TICTACTOE.board.pieces) + 1) ** (TICTACTOE.board.rows * TICTACTOE.board.columns),),
            ),
            Finding("situations, up to symmetry", number("827", "Games and Situations"), (genome.size,)),
            Finding("of these, in play and not over", UNPRINTED, (decisions.size,)),
            Finding(
                "moves of all situations, added", number("2,480", "Defining Individuals"), (int(genome.alleles.sum()),)
            ),
            Finding(
                "moves of all situations, multiplied",
                Figure("2,480", "Defining Individuals"),
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


def perfect_runs(figure: Figure, runs: Sequence[HochmuthRun]) -> Finding:
    return Finding(
        "runs in 100 that found a perfect strategy", figure, tuple(100.0 * run.perfect for run in runs), average=True
    )


def generation(printed: str, place: str, runs: Sequence[HochmuthRun]) -> Finding:
    found = tuple(run.generation for run in runs if run.perfect)
    return Finding(
        "generation of a perfect strategy", number(printed, place), found, known=SELECTION, never=len(runs) - len(found)
    )


def seconds(printed: str, place: str, runs: Sequence[HochmuthRun]) -> Finding:
    return Finding(
        "seconds to a perfect strategy", Figure(printed, place), tuple(run.seconds for run in runs if run.perfect), 2
    )


def games(figure: Figure, runs: Sequence[HochmuthRun]) -> Finding:
    return Finding("games of the best one's exhaustive set", figure, tuple(run.games for run in runs), known=SELECTION)


def lost(figure: Figure, runs: Sequence[HochmuthRun]) -> Finding:
    shares = tuple(100 * run.lost / run.games for run in runs)
    return Finding("games in 100 that the best one loses", figure, shares, 1, known=SELECTION, average=True)


def tied(figure: Figure, runs: Sequence[HochmuthRun]) -> Finding:
    return Finding("games that perfect strategies tie", figure, tuple(run.tied for run in runs if run.perfect))


def findings(name: str, runs: Sequence[HochmuthRun]) -> tuple[Finding, ...]:
    if name == FIRST:
        return (
            perfect_runs(share_figure("the first run", RESULTS, 1, 1), runs),
            generation("373", "Figure 7", runs),
            seconds("1,688 seconds", RESULTS, runs),
            games(number("320", RESULTS), runs),
            tied(UNPRINTED, runs),
        )
    if name == LARGER:
        return (
            perfect_runs(share_figure("the second run", RESULTS, 1, 1), runs),
            generation("457", "Figure 8", runs),
            seconds("65 minutes", RESULTS, runs),
            games(number("320", RESULTS), runs),
            tied(Figure("no better than with 500", RESULTS), runs),
        )
    if name == CROSSED:
        failed = [run for run in runs if not run.perfect]
        return (
            perfect_runs(share_figure("one out of several", RESULTS, 1, SEVERAL), runs),
            generation("692", RESULTS, runs),
            Finding(
                "games lost by the best one of the others",
                Figure("1 or 2", RESULTS, 1, 2),
                tuple(run.lost for run in failed),
                1,
                known=SELECTION,
            ),
        )
    stalled = [perfect_runs(Figure("none", MANY, 0, 0), runs)]
    if name == LARGEST:  # its few runs are too slow to be many: they are not compared
        return (*stalled, lost(Figure(LOST.printed, STALLED), runs), games(Figure(GAMES.printed, RESULTS), runs))
    return (*stalled, lost(LOST, runs), *([games(GAMES, runs)] if name == SMALL else []))


def compared(found: Mapping[str, Sequence[HochmuthRun]]) -> FindingTable:
    points, unlost = found[SMALL], found[FIRST]

    def more(what: str, count: Callable[[HochmuthRun], int]) -> Finding:
        first, second = (mean(map(count, runs)) for runs in (points, unlost))
        return Finding(what, Figure("more", RESULTS), "more" if first > second else "not more", known=SELECTION)

    return FindingTable(
        "fitness 1 compared with fitness 2",
        f"the best individuals of {SMALL} and of {FIRST}: means of the seeds above",
        (
            more("games in its exhaustive set", lambda run: run.games),
            more("games that it wins or ties", lambda run: run.games - run.lost),
        ),
    )


def curves(experiment: GeneticExperiment, runs: Sequence[HochmuthRun], seed: int) -> Curves:
    """Return the curves of the first run that found a perfect strategy; of the first run if none did."""
    which = next((number for number, run in enumerate(runs) if run.perfect), 0)
    return Curves(
        f"{experiment.curve}, {experiment.name}",
        f"seed {seed + which}",
        ("best", "mean"),
        runs[which].curve,
        log=False,
        unit=f"games lost in {PARTS:,}",
        rounds="generations",
        log_rounds=False,
    )


def hochmuth(experiments: Sequence[GeneticExperiment] = EXPERIMENTS) -> Paper[HochmuthRun]:
    parts = [
        SeededWork(each.name, each.population * each.generations, partial(evolve, each), each.seeds)
        for each in experiments
    ]

    def tables(found: Mapping[str, Sequence[HochmuthRun]], seed: int) -> PaperResult:
        made = [counts()]
        for each in experiments:
            about = f"{each.generations:,} generations at most; {seeds_text(seed, each.seeds)}"
            made.append(FindingTable(each.name, about, findings(each.name, found[each.name])))
        made.append(compared(found))
        return tuple(made), tuple(
            curves(each, found[each.name], seed)
            for each in sorted(experiments, key=lambda each: each.curve)
            if each.curve
        )

    return seeded_paper(SOURCE, parts, tables)
