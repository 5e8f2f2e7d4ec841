"""Failure-based self-play: the game loop and the two rules that record a failure (Riechel 2007, section 2).

position   a row of the space; edge: a row of its moves
candidate  a move that may be picked: one that is not recorded, or any move where every one is recorded
state      of a position. OPEN: some move is not recorded; DEAD: every move is recorded; else OVER + outcome
path       the edges of one game in the order played
"""

from typing import Final

import numpy as np

from learners.core.compiling import compiled
from learners.core.kernel_generator import step
from learners.core.kernel_tables import Counts, SpaceTables, Table
from learners.failures.kernel_tables import Database, FailureRules, FailureTables

OPEN: Final = 0
DEAD: Final = 1
OVER: Final = 2

PLIES: Final = 3
AVOIDED: Final = 4
ENTRIES: Final = 5
"""The places of `tally` after those of the outcomes."""

START, CANDIDATES, EXCLUDED, STATE = 0, 1, 2, 3
"""The columns of `node`."""
TARGET, EDGE = 0, 1
"""The columns of `options`."""


@compiled
def arrange(position: int, space: SpaceTables, memory: Counts, node: Table, options: Table) -> None:
    """Set the candidates of a position. Its arguments are single arrays, since `prepare` calls it in a long loop."""
    first_edge, target = space.first_edge, space.target
    first, end = int(first_edge[position]), int(first_edge[position + 1])
    row = first
    for edge in range(first, end):
        if memory[edge] == 0:
            options[row, TARGET], options[row, EDGE] = target[edge], edge
            row += 1
    node[position, START] = first
    node[position, CANDIDATES] = row - first
    node[position, EXCLUDED] = end - row
    node[position, STATE] = OPEN
    if row == first:
        for edge in range(first, end):
            options[edge, TARGET], options[edge, EDGE] = target[edge], edge
        node[position, CANDIDATES] = end - first
        node[position, EXCLUDED] = 0
        node[position, STATE] = DEAD


@compiled
def prepare(space: SpaceTables, database: Database) -> FailureTables:
    """Return the tables of a database, which is shared, not copied."""
    node = np.zeros((len(space.outcome), 4), np.int32)
    options = np.zeros((len(space.target), 2), np.int32)
    memory = database.memory
    for position in range(len(space.outcome)):
        if space.outcome[position] < 0:
            arrange(position, space, memory, node, options)
        else:
            node[position, STATE] = OVER + space.outcome[position]
    return FailureTables(database, node, options)


@compiled
def record(edge: int, space: SpaceTables, tables: FailureTables) -> None:
    """Record a failure, unless it is recorded already."""
    memory, tally = tables.database.memory, tables.database.tally
    if memory[edge] == 0:
        tally[ENTRIES] += 1
        memory[edge] = tally[ENTRIES]
        arrange(space.source[edge], space, memory, tables.node, tables.options)


@compiled
def learn_game(path: Table, ended: int, walk_back: int, space: SpaceTables, tables: FailureTables) -> None:
    """Apply both rules to a game that ended with the `Outcome` of this number.

    The rules are applied after the game, turn by turn. A turn records only moves of earlier positions, and no position
    comes back, so the same games would be played if each failure were recorded at once.
    """
    # Rule 2: a side that has to move with every move recorded has its previous move recorded.
    for ply in range(2, len(path)):
        earlier = ply - 2
        while earlier >= 0 and tables.node[space.source[path[earlier + 2]], STATE] == DEAD:
            record(path[earlier], space, tables)
            if walk_back == 0:
                break
            earlier -= 2
    # Rule 1: the loser's last move is recorded.
    if ended < 2:
        last = len(path) - 1
        if last % 2 == ended:
            last -= 1
        if last >= 0:
            record(path[last], space, tables)


@compiled
def play_games(games: int, rules: FailureRules, space: SpaceTables, tables: FailureTables, generator: Counts) -> int:
    """Play and learn from `games` games of self-play; return the plies of the last, whose edges stay in the path.

    Changes `tables`, and `generator`, the two words of its state, in place. Each turn takes one draw u: candidate
    floor(u × n) of n, or if `rounded`, candidate floor(u × (n − 1) + ½).
    """
    database = tables.database
    node, options, tally, path = tables.node, tables.options, database.tally, database.path
    low, high = int(generator[0]), int(generator[1])
    rounded = rules.rounded
    half = rounded << 31
    plies = 0
    for _ in range(games):
        position = np.uint64(0)  # unsigned, as is `pick`: an index that cannot be negative is a third faster
        plies = 0
        avoided = 0
        state = int(node[0, STATE])
        met_dead = 0
        while state < OVER:
            met_dead |= state
            draw, low, high = step(low, high)
            avoided += node[position, EXCLUDED]
            nth = draw * (int(node[position, CANDIDATES]) - rounded) + half >> 32
            pick = np.uint64(node[position, START] + nth)
            path[plies] = options[pick, EDGE]
            position = np.uint64(options[pick, TARGET])
            plies += 1
            state = int(node[position, STATE])
        tally[state - OVER] += 1
        tally[PLIES] += plies
        tally[AVOIDED] += avoided
        if met_dead != 0 or state != OVER + 2:
            learn_game(path[:plies], state - OVER, rules.walk_back, space, tables)
    generator[0], generator[1] = low, high
    return plies
