"""The rules of Connect Four on masks, and its heuristic.

bit     column × 7 + row, from the bottom left; the seventh row stays empty, so that no line continues in the next
        column
"""

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

from tests.oracles.debrief import Foreseen, Oracle
from tests.oracles.rules import DRAW, other

NAMES = "abcdefg"
COLUMN = 0b111111
INSIDE = sum(COLUMN << 7 * n for n in range(7))
WAYS = (1, 6, 7, 8)
"""The step from a bit to the next in a line: up; down to the right; right; up to the right."""


class Drop(NamedTuple):
    """A position: the masks of X and of O, and the mark of the side to move."""

    x: int
    o: int
    mover: str


def has_four(mask: int) -> bool:
    return any(mask & mask >> way & mask >> 2 * way & mask >> 3 * way for way in WAYS)


def has_room(taken: int, column: int) -> bool:
    return taken >> 7 * column + 5 & 1 == 0


def dropped(taken: int, column: int) -> int:
    """The bit where a dropped piece lands."""
    return taken + (1 << 7 * column) & COLUMN << 7 * column


def outcome(here: Drop) -> str | None:
    for mark, mask in (("X", here.x), ("O", here.o)):
        if has_four(mask):
            return mark
    return DRAW if here.x | here.o == INSIDE else None


def moves(here: Drop) -> list[str]:
    return [] if outcome(here) else [NAMES[n] for n in range(7) if has_room(here.x | here.o, n)]


def goal(here: Drop, move: str) -> int:
    return dropped(here.x | here.o, NAMES.index(move))


def play(here: Drop, move: str) -> Drop:
    piece = goal(here, move)
    return Drop(here.x | piece, here.o, "O") if here.mover == "X" else Drop(here.x, here.o | piece, "X")


def passed(here: Drop) -> Drop:
    return here._replace(mover=other(here.mover))


def text(here: Drop) -> str:
    squares = [[7 * column + row for column in range(7)] for row in reversed(range(6))]
    rows = ["".join("X" if here.x >> at & 1 else "O" if here.o >> at & 1 else "." for at in row) for row in squares]
    return f"{'/'.join(rows)} {here.mover}"


def estimate(own: int, enemy: int) -> int:
    """The heuristic: open lines with two own pieces count 1 and with three 4, minus those of the opponent."""
    total = 0
    for place, way in product(range(49), WAYS):
        line = sum(1 << place + step * way for step in range(4))
        if line & INSIDE == line and not (line & own and line & enemy):
            total += {2: 1, 3: 4}.get((line & own).bit_count(), 0) - {2: 1, 3: 4}.get((line & enemy).bit_count(), 0)
    return total


def oracle(foreseen: Callable[[Drop], dict[str, Foreseen]]) -> Oracle:
    """An oracle that tells the result of each move by this function."""
    return Oracle(
        start=Drop(0, 0, "X"),
        text=text,
        outcome=outcome,
        moves=moves,
        play=play,
        mover=lambda here: here.mover,
        passed=passed,
        goal=goal,
        foreseen=foreseen,
    )
