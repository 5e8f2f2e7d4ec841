"""An order of positions that keeps those of a game close together in the tables of a kernel."""

import numpy as np

from learners.core.compiling import compiled
from learners.core.kernel_tables import SpaceTables, Table

NOWHERE = np.iinfo(np.int32).min
"""Stands for a place that is not yet given."""


@compiled
def give_places(space: SpaceTables, reached: Table, stack: Table) -> None:
    """Fill in where each position that is not over has its place in a table, or −1 − outcome; `reached`, shape (n,).

    A place has room for a number for the position and one for each of its moves. The order is that of a depth-first
    search, so half the moves of a large game lead to a place nearby: the processor has read it together with the place
    that the move comes from. `stack` is room for the moves of all positions of a game, and 1.
    """
    first_edge, target, outcome = space.first_edge, space.target, space.outcome
    for row in range(len(outcome)):
        reached[row] = -1 - outcome[row] if outcome[row] >= 0 else NOWHERE
    free, top = 0, 1
    stack[0] = 0
    while top > 0:
        top -= 1
        position = np.uint64(stack[top])
        if reached[position] != NOWHERE:
            continue
        first, end = int(first_edge[position]), int(first_edge[position + np.uint64(1)])
        reached[position] = free
        free += 1 + end - first
        for edge in range(end - 1, first - 1, -1):
            if reached[target[edge]] == NOWHERE:
                stack[top] = target[edge]
                top += 1


def places(space: SpaceTables, longest: int) -> Table:
    """Return where each position that is not over has its place, or −1 − outcome, shape (n,): see `give_places`.

    `longest` is the number of moves of the longest game.
    """
    reached = np.empty(len(space.outcome), np.int32)
    give_places(space, reached, np.empty(longest * int(np.diff(space.first_edge).max()) + 1, np.int32))
    return reached
