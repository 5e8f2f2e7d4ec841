"""How a table says that a move ends the game: with −1 − its `Outcome`, where else the index of a position stands.

An index is never negative, so a game goes on as long as what it has reached is at least 0.
"""

from engine.compiling.compiler import compiled


@compiled
def mover(ply: int) -> int:
    """Return the side that makes the move after this many plies."""
    return ply & 1


@compiled
def end_with(outcome: int) -> int:
    """Return what stands for the end with this `Outcome`."""
    return -1 - outcome


@compiled
def outcome_of(reached: int) -> int:
    """Return the `Outcome` of the end that a game has reached."""
    return -1 - reached


@compiled
def resigned_after(plies: int) -> int:
    """Return the end that is reached if the side to move after this many plies resigns: the other side wins."""
    return end_with(1 - mover(plies))
