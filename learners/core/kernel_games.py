"""What the kernels share: random draws, how games end, and which games changed a number.

A table has the index of the position that a move leads to; for a move that ends the game, −1 − the `Outcome`. An index
is never negative, so a game goes on as long as what it has reached is at least 0.
"""

from engine.compiling.compiler import compiled
from learners.core.kernel_step import next_state
from learners.core.kernel_tables import Table, Watched

step = compiled(next_state)


@compiled
def pick(draw: int, count: int) -> int:
    """Return floor(u × `count`), for the draw u × 2^32: one of `count` numbers from 0, each equally likely."""
    return draw * count >> 32


@compiled
def mover(ply: int) -> int:
    """Return the side that makes the move after this many plies."""
    return ply & 1


@compiled
def end_with(outcome: int) -> int:
    return -1 - outcome


@compiled
def outcome_of(reached: int) -> int:
    return -1 - reached


@compiled
def resigned_after(plies: int) -> int:
    """Return the end that is reached if the side to move after this many plies resigns: the other side wins."""
    return end_with(1 - mover(plies))


@compiled
def note(game: int, after: int, plies: int, path: Table, noted: int, watched: Watched) -> int:  # noqa: PLR0913, PLR0917
    """Note a game that changed a number; return how many are noted then, `noted` being the number before."""
    watched.game[noted], watched.after[noted], watched.plies[noted] = game, after, plies
    for ply in range(plies):
        watched.path[noted, ply] = path[ply]
    return noted + 1
