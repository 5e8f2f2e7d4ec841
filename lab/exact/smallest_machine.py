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

COUNTED: Final = {
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
    found: dict[Side, FewestAnswers]
    shipped: bool
    """Whether the answers came with the program, because the solver is not installed."""
    boxes: Boxes | None = None
    """MENACE's boxes, if the answers are written with the numbers of boxes."""

    @property
    def entries(self) -> int:
        return sum(each.entries for each in self.found.values())

    @property
    def bound(self) -> int:
        """The proved lower bound for the number of entries."""
        return sum(each.bound for each in self.found.values())


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
    space, found, from_solver = space_of(game), dict[Side, FewestAnswers](), True
    for side in sides:
        try:
            answers = fewest_answers(space, side, symmetric=symmetric, counting=counting, seconds=seconds, stop=stop)
        except NoSolver:
            from_solver, answers = False, shipped_answers(game, side, counting, symmetric=symmetric)
            if answers is None:
                raise
        if answers is None:
            raise BadText(f"no answers were found within {duration_text(seconds)}: give it more with --seconds")
        found[side] = answers
    menace = boxes_of(game, tuple(sides), merge=True, singles=False) if boxes else None
    return SmallestMachine(game, counting, symmetric, found, not from_solver, menace)


def machine_document(machine: SmallestMachine) -> dict[str, object]:
    sides = {
        side.name.lower(): {
            "entries": each.entries,
            "bound": each.bound,
            "proved": each.proved,
            "seconds": round(each.seconds, 3),
        }
        for side, each in machine.found.items()
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
        "positions": [row for side in machine.found for row in _rows(machine, side)],
    }


def _rows(machine: SmallestMachine, side: Side) -> list[dict[str, object]]:
    written = positions_document(machine.game, machine.found[side])
    if machine.boxes is None:
        return [dict(each) for each in written]
    boxes = machine.boxes
    numbers = [int(boxes.own_number[boxes.box[boxes.space.row(position)]]) for position in machine.found[side].moves]
    return [{**each, "box": number} for each, number in zip(written, numbers, strict=True)]


def machine_lines(machine: SmallestMachine) -> list[str]:
    game, lines = machine.game, list[str]()
    alike = "symmetric positions count as one" if machine.symmetric else "every position counts by itself"
    for side, each in machine.found.items():
        rows = _rows(machine, side)
        entries = "1 entry" if each.entries == 1 else f"{each.entries} entries"
        fewest = "the fewest there can be" if each.proved else f"at least {each.bound} are needed"
        lines += [f"As {game.mark(side)} never to lose: {entries}, {fewest}"]
        table = [[str(row.get("box", "")), str(row["position"]), str(row["move"])] for row in rows]
        lines += [f"  {line}" for line in columns(table, "><<")] if table else []
    lines += ["", f"Entries are {COUNTED[machine.counting]}; {alike}."]
    if machine.boxes is not None:
        lines.append(f"The first column is the number of MENACE's box; it has {len(machine.boxes.position)}.")
    if machine.shipped:
        lines.append(f"These came with the program. To find and prove them anew: {INSTALL}")
    return lines
