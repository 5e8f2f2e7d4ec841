"""Where the parts of bowls and nodes are in the arena. The words are explained in `learners.menace.kernel_tables`."""

import numpy as np

from engine.compiling.compiler import compiled
from learners.core.kernel_tables import Table
from learners.menace.kernel_tables import HEADER, PAIR


@compiled
def beads_place(bowl: int, nth: int) -> int:
    """Return the place of the number of a move of a bowl: its beads, or its weight."""
    return bowl + HEADER + PAIR * nth


@compiled
def drawn_place(bowl: int, nth: int) -> int:
    """Return the place of the count of how often a move of a bowl was drawn."""
    return bowl + HEADER + PAIR * nth + 1


@compiled
def target_place(node: int, nth: int) -> int:
    """Return the place of the target of a move of a node."""
    return node + 1 + nth


@compiled
def number_at(arena: Table, place: int) -> int:
    """Return what is at a place. An unsigned index, which cannot be negative, is read faster."""
    return int(arena[np.uint64(place)])
