"""Riechel, 2007: the tables and curves of failure-based reasoning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from engine.games.tictactoe import TICTACTOE
from engine.plural import counted_noun
from engine.solve import edge_values
from engine.spaces import space_of
from engine.stop import Stop
from engine.trees.tree import Tree
from learners.core.learner import BOTH
from learners.failures.learner import Failures
from learners.genetic.genome import BOARDS
from learners.papers.report import UNPRINTED, Curves, Figure, Finding, FindingTable, PaperResult, Source, number_figure
from learners.papers.running import Paper, PaperPart, ReportShare
from learners.papers.trainings import Losses, losses_by_opponent, seeds_text, train

SOURCE: Final = Source(
    "riechel",
    "Failure-based reasoning",
    "James A. Riechel, 2007",
    "A machine plays itself and never again makes a move that is recorded as a failure.",
    topic="failures, Riechel 2007",
)
SEEDS: Final = 300
GAMES: Final = (1_000, 10_000, 100_000, 1_000_000)
PERFORMANCE: Final = "Figure 1"
SIZE: Final = "Figure 3"
PRINTED: Final[Mapping[str, tuple[str, str, tuple[str, ...]]]] = {
    "draws": ("tie-games", PERFORMANCE, ("138", "4,493", "93,787", "993,787")),
    "first_wins": ("X-victories", PERFORMANCE, ("558", "3,350", "3,824", "3,824")),
    "second_wins": ("O-victories", PERFORMANCE, ("304", "2,157", "2,389", "2,389")),
    "avoided": ("failures avoided", PERFORMANCE, ("705", "76,570", "1,571,823", "16,635,566")),
    "entries": ("size of failure database", SIZE, ("862", "5,656", "6,409", "6,409")),
}
"""For each statistic its name in the paper, where it is printed, and its figures after each of `GAMES`."""

RATIO: Final = number_figure("0.3354", "section 5")
UNCHANGED: Final = Figure("the same", "section 5", 0, 0)
"""What the paper says about wins and the database between 100,000 and 1,000,000 games."""
LEFT_OPEN: Final = (
    "the paper does not say how its generator picked, nor how far back rule 2 goes: riechel-2007 is the reading that "
    "comes nearest"
)
COUNTER: Final = "over the first 10,000 games this counter stays below the paper's under every reading that was tried"
LATER: Final = "part of it is already missing after 10,000 games; the rest is not explained"


@dataclass(frozen=True)
class RiechelRun:
    history: tuple[Mapping[str, int], ...]
    """The statistics after certain numbers of games."""
    lost: Losses
    """The probabilities in per cent that the reasoner loses at the end: see `losses_by_opponent`."""
    recorded: float
    """The share of the losing moves that are recorded, in per cent."""

    def after(self, games: int) -> Mapping[str, int]:
        return next(stats for stats in self.history if stats["games"] == games)


def play(preset: str, seed: int, report: ReportShare, stop: Stop) -> RiechelRun:
    learner = Failures(TICTACTOE, preset, seed)
    train(learner, GAMES[-1], report, stop)
    losing = edge_values(learner.space) == -1
    recorded = np.count_nonzero(learner.memory[losing]) / np.count_nonzero(losing)
    losses = losses_by_opponent(learner.space, BOTH, learner.policy())
    return RiechelRun(learner.history.statistics, losses, 100 * float(recorded))


def reason_for_difference(preset: str, key: str, games: int) -> str:
    """Return why a figure may differ; empty if that is not known."""
    if key == "avoided" and (preset != "literal" or games <= 10_000):
        return COUNTER if games <= 10_000 else LATER
    return LEFT_OPEN if preset == "literal" else ""


def theory_table() -> FindingTable:
    boards, space = Tree(BOARDS[TICTACTOE.name]), space_of(TICTACTOE)
    losing, moves = np.count_nonzero(edge_values(space) == -1), len(space.move)
    return FindingTable.of(
        "Theory",
        "counted, not sampled",
        Finding("games that fill the board", number_figure("362,880", "section 1"), (boards.root.games.total,)),
        Finding("largest database, s_max", number_figure("19,107", "section 4"), (len(boards.space.move),)),
        Finding("moves that can be made in play", UNPRINTED, (moves,)),
        Finding(
            "share of the moves that lose",
            RATIO,
            (losing / moves,),
            4,
            known=f"of the {moves:,} moves that can be made in play, {losing:,} lose; the paper divides the "
            "moves that its machine recorded by all moves on boards that fill up, even past a complete line",
        ),
    )


def performance_table(preset: str, runs: Sequence[RiechelRun], column: int, about: str) -> FindingTable:
    """Return one column of Figures 1 and 3."""
    games = GAMES[column]
    findings = [
        Finding(
            what,
            number_figure(printed[column], place),
            tuple(run.after(games)[key] for run in runs),
            known=reason_for_difference(preset, key, games),
        )
        for key, (what, place, printed) in PRINTED.items()
    ]
    if games == GAMES[-1]:
        sizes = tuple(run.after(games)["entries"] / len(space_of(BOARDS[TICTACTOE.name]).move) for run in runs)
        findings.append(
            Finding("r = database / s_max", RATIO, sizes, 4, known=reason_for_difference(preset, "entries", games))
        )
    return FindingTable.of(f"{preset}, {counted_noun(games, 'game')}", about, *findings)


def solved_table(preset: str, runs: Sequence[RiechelRun], about: str) -> FindingTable:
    """Return the table on whether the game is solved. In self-play it is, but other opponents reach other positions."""
    last, before = GAMES[-1], GAMES[-2]
    growth = tuple(run.after(last)["entries"] - run.after(before)["entries"] for run in runs)
    losses = [
        Finding(
            f"games in 100 lost {whom}",
            UNCHANGED if whom.endswith("itself") else UNPRINTED,
            tuple(run.lost[whom] for run in runs),
            2,
            known="some seeds still learn after a million games",
        )
        for whom in runs[0].lost
    ]
    return FindingTable.of(
        f"{preset}, is it solved?",
        f"{about}, exact chances after {last:,} games",
        Finding(
            f"recorded after {before:,} games",
            UNCHANGED,
            growth,
            known="the rounded pick seldom tries an outer move, and so it learns for longer",
        ),
        *losses,
        Finding(
            "losing moves in 100 that it recorded",
            Figure("not claimed", "section 5"),
            tuple(run.recorded for run in runs),
            1,
        ),
    )


def performance_curves(preset: str, run: RiechelRun, seed: int) -> Curves:
    """Return Figure 2: how the games of one seed ended."""
    endings = {"ties": "draws", "X wins": "first_wins", "O wins": "second_wins"}
    points = tuple((stats["games"], tuple(stats[key] for key in endings.values())) for stats in run.history)
    return Curves(f"Figure 2, {preset}", f"seed {seed}", tuple(endings), points, log=True)


def size_curves(runs: Mapping[str, RiechelRun], seed: int) -> Curves:
    """Return Figure 4: how the database of one seed grows, by preset."""
    histories = zip(*(run.history for run in runs.values()), strict=True)
    points = tuple((each[0]["games"], tuple(stats["entries"] for stats in each)) for each in histories)
    return Curves("Figure 4, database", f"seed {seed}", tuple(runs), points, log=False, unit="recorded failures")


def riechel(count: int = SEEDS) -> Paper[RiechelRun]:
    return Paper(SOURCE, [PaperPart(each, partial(play, each), seeds=count) for each in Failures.spec.presets], tables)


def tables(results: Mapping[str, Sequence[RiechelRun]], seed: int) -> PaperResult:
    finding_tables = [theory_table()]
    for preset, runs in results.items():
        about = seeds_text(seed, len(runs))
        finding_tables += [performance_table(preset, runs, column, about) for column in range(len(GAMES))]
        finding_tables.append(solved_table(preset, runs, about))
    first_runs = {preset: runs[0] for preset, runs in results.items()}
    curves = [performance_curves(preset, run, seed) for preset, run in first_runs.items()]
    return tuple(finding_tables), (*curves, size_curves(first_runs, seed))
