"""Lays out the arena of the matchbox kernel, and moves the numbers of the memory into its boxes and back.

The words and the tables are explained in `learners.menace.kernel_tables`.
"""

import numpy as np

from engine.compiling.compiler import compiled
from learners.core.kernel_games import end_with
from learners.core.kernel_order import depth_first
from learners.core.kernel_tables import Counts, Table
from learners.menace.kernel_tables import (
    FIRST_BEADS,
    FIXED,
    HEADER,
    MOVE_COUNT,
    PAIR,
    RESIGN,
    SUM,
    WEIGHT,
    ArenaPlan,
    Cells,
    Places,
)


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
    return node + 1 + nth


@compiled
def number_at(arena: Table, place: int) -> int:
    """Return the number at a place. An unsigned index, which cannot be negative, is read faster."""
    return int(arena[np.uint64(place)])


@compiled
def find_moves(position: int, plan: ArenaPlan, buffer: Table) -> int:
    """Fill `buffer` with the edge of each move of the bowl of a position, −1 for a resignation; return how many.

    For a box, these are the first edges of its cells, by ascending cell.
    """
    cell = plan.cell
    count = 0
    for edge in range(plan.space.first_edge[position], plan.space.first_edge[position + 1]):
        each = count
        if plan.box[position] >= 0:
            while each > 0 and cell[buffer[each - 1]] > cell[edge]:
                each -= 1
            if each > 0 and cell[buffer[each - 1]] == cell[edge]:
                continue
        for later in range(count, each, -1):
            buffer[later] = buffer[later - 1]
        buffer[each] = edge
        count += 1
    if plan.box[position] < 0 and len(plan.resigning) > 0 and plan.resigning[position] > 0:
        buffer[count] = -1
        count += 1
    return count


@compiled
def give_places(plan: ArenaPlan, buffer: Table, places: Places) -> int:
    """Fill in where nodes and boxes are; return the size of the arena."""
    order, node, bowl = places
    free = 0
    for position in range(len(node)):
        node[position] = end_with(plan.space.outcome[position])
    for position in order:
        count, box = find_moves(position, plan, buffer), plan.box[position]
        node[position] = free
        free += 1 + count
        if box >= 0 and bowl[box] < 0:
            bowl[box] = free
        elif box >= 0:
            continue
        free += HEADER + PAIR * count
    return free


@compiled
def fill(plan: ArenaPlan, buffer: Table, places: Places, arena: Table) -> None:
    """Fill in the nodes, and the bowls with fixed weights."""
    order, node, bowl = places
    for position in order:
        count, box, place = find_moves(position, plan, buffer), plan.box[position], node[position]
        here = bowl[box] if box >= 0 else place + 1 + count
        arena[place] = here
        arena[here + MOVE_COUNT] = count
        for nth in range(count):
            resigns = buffer[nth] < 0
            there = RESIGN if resigns else node[plan.representative[plan.space.target[buffer[nth]]]]
            arena[target_place(place, nth)] = there
        if box >= 0:
            continue
        arena[here + FIRST_BEADS] = FIXED
        for nth in range(count):
            chance = 1.0 / count
            if len(plan.policy) > 0:
                chance = plan.resigning[position] if buffer[nth] < 0 else plan.policy[buffer[nth]]
            weight = int(np.rint(chance * WEIGHT))
            arena[beads_place(here, nth)] = weight
            arena[here + SUM] += weight


def lay_out(plan: ArenaPlan, longest: int, boxes: int) -> tuple[Table, Table]:
    """Return the arena without any bead, and the place of each box, −1 for one that no game reaches."""
    order = depth_first(plan.space, longest, plan.representative)
    buffer = np.empty(int(np.diff(plan.space.first_edge).max()) + 1, np.int32)
    places = Places(order, np.empty(len(plan.box), np.int32), np.full(boxes, -1, np.int32))
    arena = np.zeros(give_places(plan, buffer, places), np.int32)
    fill(plan, buffer, places, arena)
    return arena, places.bowl


@compiled
def put_beads(cells: Cells, memory: Counts, first_beads: Table, arena: Table) -> None:
    """Copy the beads of the memory to the boxes.

    `first_beads` has the initial number of beads of each move in every box, shape (boxes,); it is copied as well.
    """
    for each in range(len(cells.edge)):
        place, beads = cells.bowl[cells.box[each]], memory[cells.edge[each]]
        if place >= 0:
            arena[place + SUM] += beads
            arena[place + FIRST_BEADS] = first_beads[cells.box[each]]
            arena[beads_place(place, cells.number[each])] = beads


@compiled
def take_back(cells: Cells, arena: Table, memory: Counts, times: Counts) -> None:
    """Copy the beads of the boxes to the memory, and move the counts of drawn moves from the arena to `times`."""
    for each in range(len(cells.edge)):
        bowl, edge = cells.bowl[cells.box[each]], cells.edge[each]
        if bowl >= 0:
            drawn = drawn_place(bowl, cells.number[each])
            memory[edge] = arena[beads_place(bowl, cells.number[each])]
            times[edge] += arena[drawn]
            arena[drawn] = 0
