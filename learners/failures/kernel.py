"""Failure-based self-play: the game loop and the two rules that record a failure (Riechel 2007, section 2).

memory   per edge: 0 while open, else k for the k-th failure that was recorded, shape (m,), int64
options  per edge row: (target, edge); a position's rows hold its candidates first, ascending, shape (m, 2)
node     per position: (first row of options, candidates, moves shut out, state), shape (n, 4)
state    OPEN: some move is not recorded; DEAD: every move is recorded, so all are candidates; else OVER + outcome
path     the edges of one game in the order played
tally    counts of all games so far: those ended by each `Outcome`, then PLIES, AVOIDED and ENTRIES
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from learners.core.compiling import compiled
from learners.core.kernel_generator import step

Table = NDArray[np.int32]
Counts = NDArray[np.int64]

OPEN: Final = 0
DEAD: Final = 1
OVER: Final = 2

PLIES: Final = 3
AVOIDED: Final = 4
ENTRIES: Final = 5

START, CANDIDATES, SHUT_OUT, STATE = 0, 1, 2, 3
TARGET, EDGE = 0, 1


@compiled
def arrange(position: int, node: Table, options: Table, first_edge: Table, target: Table, memory: Counts) -> None:
    """Set a position's candidates: the moves not recorded, or all of them where every one is."""
    first, end = int(first_edge[position]), int(first_edge[position + 1])
    row = first
    for edge in range(first, end):
        if memory[edge] == 0:
            options[row, TARGET], options[row, EDGE] = target[edge], edge
            row += 1
    node[position, START] = first
    node[position, CANDIDATES] = row - first
    node[position, SHUT_OUT] = end - row
    node[position, STATE] = OPEN
    if row == first:
        for edge in range(first, end):
            options[edge, TARGET], options[edge, EDGE] = target[edge], edge
        node[position, CANDIDATES] = end - first
        node[position, SHUT_OUT] = 0
        node[position, STATE] = DEAD


@compiled
def prepare(first_edge: Table, target: Table, outcome: NDArray[np.int8], memory: Counts) -> tuple[Table, Table]:
    """The `node` and `options` tables of a memory."""
    node = np.zeros((len(outcome), 4), np.int32)
    options = np.zeros((len(target), 2), np.int32)
    for position in range(len(outcome)):
        if outcome[position] < 0:
            arrange(position, node, options, first_edge, target, memory)
        else:
            node[position, STATE] = OVER + outcome[position]
    return node, options


@compiled
def record(
    edge: int,
    node: Table,
    options: Table,
    first_edge: Table,
    source: Table,
    target: Table,
    memory: Counts,
    tally: Counts,
) -> None:
    """Record a failure, unless it is recorded already."""
    if memory[edge] == 0:
        tally[ENTRIES] += 1
        memory[edge] = tally[ENTRIES]
        arrange(source[edge], node, options, first_edge, target, memory)


@compiled
def learn_game(
    path: Table,
    plies: int,
    ended: int,
    walk_back: int,
    node: Table,
    options: Table,
    first_edge: Table,
    source: Table,
    target: Table,
    memory: Counts,
    tally: Counts,
) -> None:
    """Apply both rules to a game of `plies` moves that ended with the `Outcome` of that number.

    The rules are applied after the game, turn by turn: what one turn records concerns positions already passed, and no
    position comes back, so the games are those of a player that records at once.
    """
    # Rule 2: whoever was to move with every move recorded has its own move before that recorded.
    for ply in range(2, plies):
        earlier = ply - 2
        while earlier >= 0 and node[source[path[earlier + 2]], STATE] == DEAD:
            record(path[earlier], node, options, first_edge, source, target, memory, tally)
            if walk_back == 0:
                break
            earlier -= 2
    # Rule 1: the loser's last move is recorded.
    if ended < 2:
        last = plies - 1
        if last % 2 == ended:
            last -= 1
        if last >= 0:
            record(path[last], node, options, first_edge, source, target, memory, tally)


@compiled
def play_games(
    games: int,
    rounded: int,
    walk_back: int,
    first_edge: Table,
    source: Table,
    target: Table,
    outcome: NDArray[np.int8],
    memory: Counts,
    generator: Counts,
    tally: Counts,
    path: Table,
) -> int:
    """Play and learn from `games` games of self-play; returns the plies of the last, whose edges are left in `path`.

    Changes `memory`, `generator` (the two words of its state), `tally` and `path` in place. Takes one draw a turn:
    candidate floor(u × n) of n, or with `rounded` the candidate floor(u × (n − 1) + ½).
    """
    node, options = prepare(first_edge, target, outcome, memory)
    low, high = int(generator[0]), int(generator[1])
    half = rounded << 31
    plies = 0
    for _ in range(games):
        position = np.uint64(0)  # unsigned, as is `pick`: a row that cannot be negative is found a third faster
        plies = 0
        avoided = 0
        state = int(node[0, STATE])
        met_dead = 0
        while state < OVER:
            met_dead |= state
            draw, low, high = step(low, high)
            avoided += node[position, SHUT_OUT]
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
            learn_game(path, plies, state - OVER, walk_back, node, options, first_edge, source, target, memory, tally)
    generator[0], generator[1] = low, high
    return plies
