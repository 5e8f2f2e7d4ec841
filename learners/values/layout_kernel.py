"""Lays out the walk of a learner of values, and moves what it has learned between the memory and the tables.

The words and the tables are explained in `learners.values.kernel_tables`.
"""

import numpy as np

from engine.compiling.compiler import compiled
from learners.core.kernel_games import end_with
from learners.core.kernel_order import depth_first
from learners.core.kernel_tables import Counts, Table
from learners.values.kernel_tables import (
    KNOWN,
    OWN,
    REPLY_UNIT,
    ROWS,
    SEEN,
    SLOT,
    STATE,
    TARGET,
    THEIRS,
    WORTH,
    ValueTables,
    Walk,
    WalkPlan,
)


@compiled
def find_rows(position: int, plan: WalkPlan, buffer: Table) -> int:
    """Fill `buffer` with the edge of each row of a position, ascending; return how many.

    Of the moves that share a slot, the learner plays the first; an opponent has a row for each move.
    """
    count = 0
    first = int(plan.space.first_edge[position])
    for edge in range(first, plan.space.first_edge[position + 1]):
        shared = False
        if not plan.theirs[position]:
            for each in range(count):
                shared |= plan.slot[buffer[each]] == plan.slot[edge]
        if not shared:
            buffer[count] = edge
            count += 1
    return count


@compiled
def give_places(plan: WalkPlan, order: Table, buffer: Table, head: Table) -> int:
    """Fill in the index of each head, or how the game ends, shape (n,); return the size of the walk."""
    free = 0
    for position in range(len(head)):
        head[position] = end_with(plan.space.outcome[position])
    for position in order:
        head[position] = free
        free += 1 + find_rows(position, plan, buffer)
    return free


@compiled
def fill(plan: WalkPlan, order: Table, buffer: Table, head: Table, walk: Walk) -> None:
    for position in order:
        count, place = find_rows(position, plan, buffer), head[position]
        theirs = plan.theirs[position] != 0
        walk.walk[place, ROWS], walk.walk[place, STATE] = count, THEIRS if theirs else OWN
        for nth in range(count):
            row, edge = place + 1 + nth, buffer[nth]
            walk.walk[row, SLOT], walk.walk[row, TARGET] = plan.slot[edge], head[plan.space.target[edge]]
            walk.edge[row] = edge
            if theirs:
                walk.bound[row] = plan.bound[edge]


def lay_out(plan: WalkPlan, longest: int) -> Walk:
    head = np.arange(len(plan.theirs), dtype=np.int32)
    order = depth_first(plan.space, longest, head)
    buffer = np.empty(int(np.diff(plan.space.first_edge).max()), np.int32)
    size = give_places(plan, order, buffer, head)
    bound = np.zeros(size if len(plan.bound) else 0, np.int64)
    walk = Walk(np.empty((size, 2), np.int32), np.zeros(size, np.int32), bound)
    fill(plan, order, buffer, head, walk)
    return walk


@compiled
def add_times(walk: Walk, cell: Table, fresh: Table, times: Counts) -> None:
    """Move the counts of chosen rows from `fresh` to `times`, which has one for each cell."""
    for row in range(len(fresh)):
        if fresh[row] != 0:
            times[cell[walk.edge[row]]] += fresh[row]
            fresh[row] = 0


@compiled
def copy_values(tables: ValueTables, slot: Table, cells: Table, memory: Counts) -> None:
    """Copy to each cell of the memory the value and the reply of its slot, if anything was learned of it."""
    value, reply = tables.value, tables.reply
    for cell in cells:
        if value[slot[cell], SEEN] & KNOWN:
            memory[cell] = value[slot[cell], WORTH]
            if len(reply) > 0:
                memory[cell] += REPLY_UNIT * int(reply[slot[cell]])
