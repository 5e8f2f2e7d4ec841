"""The Java program of a blog on MENACE: its rules, and what it learns in each of its modes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from engine.game import Move, Outcome, Side
from engine.games.tictactoe import TICTACTOE
from engine.match import Record
from engine.stop import Stop
from learners.core.learner import BOTH
from learners.menace.learner import Menace
from learners.papers.report import UNPRINTED, Figure, Finding, FindingTable, PaperResult, Source, number_figure
from learners.papers.running import Paper, PaperPart, ReportShare
from learners.papers.trainings import Losses, loss_findings, losses_by_opponent, seeds_text, teacher, train

SOURCE: Final = Source(
    "java",
    "Java Tic Tac Toe – MENACE",
    "a blog, undated",
    "A program plays the move with the highest counter; random and perfect players stand in for people.",
    topic="MENACE in Java, a blog",
)
SEEDS: Final = 100
GAMES: Final = 5_000
"""The post says a few thousand games."""
PRESETS: Final = ("blog", "blog-fixed")
SELF_PLAY: Final = "itself"
OPPONENTS: Final = (SELF_PLAY, "random", "perfect")
CODE: Final = "processEndOfRound"
CLAIM: Final = "paragraph 3"
LEARNS: Final = "learns"
SLIP: Final = "playing itself, the program credits the moves of both sides with the winner's reward"
ONLY_HIGHEST: Final = (
    "only the highest counter is played: a move that gets ahead by luck is played again and again, and little else is "
    "tried"
)

WON: Final = (0, 3, 1, 4, 2)
LOST: Final = (0, 3, 1, 4, 8, 5)
DRAWN: Final = (0, 1, 2, 4, 3, 5, 7, 6, 8)
"""A game that X wins, one that it loses, and a draw, as squares."""


@dataclass(frozen=True)
class JavaRun:
    lost_before: Losses
    """The probabilities in per cent that it loses before it has learned: see `losses_by_opponent`."""
    lost: Losses
    """The probabilities in per cent that it loses after its training."""
    per_second: float


def play(preset: str, opponent: str, seed: int, report: ReportShare, stop: Stop) -> JavaRun:
    machine = Menace(TICTACTOE, preset, seed)
    if opponent != SELF_PLAY:
        machine.set_opponent(teacher(opponent, TICTACTOE))
    sides = BOTH if opponent == SELF_PLAY else BOTH[:1]
    lost_before = losses_by_opponent(machine.space, sides, machine.policy())
    progress = train(machine, GAMES, report, stop)
    return JavaRun(lost_before, losses_by_opponent(machine.space, sides, machine.policy()), progress.per_second)


def counter_changes(
    preset: str, moves: tuple[Move, ...], outcome: Outcome, sides: Sequence[Side], whose: Side
) -> tuple[int, ...]:
    """Return the different changes, ascending, that a game makes to counters of one side; the machine plays `sides`."""
    machine = Menace(TICTACTOE, preset, 0)
    record = Record(TICTACTOE, ("", ""), moves, outcome)
    differences = {
        change.after - change.before
        for change in machine.learn_record(record, sides)
        if side_of(machine, change.edge) is whose
    }
    return tuple(sorted(differences))


def side_of(machine: Menace, edge: int) -> Side:
    return Side(int(machine.space.side[machine.space.source[edge]]))


def least_counter(preset: str) -> int:
    """Return the lowest counter after many games lost in the same way."""
    machine = Menace(TICTACTOE, preset, 0)
    for _ in range(20):
        machine.learn_record(Record(TICTACTOE, ("", ""), LOST, Outcome.SECOND_WINS), BOTH[:1])
    return int(machine.memory[machine.boxes.cells].min())


def rules_table(preset: str) -> FindingTable:
    fresh = Menace(TICTACTOE, preset, 0)
    counters = {int(count) for count in np.unique(fresh.memory[fresh.boxes.cells])}
    first_only, both = BOTH[:1], BOTH
    return FindingTable.of(
        f"{preset}, its rules",
        "found by letting it learn from one game",
        Finding("counters at the start", UNPRINTED, tuple(sorted(counters))),
        Finding(
            "computer wins: its moves",
            number_figure("2", CODE),
            counter_changes(preset, WON, Outcome.FIRST_WINS, first_only, Side.FIRST),
        ),
        Finding(
            "a draw: its moves",
            number_figure("1", CODE),
            counter_changes(preset, DRAWN, Outcome.DRAW, first_only, Side.FIRST),
        ),
        Finding(
            "computer loses: its moves",
            number_figure("−1", CODE),
            counter_changes(preset, LOST, Outcome.SECOND_WINS, first_only, Side.FIRST),
        ),
        Finding("lowest counter", UNPRINTED, (least_counter(preset),)),
        Finding(
            "it plays itself: the loser's moves",
            Figure("a bead is removed", CLAIM, -1, -1),
            counter_changes(preset, WON, Outcome.FIRST_WINS, both, Side.SECOND),
            known=SLIP,
        ),
    )


def beginner_table() -> FindingTable:
    fresh = Menace(TICTACTOE, PRESETS[0], 0)
    lost = losses_by_opponent(fresh.space, BOTH, fresh.policy())
    return FindingTable.of("Before it has learned", "exact chances", *loss_findings([lost]))


def learned_text(count: int, seeds: int) -> str:
    """Say with how many seeds the machine learns; if with all, in the words of the post."""
    return LEARNS if count == seeds else f"in {count} of {seeds} seeds"


def opponent_table(preset: str, opponent: str, runs: Sequence[JavaRun], seed: int) -> FindingTable:
    player = "perfect" if opponent == "perfect" else "random"
    reason = SLIP if (preset, opponent) == ("blog", SELF_PLAY) else ONLY_HIGHEST
    learning = [
        Finding(
            f"it loses less than at first, {whom}",
            Figure(LEARNS, CLAIM),
            learned_text(sum(run.lost[whom] < run.lost_before[whom] for run in runs), len(runs)),
            known=reason,
        )
        for whom in runs[0].lost
        if whom.endswith(player)
    ]
    losses = loss_findings([run.lost for run in runs])
    pace = Finding(
        "games in a second", Figure("a few thousand", "last paragraph"), tuple(run.per_second for run in runs)
    )
    about = f"{GAMES:,} games; {seeds_text(seed, len(runs))}"
    return FindingTable.of(f"{preset}, against {opponent}", about, *learning, *losses, pace)


def java(count: int = SEEDS) -> Paper[JavaRun]:
    parts = [
        PaperPart(f"{preset} {opponent}", partial(play, preset, opponent), seeds=count)
        for preset in PRESETS
        for opponent in OPPONENTS
    ]
    return Paper(SOURCE, parts, tables)


def tables(results: Mapping[str, Sequence[JavaRun]], seed: int) -> PaperResult:
    finding_tables = [beginner_table()]
    for preset in PRESETS:
        finding_tables.append(rules_table(preset))
        runs = {opponent: results[f"{preset} {opponent}"] for opponent in OPPONENTS}
        finding_tables += [opponent_table(preset, opponent, each, seed) for opponent, each in runs.items()]
    return tuple(finding_tables), ()
