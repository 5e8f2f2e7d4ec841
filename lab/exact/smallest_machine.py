"""The smallest machine: the fewest answers to remember, found now or shipped with the program, and in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.game import BadText, Game, Side
from engine.smallest.answers import Counting, FewestAnswers, fewest_answers
from engine.smallest.integer_program import INSTALL, NoSolver
from engine.smallest.shipped import positions_document, shipped_answers
from engine.spaces import space_of
from engine.stop import Stop, never
from lab.text.columns import columns
from lab.text.numbers import duration_text
from learners.core.boxes import Boxes, boxes_of

ENTRY_MEANINGS: Final = {
    Counting.DECISIONS: "positions with an answer; elsewhere it plays any legal move",
    Counting.BOARDS: "positions that it can meet, each with an answer",
    Counting.PUBLISHED: "boards that it can meet, finished ones included, each with an answer",
}


@dataclass(frozen=True)
class SmallestMachine:
    """The smallest machine of one or both sides of a game. The sides share no position, so their entries add up."""

    game: Game
    counting: Counting
    symmetric: bool
    answers: dict[Side, FewestAnswers]
    shipped: bool
    """Whether the answers came with the program, because the solver is not installed."""
    boxes: Boxes | None = None
    """MENACE's boxes, if the answers are written with the numbers of boxes."""

    @property
    def entries(self) -> int:
        return sum(each.entries for each in self.answers.values())

    @property
    def bound(self) -> int:
        """The proved lower bound for the number of entries."""
        return sum(each.bound for each in self.answers.values())


def smallest_machine(  # noqa: PLR0913  each says what is asked for
    game: Game,
    sides: Sequence[Side],
    counting: Counting,
    *,
    symmetric: bool,
    boxes: bool,
    seconds: float,
    stop: Stop = never,
) -> SmallestMachine:
    """Find the smallest machine, within `seconds` for each side.

    Raises `BadText` if a side loses against best play, if nothing is found in time, or without the solver for a case
    that does not come with the program; and `Stopped`.
    """
    space, answers, shipped = space_of(game), dict[Side, FewestAnswers](), False
    for side in sides:
        try:
            fewest = fewest_answers(space, side, symmetric=symmetric, counting=counting, seconds=seconds, stop=stop)
        except NoSolver:
            shipped, fewest = True, shipped_answers(game, side, counting, symmetric=symmetric)
            if fewest is None:
                raise
        if fewest is None:
            raise BadText(f"no answers were found within {duration_text(seconds)}: give it more with --seconds")
        answers[side] = fewest
    menace = boxes_of(game, tuple(sides), merge=True, singles=False) if boxes else None
    return SmallestMachine(game, counting, symmetric, answers, shipped, menace)


def machine_document(machine: SmallestMachine) -> dict[str, object]:
    sides = {
        side.name.lower(): {
            "entries": each.entries,
            "bound": each.bound,
            "proved": each.proved,
            "seconds": round(each.seconds, 3),
        }
        for side, each in machine.answers.items()
    }
    return {
        "game": machine.game.name,
        "counting": machine.counting.value,
        "symmetric": machine.symmetric,
        "entries": machine.entries,
        "bound": machine.bound,
        "proved": machine.entries == machine.bound,
        "sides": sides,
        "source": "shipped" if machine.shipped else "solver",
        **({} if machine.boxes is None else {"of": len(machine.boxes.position)}),
        "positions": [row for side in machine.answers for row in _rows(machine, side)],
    }


def _rows(machine: SmallestMachine, side: Side) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = [dict(row) for row in positions_document(machine.game, machine.answers[side])]
    boxes = machine.boxes
    if boxes is not None:
        for row, position in zip(rows, machine.answers[side].moves, strict=True):
            row["box"] = int(boxes.own_number[boxes.box[boxes.space.row(position)]])
    return rows


def machine_lines(machine: SmallestMachine) -> list[str]:
    game, lines = machine.game, list[str]()
    alike = "symmetric positions count as one" if machine.symmetric else "every position counts by itself"
    for side, fewest in machine.answers.items():
        entries = "1 entry" if fewest.entries == 1 else f"{fewest.entries} entries"
        bound = "the fewest there can be" if fewest.proved else f"at least {fewest.bound} are needed"
        lines.append(f"As {game.mark(side)} never to lose: {entries}, {bound}")
        table = [[str(row.get("box", "")), str(row["position"]), str(row["move"])] for row in _rows(machine, side)]
        if table:
            lines += [f"  {line}" for line in columns(table, "><<")]
    lines += ["", f"Entries are {ENTRY_MEANINGS[machine.counting]}; {alike}."]
    if machine.boxes is not None:
        lines.append(f"The first column is the number of MENACE's box; it has {len(machine.boxes.position)}.")
    if machine.shipped:
        lines.append(f"These came with the program. To find and prove them anew: {INSTALL}")
    return lines
