"""The rules of Connect Four, and its complete search: every line of some plies, one ply at a time, without pruning.

bit     column × 7 + row, from the bottom left; the seventh row stays empty, so that no line continues in the next
        column
mask    an integer, or an array of them: functions that take `Masks` accept both
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tests.oracles.debrief import Foreseen, Oracle
from tests.oracles.rules import DRAW, other

NAMES = "abcdefg"
COLUMN = 0b111111
INSIDE = sum(COLUMN << 7 * n for n in range(7))
WAYS = (1, 6, 7, 8)
"""The step from a bit to the next in a line: up, right and down, right, right and up."""
SURE, BEYOND = 1000, 500
"""The value of a won game before its plies are subtracted, and of an unknown position that counts as won."""
Masks = Any


class Drop(NamedTuple):
    """A position: the masks of X and of O, and the mark of the side to move."""

    x: int
    o: int
    mover: str


def has_four(mask: Masks) -> Masks:
    fours = 0
    for way in WAYS:
        fours |= mask & mask >> way & mask >> 2 * way & mask >> 3 * way
    return fours != 0


def has_room(taken: Masks, column: int) -> Masks:
    return taken >> 7 * column + 5 & 1 == 0


def dropped(taken: Masks, column: Masks) -> Masks:
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


def estimate(own: Masks, enemy: Masks) -> Masks:
    """The heuristic: open lines with two own pieces count 1 and with three 4, minus those of the opponent."""
    total = 0
    for sign, mask, others in ((1, own, enemy), (-1, enemy, own)):
        for way in WAYS:
            begins = INSIDE & INSIDE >> way & INSIDE >> 2 * way & INSIDE >> 3 * way
            free = begins & ~(others | others >> way | others >> 2 * way | others >> 3 * way)
            a, b, c, d = (mask >> step * way for step in range(4))
            several, odd = a & b | c & d | (a | b) & (c | d), a ^ b ^ c ^ d
            total += sign * np.bitwise_count(free & several & ~odd).astype(int)
            total += 4 * sign * np.bitwise_count(free & several & odd).astype(int)
    return total


def looked_ahead(here: Drop, horizon: int) -> dict[str, Foreseen]:
    """The result of each move within a number of plies.

    The values of the leaves are backed up three times: with unknown positions as losses, as wins, and as estimated. A
    move wins if it wins in the first case, and loses if it loses in the second.
    """
    sides = (here.x, here.o) if here.mover == "X" else (here.o, here.x)
    own, enemy = np.array([sides[0]]), np.array([sides[1]])
    plies, tree = 0, []
    while True:
        taken, turn = own | enemy, 1 if plies % 2 == 0 else -1
        last = enemy if turn == 1 else own  # the side that has moved last
        lost, full = has_four(last), taken == INSIDE
        ends = np.where(lost, -turn * (SURE - plies), 0)
        if plies == horizon:
            break
        rooms = np.stack([has_room(taken, n) & ~lost for n in range(7)], axis=1)
        tree.append((rooms, ends, turn))
        parent, column = np.nonzero(rooms)
        piece = dropped(taken[parent], column)
        own, enemy = own[parent] | piece * (turn == 1), enemy[parent] | piece * (turn == -1)
        plies += 1
    beyond = ~(lost | full)
    low, high, looks = (
        carried_back(tree, np.where(beyond, leaf, ends)) for leaf in (-BEYOND, BEYOND, estimate(own, enemy))
    )
    return {move: foreseen(*each) for move, *each in zip(moves(here), low, high, looks, strict=True)}


def carried_back(tree: list[Any], values: Masks) -> list[int]:
    """The values of the moves of the root for its side, by minimax."""
    for rooms, ends, turn in reversed(tree[1:]):
        after = np.full(rooms.shape, -turn * 2 * SURE)
        after[rooms] = values
        best = after.max(axis=1) if turn == 1 else after.min(axis=1)
        values = np.where(rooms.any(axis=1), best, ends)
    found: list[int] = values.tolist()
    return found


def foreseen(low: int, high: int, looks: int) -> Foreseen:
    if low > BEYOND:
        return Foreseen(1, SURE - low, 0)
    if high < -BEYOND:
        return Foreseen(-1, SURE + high, 0)
    return Foreseen(0, 0, 0) if low == high == 0 else Foreseen(None, 0, looks)


def lines(horizon: int) -> Oracle:
    @lru_cache(1000)
    def seen(here: Drop) -> dict[str, Foreseen]:
        return looked_ahead(here, horizon)

    return Oracle(
        start=Drop(0, 0, "X"),
        text=text,
        outcome=outcome,
        moves=moves,
        play=play,
        mover=lambda here: here.mover,
        passed=passed,
        goal=goal,
        foreseen=seen,
    )
