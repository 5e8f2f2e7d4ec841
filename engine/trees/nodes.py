"""All nodes of a tree at once, as arrays. `engine.trees.tree` walks a tree without them.

node     a number 0 … n−1, ordered by ply and then by parent; the root is 0.
         The children of node i are first_child[i] … first_child[i + 1]−1
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from engine.game import MoveSequence
from engine.space import Int8, Int32
from engine.trees.tree import ROOT, Tree

BLOCK: Final = 16_384
"""The number of nodes whose children are computed together: the arrays of a block fit into the processor cache."""


@dataclass(frozen=True, eq=False)
class TreeNodes:
    """All n nodes of a tree."""

    tree: Tree
    parent: Int32
    """The parent of each node, −1 for the root, shape (n,)."""
    edge: Int32
    """The edge of the tree's space that leads to each node, −1 for the root, shape (n,)."""
    first_child: Int32
    """Where each node's children begin, shape (n + 1,)."""
    outcome: Int8
    """The `Outcome` of each node, or `RUNNING`, shape (n,)."""

    @cached_property
    def row(self) -> Int32:
        """The row of each node in the tree's space, shape (n,)."""
        rows = self.tree.space.target[self.edge]
        rows[0] = ROOT
        return rows

    def children(self, node: int) -> range:
        """Return the numbers of a node's children."""
        return range(int(self.first_child[node]), int(self.first_child[node + 1]))

    def path(self, node: int) -> MoveSequence:
        """Return the moves from the root to a node."""
        path = []
        while node:
            path.append(int(self.tree.space.move[self.edge[node]]))
            node = int(self.parent[node])
        return tuple(reversed(path))


def all_nodes(tree: Tree) -> TreeNodes:
    """Return every node, one ply after another."""
    space = tree.space
    kept = np.flatnonzero(tree.kept).astype(np.int32)
    ending = space.outcome[space.target[kept]]
    first = np.searchsorted(kept, space.first_edge).astype(np.int32)
    width = np.diff(first)
    count = tree.root.nodes
    parent, edge, first_child = (np.empty(count + extra, np.int32) for extra in (0, 0, 1))
    outcome = np.empty(count, np.int8)
    parent[0], edge[0], first_child[0], outcome[0] = -1, -1, 1, space.outcome[ROOT]
    begin, end = 0, 1
    while begin < end:
        stop = min(end, begin + BLOCK)
        rows = space.target.take(edge[begin:stop]) if begin else np.array([ROOT], np.int32)
        widths = width.take(rows)
        bounds = first_child[begin + 1 : stop + 1]
        np.cumsum(widths, out=bounds)
        bounds += end
        below = slice(end, int(bounds[-1]))
        in_block = np.repeat(np.arange(stop - begin, dtype=np.int32), widths)
        np.add(in_block, begin, out=parent[below])
        place = (first.take(rows) - first_child[begin:stop]).take(in_block)
        place += np.arange(below.start, below.stop, dtype=np.int32)
        # with this mode, numpy writes to the output without a buffer; no place is out of range
        kept.take(place, out=edge[below], mode="clip")
        ending.take(place, out=outcome[below], mode="clip")
        begin, end = stop, below.stop
    return TreeNodes(tree, parent, edge, first_child, outcome)
