"""The boxes of a game: which positions share a box, and which moves share a number.

box    one for each symmetry class of the positions that a machine decides, numbered from 0 by ply
cell   the edge that holds the number of a move, and of all moves that are the same to the machine
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.game import Game, Position, Side
from engine.result_caches import cached_with_spaces
from engine.space import RUNNING, Int32, Space
from engine.spaces import space_of


@dataclass(frozen=True, eq=False)
class Boxes:
    """The boxes of a machine that plays `sides`, in a space with n positions and m edges."""

    space: Space
    sides: tuple[Side, ...]
    box: Int32
    """The box of each position, −1 for none, shape (n,)."""
    position: Int32
    """The row of the position that stands for each box, shape (boxes,)."""
    cell: Int32
    """The cell of each edge, shape (m,). An edge that belongs to no box is its own cell."""

    @cached_property
    def cells(self) -> Int32:
        """All cells, by box and then by edge, shape (c,)."""
        edges = np.flatnonzero((self.box[self.space.source] >= 0) & (self.cell == np.arange(len(self.cell))))
        return edges[np.lexsort((edges, self.box[self.space.source[edges]]))].astype(np.int32)

    @cached_property
    def cell_box(self) -> Int32:
        """The box of each of `cells`, shape (c,)."""
        return self.box[self.space.source[self.cells]]

    @cached_property
    def cell_number(self) -> Int32:
        """The number of each of `cells` among those of its box, from 0, shape (c,)."""
        first = np.searchsorted(self.cell_box, self.cell_box)
        return (np.arange(len(self.cells)) - first).astype(np.int32)

    @cached_property
    def width(self) -> int:
        """The maximum number of moves of a position, plus 2. Saves rely on it: it limits the beads of one move."""
        return int(np.diff(self.space.first_edge).max()) + 2

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The share of its cell that belongs to each edge, shape (m,): the edges of a position share a cell evenly."""
        share = np.ones(len(self.cell))
        # Moves of a position can share a cell only if a symmetry other than the identity maps the position to itself.
        others = self.space.images[1:]  # the identity is the first
        unchanged = (others == np.arange(len(self.box), dtype=np.int32)).any(axis=0)
        edges = np.flatnonzero(unchanged[self.space.source])
        key = self.space.source[edges].astype(np.int64) * len(self.cell) + self.cell[edges]
        _, group, count = np.unique(key, return_inverse=True, return_counts=True)
        share[edges] = 1 / count[group]
        return share

    def span(self, box: int) -> tuple[int, int]:
        """Return where the cells of a box begin in `cells`, and where they end."""
        low, high = np.searchsorted(self.cell_box, (box, box + 1))
        return int(low), int(high)

    def cells_of(self, box: int) -> Int32:
        low, high = self.span(box)
        return self.cells[low:high]

    def move_number(self, box: int) -> int:
        """Return the number of the move that a box decides among the moves of its side in a game, from 1."""
        return int(self.space.ply[self.position[box]]) // 2 + 1

    @cached_property
    def own_number(self) -> Int32:
        """The number of each box among those of its side, from 1, shape (boxes,)."""
        second = self.space.side[self.position] == Side.SECOND
        numbers: Int32 = np.where(second, second.cumsum(), (~second).cumsum()).astype(np.int32)
        return numbers


@cached_with_spaces()
def boxes_of(
    game: Game, sides: tuple[Side, ...], *, merge: bool, singles: bool, positions: tuple[Position, ...] | None = None
) -> Boxes:
    """Return the boxes for these sides.

    With `merge`, symmetric moves of a position share a cell. With `singles`, positions with one move have boxes, too.
    With `positions`, only these positions and those symmetric to them have boxes. Raises `TooLarge` for a game without
    a space.
    """
    space = space_of(game)
    running = space.outcome == RUNNING
    moves = np.diff(space.first_edge)
    decided = running & np.isin(space.side, sides) & (moves > (0 if singles else 1))
    if positions is not None:
        kept = [space.position_class[space.row(position)] for position in positions]
        decided &= np.isin(space.position_class, kept)
    # If several symmetries map a position to the one that stands for its box, take the smallest permutation.
    order = sorted(range(len(game.symmetries)), key=lambda index: game.symmetries[index])
    drawn_on, symmetry = space.images[order[0]].copy(), np.full(len(decided), order[0], space.symmetry_type)
    for index in order[1:]:
        smaller = space.images[index] < drawn_on
        drawn_on[smaller], symmetry[smaller] = space.images[index][smaller], index
    position = np.flatnonzero(np.bincount(drawn_on[decided]))
    box = np.where(decided, np.searchsorted(position, drawn_on), -1).astype(np.int32)
    cell = space.first_twin if merge else space.edge_images_by(symmetry)
    if not decided[space.source].all():
        cell = np.where(decided[space.source], cell, np.arange(len(space.move), dtype=np.int32))
    return Boxes(space, sides, box, position.astype(np.int32), cell)
