"""The tables of a space as kernels take them.

A kernel takes its tables as named tuples, which numba compiles as well as single arrays. The named tuples, and the
constants that a kernel reads, are in files named like kernels, so that a change of them recompiles the kernels.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.space import Space

Bytes = NDArray[np.int8]
Table = NDArray[np.int32]
Counts = NDArray[np.int64]

DRAWS: Final = 2**32
"""The number of different draws of the generator."""
NOT_OVER: Final = -1
DRAWN: Final = 2
"""Outcomes in a table: the game is not over, or it is drawn. Any other outcome is the side that won."""
PLIES: Final = 3
"""The index of the plies in every tally, after those of the games by `Outcome`."""


class SpaceTables(NamedTuple):
    """The edges of a space with n positions and m edges: see `engine.space.Space`."""

    first_edge: Table
    """Where the edges of each position begin, shape (n + 1,)."""
    source: Table
    """The position that each edge leaves, shape (m,)."""
    target: Table
    """The position that each edge leads to, shape (m,)."""
    side: Bytes
    """The side to move, shape (n,)."""
    outcome: Bytes
    """The `Outcome`, below 0 for a position that is not over, shape (n,)."""


class Watched(NamedTuple):
    """The games that changed a number, room for c of them."""

    game: Counts
    """The number of each game, from 1 since the watch began, shape (c,)."""
    after: Counts
    """The watched number after each game, shape (c,)."""
    plies: Counts
    """The number of moves of each game, shape (c,)."""
    path: Table
    """The moves of each game, as the kernel of the learner notes them, shape (c, longest game)."""


def space_tables(space: Space) -> SpaceTables:
    """Return the tables of a space. The arrays are shared, not copied."""
    return SpaceTables(space.first_edge, space.source, space.target, space.side, space.outcome)
