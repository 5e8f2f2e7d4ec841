"""The tree of a Monte-Carlo tree search, and the rules that it plays by, as tables.

node      a row of the tree; the root is 0, and the children of a node are rows next to each other
points    what a playout is worth to the side that made the move to a node: `WIN`, `DRAW` or `LOSS`
proven    the points that a node is worth if both sides play best, or `OPEN`
state     two integers, `here` and `there`. In a space: the position, and 0. On a board: the pieces of the side to move,
          and those of the other side, one bit a square
"""

from typing import Final, NamedTuple

import numpy as np

from learners.core.kernel_tables import Bytes, Counts, SpaceTables, Table

OPEN: Final = -1
LOSS: Final = 0
DRAW: Final = 1
WIN: Final = 2
"""Twice the worth that screens show, so that the points of playouts add up to whole numbers."""


class PlayoutRules(NamedTuple):
    """What a kernel plays: the moves of a space, or pieces that are placed on a board."""

    on_board: int
    """1 on a board; 0 in a space."""
    widest: int
    """The maximum number of moves of a position."""
    space: SpaceTables
    """The space; tables of length 0 on a board."""
    full: int
    """The mask of all squares."""
    floor: int
    """The squares that can be played without a piece below: the lowest row, or all squares if pieces do not fall."""
    columns: int
    in_a_row: int
    steps: Counts
    """The step from one square of a row to the next, for each direction, shape (d,)."""
    starts: Counts
    """The mask of the squares where rows in each direction begin, shape (d,)."""
    completed: int
    """The points of the side that completes a row."""


class Nodes(NamedTuple):
    """The tree. The length of each array but `used` and `path` is the maximum number of nodes."""

    visits: Table
    """The number of playouts through the node."""
    points: Table
    """The sum of the points of the playouts through the node."""
    proven: Bytes
    best_proven: Bytes
    """The points of the best proven child; `LOSS` if no child is proven."""
    unproven: Table
    """The number of children that are not proven."""
    first: Table
    """The first child."""
    children: Table
    """The number of children; 0 before the node is expanded."""
    move: Table
    """The move to the node: an edge of a space, or the square of the new piece."""
    here: Counts
    there: Counts
    used: Counts
    """The number of nodes in use, shape (1,)."""
    path: Table
    """The nodes of the current playout from the root on, shape (plies of the longest game + 1,)."""


def new_nodes(max_nodes: int, longest: int) -> Nodes:
    """Return a tree that has only its root, with room for `max_nodes` nodes and `longest` plies."""
    table, counts, small = np.int32, np.int64, np.int8
    nodes = Nodes(
        visits=np.zeros(max_nodes, table),
        points=np.zeros(max_nodes, table),
        proven=np.zeros(max_nodes, small),
        best_proven=np.zeros(max_nodes, small),
        unproven=np.zeros(max_nodes, table),
        first=np.zeros(max_nodes, table),
        children=np.zeros(max_nodes, table),
        move=np.zeros(max_nodes, table),
        here=np.zeros(max_nodes, counts),
        there=np.zeros(max_nodes, counts),
        used=np.ones(1, counts),
        path=np.zeros(longest + 1, table),
    )
    start_tree(nodes, 0, 0)
    return nodes


def start_tree(nodes: Nodes, here: int, there: int) -> None:
    """Remove all nodes but the root, and set the state of the root."""
    used = int(nodes.used[0])
    for column in (nodes.visits, nodes.points, nodes.best_proven, nodes.unproven, nodes.children):
        column[:used] = 0
    nodes.used[0] = 1
    nodes.proven[0], nodes.here[0], nodes.there[0] = OPEN, here, there


def space_rules(space: SpaceTables) -> PlayoutRules:
    nothing = np.zeros(0, np.int64)
    return PlayoutRules(0, int(np.diff(space.first_edge).max()), space, 0, 0, 0, 0, nothing, nothing, WIN)


def board_rules(  # noqa: PLR0913  one parameter a rule
    *, full: int, floor: int, columns: int, widest: int, in_a_row: int, starts: dict[int, int], completed: int
) -> PlayoutRules:
    """Return the rules of a game in which pieces are placed in turn and stay.

    `starts` has the mask of the squares where rows begin, by the step from one square of a row to the next.
    """
    table, small = np.zeros(0, np.int32), np.zeros(0, np.int8)
    space = SpaceTables(table, table, table, small, small)
    steps, masks = (np.array(list(each), np.int64) for each in (starts.keys(), starts.values()))
    return PlayoutRules(1, widest, space, full, floor, columns, in_a_row, steps, masks, completed)
