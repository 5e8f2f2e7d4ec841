"""The tic-tac-toe player of Sutton and Barto, as their book describes it and as it is usually programmed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from engine.evaluate import chances
from engine.game import Side
from engine.games.tictactoe import TICTACTOE
from engine.stop import Stop
from learners.core.learner import BOTH
from learners.papers.report import UNPRINTED, Finding, FindingTable, PaperResult, Source, number_figure
from learners.papers.running import Paper, PaperPart, ReportShare
from learners.papers.trainings import Losses, loss_findings, losses_by_opponent, seeds_text, train, unbeaten_finding
from learners.td import TemporalDifferences

SOURCE: Final = Source(
    "sutton",
    "Reinforcement Learning: An Introduction, section 1.5",
    "R. Sutton and A. Barto, 1998 and 2018",
    "A player that learns by temporal differences, as in the book, and as in the best-known program for it. That "
    "program tests it only in games against itself; here it also meets a player that has read its memory.",
    topic="TD learning, Sutton 1998",
)
SEEDS: Final = 100
TEST_GAMES: Final = 1000
"""The games against itself by which the program for the book tests the player after its training."""
PROGRAM: Final = "printed by S. Zhang's program for the book"
GAMES: Final[Mapping[str, int]] = {"zhang": 100_000, "sutton-barto": 100_000, "exact": 50_000}
"""The training games of each preset. That of `zhang` is the program's."""


@dataclass(frozen=True)
class SuttonRun:
    drawn: float
    """The probability that a game against itself is drawn."""
    lost: Losses
    """The probability of a loss in per cent, by side and opponent: see `losses_by_opponent`."""


def train_and_judge(preset: str, seed: int, report: ReportShare, stop: Stop) -> SuttonRun:
    learner = TemporalDifferences(TICTACTOE, preset, seed)
    train(learner, GAMES[preset], report, stop)
    policy = learner.policy()
    return SuttonRun(chances(learner.space, policy, policy).draw, losses_by_opponent(learner.space, BOTH, policy))


def preset_table(preset: str, runs: Sequence[SuttonRun], about: str) -> FindingTable:
    figure = number_figure("1,000", PROGRAM) if preset == "zhang" else UNPRINTED
    losses = [run.lost for run in runs]
    return FindingTable.of(
        f"Preset {preset}, {GAMES[preset]:,} games against itself",
        about,
        Finding(f"games drawn of {TEST_GAMES:,} against itself", figure, tuple(TEST_GAMES * run.drawn for run in runs)),
        *loss_findings(losses),
        *(
            unbeaten_finding(
                losses, TICTACTOE, (side,), f"seeds in {len(runs)} that lose to nobody as {TICTACTOE.mark(side)}"
            )
            for side in Side
        ),
    )


def sutton(count: int = SEEDS) -> Paper[SuttonRun]:
    parts = [PaperPart(preset, partial(train_and_judge, preset), games, count) for preset, games in GAMES.items()]
    return Paper(SOURCE, parts, tables)


def tables(results: Mapping[str, Sequence[SuttonRun]], seed: int) -> PaperResult:
    return tuple(preset_table(preset, runs, seeds_text(seed, len(runs))) for preset, runs in results.items()), ()
