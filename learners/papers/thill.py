"""The n-tuple networks of Thill, Koch and Konen, on boards so small that perfect play is known everywhere.

The papers train networks for Connect Four on seven columns of six rows, and let them begin against a perfect player:
the side that begins can win. On smaller boards the game is a draw, so the games here begin in each position that is won
for the side to move, but not by its next move, and the share of them that the network wins is exact. On the board of
the papers the network moves once in each position that is known to be won, and the share of moves that keep the win is
counted: see `engine.known_positions`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

import numpy as np

from engine.evaluate import Policy, perfect_policy
from engine.game import Game, Outcome, Side
from engine.games.connectfour import CONNECT_FOUR
from engine.games.mnk import MNK
from engine.known_positions import known_positions
from engine.solve import values
from engine.space import RUNNING, Space
from engine.stop import Stop
from learners.core.learner import BOTH
from learners.core.player import Player
from learners.ntuple.learner import NTuple
from learners.papers.report import UNPRINTED, Curves, Figure, Finding, FindingTable, PaperResult, Source
from learners.papers.running import Paper, PaperPart, ReportShare
from learners.papers.trainings import Losses, loss_findings, losses_by_opponent, seeds_text, train, unbeaten_finding

SOURCE: Final = Source(
    "thill",
    "Reinforcement Learning with N-tuples on the Game Connect-4",
    "M. Thill, P. Koch and W. Konen, 2012; with S. Bagheri, 2014",
    "A network of n-tuples learns from games with itself. The papers count how often it wins against a perfect player "
    "where it can win. Here that is computed for every such position of smaller boards; on the full board, the moves "
    "that keep a known win are counted.",
    topic="n-tuple networks, Thill 2012",
)
ACCOUNT: Final = "M. Thill, Near-Perfect Connect-4 after Five Minutes of Training (2026), section Then and Now"
"""Where the first author sums up the figures of the papers of 2012 to 2015."""
EIGHTY: Final = Figure("350,000…1,600,000", ACCOUNT, 350_000, 1_600_000)
IN_THE_END: Final = Figure("90…94", f"{ACCOUNT}, after ten million games", 90, 94)
MARKS: Final = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
"""The games after which a network is judged, ascending."""
FULL_MARKS: Final = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
"""The games after which a network is judged on the board of the papers."""


@dataclass(frozen=True)
class Count:
    title: str
    unit: str
    share: str
    """The beginning of a label in the table, before `in the end` or `after 1,000`."""
    until: str
    """The end of the label `games until 80 …` in the table."""
    differs: str
    """The reason why the figures of the papers differ: they count something else."""


GAMES_WON: Final = Count(
    "games won from won positions",
    "games in 100",
    "games in 100 won",
    "in 100 are won",
    "the board is smaller, and games begin in every won position, not in the first one only",
)
"""Against perfect play: see `won_share`."""
WINS_KEPT: Final = Count(
    "wins kept in won positions",
    "positions in 100",
    "won positions in 100 kept",
    "won positions in 100 are kept",
    "one move is asked for in positions of all phases; the papers play whole games from the start",
)
"""In known positions: see `kept_share`."""


@dataclass(frozen=True)
class NetworkExperiment:
    game: Game
    preset: str
    seeds: int
    marks: tuple[int, ...]
    work: float = 1.0
    """The time for one seed, in any unit that all experiments share."""

    @property
    def name(self) -> str:
        return f"{self.game.title}, preset {self.preset}"

    @property
    def is_exact(self) -> bool:
        """Whether networks are judged by perfect play, not by known positions."""
        return not known_positions(self.game)

    @property
    def counted(self) -> Count:
        return GAMES_WON if self.is_exact else WINS_KEPT


EXPERIMENTS: Final = (
    NetworkExperiment(MNK.parse("4,4,4+gravity"), "small", 5, MARKS),
    NetworkExperiment(MNK.parse("4,4,4+gravity"), "thill", 5, MARKS),
    NetworkExperiment(MNK.parse("5,4,4+gravity"), "thill", 2, MARKS, 10.0),
    NetworkExperiment(CONNECT_FOUR, "thill", 2, FULL_MARKS, 20.0),
)


@dataclass(frozen=True)
class ThillRun:
    won: Mapping[int, float]
    """By mark, the games in 100 that the network wins against perfect play from won positions: see `won_share`.

    On the board of the papers, the known wins in 100 that it keeps: see `kept_share`."""
    lost: Losses
    """The probability of a loss in per cent at the end: see `losses_by_opponent`. Empty if not exact."""


def won_share(space: Space, policy: Policy) -> float:
    """Return how often a policy wins against play that keeps the value, any such move being as likely.

    That is the mean over the positions that are won for the side to move, but not by the next move.
    """
    perfect, running = perfect_policy(space, "any"), space.outcome == RUNNING
    is_winning_move = space.outcome[space.target] == space.side[space.source]
    wins_at_once = np.bincount(space.source[is_winning_move], minlength=len(running)) > 0
    shares = []
    for side in Side:
        win = (space.outcome == Outcome.won_by(side)).astype(np.float64)
        for rows, edges, starts in space.backwards():
            played = np.where(space.side[space.source[edges]] == side, policy[edges], perfect[edges])
            win[rows] = np.add.reduceat(played * win[space.target[edges]], starts)
        value = 1 if side is Side.FIRST else -1
        is_won = running & ~wins_at_once & (space.side == side) & (values(space) == value)
        shares.append(win[is_won])
    return float(np.concatenate(shares).mean())


def kept_share(player: Player) -> float:
    """Return the share of the known, won positions in which a player keeps the win."""
    random = Random(0)  # noqa: S311  a choice among equal moves, not a secret
    won = [each for each in known_positions(player.game) if each.value > 0]
    return sum(each.keeps(player.choose(each.position, random).move) for each in won) / len(won)


def train_and_judge(experiment: NetworkExperiment, seed: int, report: ReportShare, stop: Stop) -> ThillRun:
    learner, won, total = NTuple(experiment.game, experiment.preset, seed), dict[int, float](), experiment.marks[-1]
    for mark in experiment.marks:
        rounds_before = learner.rounds
        more = mark - rounds_before
        train(learner, more, partial(_report_part, report, rounds_before / total, more / total), stop)
        share = won_share(learner.space, learner.policy()) if experiment.is_exact else kept_share(learner)
        won[mark] = 100 * share
    losses = losses_by_opponent(learner.space, BOTH, learner.policy()) if experiment.is_exact else {}
    return ThillRun(won, losses)


def _report_part(report: ReportShare, done: float, part: float, share: float) -> None:
    report(done + part * share)


def experiment_table(experiment: NetworkExperiment, runs: Sequence[ThillRun], about: str) -> FindingTable:
    last = experiment.marks[-1]
    first_at_eighty = [next((mark for mark, share in run.won.items() if share >= 80), None) for run in runs]
    counted = experiment.counted
    losses = _loss_findings(experiment.game, runs) if experiment.is_exact else []
    return FindingTable.of(
        f"{experiment.name}, {last:,} games against itself",
        about,
        Finding(
            f"games until 80 {counted.until}",
            EIGHTY,
            tuple(float(mark) for mark in first_at_eighty if mark is not None),
            known=counted.differs,
            never=first_at_eighty.count(None),
            another_board=experiment.is_exact,
        ),
        Finding(
            f"{counted.share} in the end",
            IN_THE_END,
            tuple(run.won[last] for run in runs),
            1,
            known=counted.differs,
            another_board=experiment.is_exact,
        ),
        *(
            Finding(f"{counted.share} after {mark:,}", UNPRINTED, tuple(run.won[mark] for run in runs), 1)
            for mark in experiment.marks[:-1]
        ),
        *losses,
    )


def _loss_findings(game: Game, runs: Sequence[ThillRun]) -> list[Finding]:
    losses = [run.lost for run in runs]
    what = f"networks in {len(runs)} that lose to nobody"
    return [*loss_findings(losses), unbeaten_finding(losses, game, BOTH, what)]


def thill(experiments: Sequence[NetworkExperiment] = EXPERIMENTS) -> Paper[ThillRun]:
    parts = [PaperPart(each.name, partial(train_and_judge, each), each.work, each.seeds) for each in experiments]

    def tables(results: Mapping[str, Sequence[ThillRun]], seed: int) -> PaperResult:
        finding_tables, curves = [], []
        for each in experiments:
            runs = results[each.name]
            finding_tables.append(experiment_table(each, runs, seeds_text(seed, len(runs))))
            curves.append(_curves(each, runs[0], seed))
        return tuple(finding_tables), tuple(curves)

    return Paper(SOURCE, parts, tables)


def _curves(experiment: NetworkExperiment, run: ThillRun, seed: int) -> Curves:
    return Curves(
        f"{experiment.name}: {experiment.counted.title}",
        f"seed {seed}",
        ("won",),
        tuple((mark, (round(share),)) for mark, share in run.won.items()),
        log=False,
        unit=experiment.counted.unit,
    )
