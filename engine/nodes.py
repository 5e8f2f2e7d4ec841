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
    first_child: Int32
    """Where each node's children begin, shape (n + 1,)."""

    @cached_property
    def row(self) -> Int32:
        """The row of each node in the tree's space, shape (n,)."""
        rows = self.tree.space.target[self.edge]
        rows[0] = ROOT
        return rows

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
    """Every node, one ply after another."""
    space = tree.space
    kept = np.flatnonzero(tree.kept).astype(np.int32)
    first = np.searchsorted(kept, space.first_edge).astype(np.int32)
    parents, edges, widths = [np.array([-1], np.int32)], [np.array([-1], np.int32)], []
    rows, begin = np.array([ROOT], np.int32), 0
    while len(rows):
        width = first[rows + 1] - first[rows]
        widths.append(width)
        end = np.cumsum(width, dtype=np.int32)
        place = np.repeat(first[rows] - end + width, width) + np.arange(end[-1], dtype=np.int32)
        parents.append(np.repeat(np.arange(begin, begin + len(rows), dtype=np.int32), width))
        edges.append(kept[place])
        begin += len(rows)
        rows = space.target[edges[-1]]
    first_child = np.concatenate([np.ones(1, np.int32), 1 + np.cumsum(np.concatenate(widths), dtype=np.int32)])
    return Nodes(tree, np.concatenate(parents), np.concatenate(edges), first_child)
