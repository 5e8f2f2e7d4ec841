"""Every node of a tree in arrays, for whoever wants them all at once: to walk a tree, `engine.tree` needs none of it.

node     0 … n−1 by ply, and by parent within a ply; the root is 0
children of node i: first_child[i] … first_child[i + 1]−1
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.game import Path
from engine.space import Int8, Int32
from engine.tree import ROOT, Tree


@dataclass(frozen=True, eq=False)
class Nodes:
    tree: Tree
    parent: Int32
    """The parent of each node, −1 for the root, shape (n,)."""
    edge: Int32
    """The edge of the tree's space that leads to each node, −1 for the root, shape (n,)."""
    row: Int32
    """The row of each node in the tree's space, shape (n,)."""
    first_child: Int32
    """Where each node's children begin, shape (n + 1,)."""

    @cached_property
    def outcome(self) -> Int8:
        """The `Outcome` of each node, or `RUNNING`, shape (n,)."""
        return self.tree.space.outcome[self.row]

    def children(self, node: int) -> range:
        return range(int(self.first_child[node]), int(self.first_child[node + 1]))

    def path(self, node: int) -> Path:
        """The moves from the root to a node."""
        path = []
        while node:
            path.append(int(self.tree.space.move[self.edge[node]]))
            node = int(self.parent[node])
        return tuple(reversed(path))


def all_nodes(tree: Tree) -> Nodes:
    """Every node, one ply after another, written straight into its place: half of the time goes into fresh memory."""
    space = tree.space
    kept = np.flatnonzero(tree.kept).astype(np.int32)
    reached = space.target[kept]
    first = np.searchsorted(kept, space.first_edge).astype(np.int32)
    width = np.diff(first)
    count = tree.root.nodes
    parent, edge, row, first_child = (np.empty(count + extra, np.int32) for extra in (0, 0, 0, 1))
    parent[0], edge[0], row[0], first_child[0] = -1, -1, ROOT, 1
    ply = slice(0, 1)
    while ply.start < ply.stop:
        rows = row[ply]
        widths = width[rows]
        bounds = first_child[ply.start + 1 : ply.stop + 1]
        np.cumsum(widths, out=bounds)
        bounds += ply.stop
        below = slice(ply.stop, int(bounds[-1]))
        parent[below] = np.repeat(np.arange(ply.start, ply.stop, dtype=np.int32), widths)
        place = np.repeat(first[rows] - first_child[ply], widths)
        place += np.arange(below.start, below.stop, dtype=np.int32)
        # With "raise", the default, numpy takes into memory of its own first.
        np.take(kept, place, out=edge[below], mode="clip")
        np.take(reached, place, out=row[below], mode="clip")
        ply = below
    return Nodes(tree, parent, edge, row, first_child)
