"""The tables of the matchbox kernel.

bowl   what a move is drawn from in a position: a box, or the fixed weights of an opponent's policy
node   the entry of a position: the place of its bowl, and then the target of each move of the bowl
arena  one array with all nodes and bowls, so that a ply reads from as few places as possible: a bowl follows the first
       node that it belongs to, and the order of nodes keeps those of a game close together: see `kernel_order`
place  the index of something in the arena. At the place of a bowl are `HEADER` numbers, `SUM`, `MOVE_COUNT` and
       `FIRST_BEADS`, and then a pair for each move: its number, such as its beads, and how often it was drawn
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learners.core.kernel_tables import Counts, SpaceTables, Table

SUM: Final = 0
"""The sum of the numbers of a bowl."""
MOVE_COUNT: Final = 1
"""How many moves a bowl has."""
FIRST_BEADS: Final = 2
"""The number of each move before anything was learned; `FIXED` for fixed weights."""
HEADER: Final = 3
PAIR: Final = 2
FIXED: Final = -1
RESIGN: Final = -4
"""The target of a resignation. The target of a move that ends the game says how it ends: see `kernel_games`."""
OPENED, DRAWN, CHANGE = 0, 1, 2
"""The rows of a path. For each move of a game: the place of its box, −1 if no box decided it; which move of the box was
drawn, from 0; and, of the last game, the beads that the move gained, below 0 if it lost some."""
WEIGHT: Final = 2**30
"""The weight of probability 1 in a bowl with fixed weights."""


class ArenaPlan(NamedTuple):
    """What nodes and bowls are made from: n positions, m edges."""

    space: SpaceTables
    box: Table
    """The box that decides in each position, −1 for fixed weights, shape (n,)."""
    cell: Table
    """The cell of each edge, shape (m,). A box has a move for each of its cells, ascending."""
    representative: Table
    """The position that stands for each position in the arena, shape (n,)."""
    policy: NDArray[np.float64]
    """The probability of each edge where weights are fixed, shape (m,); empty if all moves are equally likely."""
    resigning: NDArray[np.float64]
    """The probability of a resignation in each position, shape (n,); empty if there are none."""


class Places(NamedTuple):
    """Where nodes and boxes are in the arena."""

    order: Table
    """The positions that have a node, in the order of the nodes, shape (nodes,)."""
    node: Table
    """The place of the node of each position, or how the game ends there, shape (n,)."""
    bowl: Table
    """The place of each box, −1 for one that no game reaches, shape (boxes,)."""


class Cells(NamedTuple):
    """The c cells of the memory, box after box, and where the boxes are in the arena."""

    edge: Table
    """The edge of each cell, shape (c,)."""
    box: Table
    """The box of each cell, shape (c,)."""
    number: Table
    """Which move of its box each cell is, from 0, shape (c,)."""
    bowl: Table
    """The place of each box, −1 for one that no game reaches, shape (boxes,)."""


class MenaceRules(NamedTuple):
    """The settings as integers, 1 for true, and the rewards."""

    reward: Counts
    """The beads to add to each move of a side, by side and `Outcome`, shape (2, 3)."""
    fullest: int
    """Play the move with the most beads, instead of drawing a bead."""
    refill: int
    """Refill an empty box."""
    keep: int
    """Take no beads that would leave a box empty."""
    last_only: int
    """Change only the last box that each side opened."""
    least: int
    """The minimum number of beads of one move."""
    most: int
    """The maximum number of beads of one move."""


class MenaceTables(NamedTuple):
    """What the kernel changes while it learns."""

    arena: Table
    """Nodes and bowls; the first node is that of the start."""
    tally: Counts
    """Counts of all games: those that ended by each `Outcome`, then `PLIES`, `RESIGNED`, `REFILLED`; from `GAINED` on
    the sum of the rewards of each side; then `BEADS`, the beads in all boxes; and the number of boxes; shape (10,)."""
    path: Table
    """The moves of one game, shape (3, longest game): the rows `OPENED`, `DRAWN` and `CHANGE`.

    One array instead of three, since each array that a kernel passes on slows it down.
    """
