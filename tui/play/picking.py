"""How a person makes a move by pointing at squares, one after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.game import Move

MovesBySquares = Mapping[tuple[int, ...], Sequence[Move]]
"""The legal moves by the squares to point at."""


@dataclass(frozen=True)
class Picking:
    """The result of picking a square."""

    chosen: tuple[int, ...] = ()
    """The squares picked so far of an incomplete move; none if the move is complete, or no move uses the square."""
    moves: Sequence[Move] = ()
    """The moves that the picked squares complete. If there are several, they differ in their option."""


def pick(moves: MovesBySquares, chosen: tuple[int, ...], square: int) -> Picking:
    """Pick `square` after the squares `chosen`: it continues the move that they began, or begins another one."""
    for squares in ((*chosen, square), (square,)):
        if squares in moves:
            return Picking(moves=moves[squares])
        if squares != chosen and any(each[: len(squares)] == squares for each in moves):
            return Picking(squares)
    return Picking()
