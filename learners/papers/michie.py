"""Michie's matchbox machine and its tournament, 1961 and 1963."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from engine.game import Side
from engine.games.tictactoe import FULL, TICTACTOE
from engine.grid import squares_of
from engine.stop import Stop
from learners.core.boxes import Boxes, boxes_of
from learners.menace.learner import Menace
from learners.papers.report import UNPRINTED, Figure, Finding, FindingTable, PaperResult, Source, number_figure
from learners.papers.running import Paper, PaperPart, ReportShare
from learners.papers.trainings import Losses, loss_findings, losses_by_opponent, seeds_text, teacher, train_singly

SOURCE: Final = Source(
    "michie",
    "Experiments on the mechanization of game-learning",
    "Donald Michie, 1963",
    "MENACE: matchboxes full of beads that learn to play as X; here against players that stand in for Michie, and "
    "compared with what is often quoted.",
    topic="MENACE, Michie 1963",
)
SEEDS: Final = 1_000
"""With 300, the verdict on "about 20" games would depend on the seeds: 3 machines in 1,000 draw that soon."""
TOURNAMENT: Final = 220
STAND_INS: Final = ("perfect", "random")
CONSISTENT: Final = 10
"""This many draws in a row count as drawing consistently."""
QUOTED: Final = "often quoted"
"""The place of figures that are often quoted: Michie's own papers were not available."""
REBUILT: Final = "Scroggs, 2022"
"""M. Scroggs, "Build your own MENACE"."""


@dataclass(frozen=True)
class MichieRun:
    outcomes: str
    """One character a game: `X` won, `O` won, `-` drawn."""
    resigned: int
    lost: Losses
    """The probabilities in per cent that the machine loses at the end: see `losses_by_opponent`."""

    @property
    def settled(self) -> int | None:
        """The number of games before the machine drew consistently; `None` if it never did."""
        first_consistent = self.outcomes.find("-" * CONSISTENT)
        return None if first_consistent < 0 else first_consistent


def play(opponent: str, seed: int, report: ReportShare, stop: Stop) -> MichieRun:
    machine = Menace(TICTACTOE, "michie", seed)
    machine.set_opponent(teacher(opponent, TICTACTOE))
    outcomes, before = list[str](), machine.stats()
    for after in train_singly(machine, TOURNAMENT, report, stop):
        for letter, key in (("X", "first_wins"), ("O", "second_wins"), ("-", "draws")):
            if after[key] > before[key]:
                outcomes.append(letter)
        before = after
    lost = losses_by_opponent(machine.space, (Side.FIRST,), machine.policy())
    return MichieRun("".join(outcomes), before["resigned"], lost)


def wins_at_once(own: int, other: int) -> int:
    """Return on how many empty squares a side would complete a line; each side is a set of squares as bits."""
    return sum(own | 1 << square in TICTACTOE.complete for square in squares_of(FULL & ~(own | other)))


def hopeless_boxes(boxes: Boxes) -> int:
    """Return the number of boxes where O threatens to win on two squares, and X on none."""
    masks = [TICTACTOE.masks(position) for position in boxes.space.position[boxes.position].tolist()]
    return sum(wins_at_once(second, first) >= 2 and not wins_at_once(first, second) for first, second in masks)


def machine_table() -> FindingTable:
    fresh = Menace(TICTACTOE, "michie", 0)
    boxes, second = fresh.boxes, boxes_of(TICTACTOE, (Side.SECOND,), merge=True, singles=False)
    moves = [boxes.move_number(box) for box in range(len(boxes.position))]
    beads = {moves[box]: str(fresh.memory[cell]) for box, cell in zip(boxes.cell_box, boxes.cells, strict=True)}
    return FindingTable.of(
        "The machine",
        "counted, not sampled",
        Finding("boxes", number_figure("304", REBUILT), (len(moves),)),
        Finding(
            "boxes that are not hopeless for X", number_figure("287", QUOTED), (len(moves) - hopeless_boxes(boxes),)
        ),
        Finding("boxes for X's moves 1, 2, 3, 4", UNPRINTED, ", ".join(str(moves.count(move)) for move in beads)),
        Finding("boxes that a machine for O needs", UNPRINTED, (len(second.position),)),
        Finding("beads for each move, at moves 1, 2, 3, 4", Figure("4, 3, 2, 1", QUOTED), ", ".join(beads.values())),
    )


def tournament_table(opponent: str, runs: Sequence[MichieRun], about: str) -> FindingTable:
    letters = {"won": "X", "drawn": "-", "lost": "O"}
    return FindingTable.of(
        f"{TOURNAMENT} games against {opponent}",
        about,
        Finding(
            "games before it draws consistently, if ever",
            Figure("about 20", QUOTED, 20, 20),
            tuple(run.settled for run in runs if run.settled is not None),
            known="Michie chose his openings to beat it, which no fixed player does; "
            f"here, drawing consistently means {CONSISTENT} draws in a row",
            never=sum(run.settled is None for run in runs),
        ),
        Finding(
            "seeds in 100 that draw consistently",
            UNPRINTED,
            (100 * sum(run.settled is not None for run in runs) / len(runs),),
        ),
        *(
            Finding(f"games {how}", UNPRINTED, tuple(run.outcomes.count(letter) for run in runs))
            for how, letter in letters.items()
        ),
        Finding("of these resigned with an empty box", UNPRINTED, tuple(run.resigned for run in runs)),
        *loss_findings([run.lost for run in runs], "then "),
    )


def michie(count: int = SEEDS) -> Paper[MichieRun]:
    return Paper(SOURCE, [PaperPart(each, partial(play, each), seeds=count) for each in STAND_INS], tables)


def tables(results: Mapping[str, Sequence[MichieRun]], seed: int) -> PaperResult:
    tournaments = [tournament_table(each, runs, seeds_text(seed, len(runs))) for each, runs in results.items()]
    return (machine_table(), *tournaments), ()
