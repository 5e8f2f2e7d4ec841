"""How a person makes a move by pointing at squares, one after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.game import Move

MovesBySquares = Mapping[tuple[int, ...], Sequence[Move]]
"""The legal moves by the squares to point at."""


@dataclass(frozen=True)
class Picking:
    """What follows from a pick."""

    chosen: tuple[int, ...] = ()
    """The squares of a move that has begun; none if it is complete, or nothing can be played on the square."""
    moves: Sequence[Move] = ()
    """The moves to the squares that were picked, if they are complete; several differ in their option."""


def pick(moves: MovesBySquares, chosen: tuple[int, ...], square: int) -> Picking:
    """What follows if `square` is picked after `chosen`: it continues the move begun, or begins another one."""
    for squares in ((*chosen, square), (square,)):
        if squares in moves:
            return Picking(moves=moves[squares])
        if squares != chosen and any(each[: len(squares)] == squares for each in moves):
            return Picking(squares)
    return Picking()
