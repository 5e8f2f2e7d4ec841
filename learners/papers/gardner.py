"""Gardner's hexapawn robot HER, 1962.

His column was not available. Figures are cited from later accounts of it; what could not be found in any of them, such
as the games that his own robot lost, is measured, with no figure beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from engine.game import Side
from engine.games.hexapawn import THREE_BY_THREE
from engine.solve import values
from engine.spaces import space_of
from engine.stop import Stop
from learners.menace.learner import Menace
from learners.menace.rules import PRESET_ROUNDS
from learners.papers.report import UNPRINTED, Curves, Figure, Finding, FindingTable, PaperResult, Source, number_figure
from learners.papers.running import Paper, PaperPart, ReportShare
from learners.papers.trainings import (
    TEACHERS,
    Losses,
    loss_findings,
    losses_by_opponent,
    seeds_text,
    teacher,
    train_singly,
    unbeaten_finding,
)

SOURCE: Final = Source(
    "gardner",
    "How to build a game-learning machine and then teach it to play and to win",
    "Martin Gardner, Scientific American, March 1962",
    "HER, the Hexapawn Educable Robot, gives up the bead of its last move when it loses. The figures are cited "
    "from later accounts; random and perfect players stand in for Gardner.",
    topic="hexapawn and HER, Gardner 1962",
)
GAME: Final = THREE_BY_THREE
SEEDS: Final = 100
PRESET: Final = "her"
GAMES: Final = PRESET_ROUNDS[PRESET]
STAND_INS: Final = ("perfect", "random")
ANY: Final = "perfect plays any move that keeps the value"
"""How `perfect` teaches: see `TEACHERS`."""
REBUILT: Final = "its rebuilding, pavelanni.dev, 2024"
"""The page "Machine learning with matchboxes" of a reader who built the machine from Gardner's book."""
ENCYCLOPAEDIA: Final = "Wikipedia, Hexapawn"


@dataclass(frozen=True)
class GardnerRun:
    lost_after: tuple[int, ...]
    """The number of games lost so far, after each game."""
    lost: Losses
    """The probabilities in per cent that the machine loses at the end: see `losses_by_opponent`."""

    @property
    def last_lost(self) -> int:
        """The number of the last game that the machine lost, from 1; 0 if it lost none."""
        if not self.lost_after[-1]:
            return 0
        return self.lost_after.index(self.lost_after[-1]) + 1


def play(opponent: str, seed: int, report: ReportShare, stop: Stop) -> GardnerRun:
    machine = Menace(GAME, PRESET, seed)
    machine.set_opponent(teacher(opponent, GAME))
    lost_after = tuple(stats["first_wins"] for stats in train_singly(machine, GAMES, report, stop))
    return GardnerRun(lost_after, losses_by_opponent(machine.space, (Side.SECOND,), machine.policy()))


def machine_table() -> FindingTable:
    boxes = Menace(GAME, PRESET, 0).boxes
    moves = [boxes.move_number(box) for box in range(len(boxes.position))]
    reason = "ours counts mirror images once, and only positions that can be reached; the drawings were not available"
    winners = {1: "the first player", 0: "nobody", -1: "the second player"}
    return FindingTable.of(
        "The machine",
        "counted, not sampled",
        Finding("boxes", number_figure("24", REBUILT), (len(moves),), known=reason),
        Finding(
            "boxes for its moves 1, 2 and 3",
            Figure("2, 11, 11", REBUILT),
            ", ".join(str(moves.count(move)) for move in sorted(set(moves))),
            known=reason,
        ),
        Finding("beads", UNPRINTED, (len(boxes.cells),)),
        Finding(
            "who wins with perfect play", Figure(winners[-1], ENCYCLOPAEDIA), winners[int(values(space_of(GAME))[0])]
        ),
    )


def teaching_table(opponent: str, runs: Sequence[GardnerRun], about: str) -> FindingTable:
    lost = [run.lost for run in runs]
    return FindingTable.of(
        f"{GAMES} games against {opponent}",
        f"{about}; {ANY}" if opponent in TEACHERS else about,
        Finding("games lost", UNPRINTED, tuple(run.lost_after[-1] for run in runs)),
        Finding("last game lost", UNPRINTED, tuple(run.last_lost for run in runs)),
        *loss_findings(lost, "then "),
        unbeaten_finding(lost, GAME, (Side.SECOND,), f"seeds in {len(runs)} that then lose to nobody"),
    )


def gardner(count: int = SEEDS) -> Paper[GardnerRun]:
    return Paper(SOURCE, [PaperPart(each, partial(play, each), seeds=count) for each in STAND_INS], tables)


def tables(results: Mapping[str, Sequence[GardnerRun]], seed: int) -> PaperResult:
    lost = zip(*(runs[0].lost_after for runs in results.values()), strict=True)
    names = tuple(f"lost to {opponent}" for opponent in results)
    curves = Curves("Games lost by HER", f"seed {seed}", names, tuple(enumerate(lost, 1)), log=False, log_rounds=False)
    teaching = (teaching_table(opponent, runs, seeds_text(seed, len(runs))) for opponent, runs in results.items())
    return (machine_table(), *teaching), (curves,)
