"""An order of positions in which those of one game are close together in the tables of a kernel.

Once the tables of a large game do not fit into the caches of the processor, reading from a distant address takes longer
than everything else together. In the order of a depth-first search, half the moves of a large game lead to a place
nearby, which the processor has read together with the place that the move comes from.
"""

import numpy as np

from engine.compiling.compiler import compiled
from learners.core.kernel_tables import Bytes, SpaceTables, Table


@compiled
def visit(space: SpaceTables, representative: Table, seen: Bytes, stack: Table, order: Table) -> int:
    """Fill `order` with the positions that a depth-first search visits, and return how many; see `depth_first`.

    `seen` is 1 for the positions not to visit, shape (n,); `stack` is a buffer for the moves of a whole game.
    """
    count, top = 0, 1
    stack[0] = 0
    while top > 0:
        top -= 1
        position = np.uint64(stack[top])
        if seen[position]:
            continue
        seen[position] = 1
        order[count] = position
        count += 1
        for edge in range(space.first_edge[position + np.uint64(1)] - 1, space.first_edge[position] - 1, -1):
            target = representative[space.target[edge]]
            if not seen[target]:
                stack[top] = target
                top += 1
    return count


def depth_first(space: SpaceTables, longest: int, representative: Table) -> Table:
    """Return the running representative positions, depth first.

    `longest` is the number of moves of the longest game. `representative` has the position that stands for each, shape
    (n,): a move leads to the representative of its target.
    """
    seen = (space.outcome >= 0).astype(np.int8)
    order = np.empty(len(seen) - int(seen.sum(dtype=np.int64)), np.int32)
    stack = np.empty(1 + longest * int(np.diff(space.first_edge).max()), np.int32)
    return order[: visit(space, representative, seen, stack, order)]
