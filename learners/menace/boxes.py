"""The matchboxes of a game: which positions share a box, and which moves share their beads.

box    one for each symmetry class of the positions that the machine decides; numbered 0 upwards by ply
cell   the edge that stands for a move and all that are the same to the machine: where its beads are kept
bowl   what a move is drawn from in a position: a box, or the fixed weights of somebody else's policy
place  where the beads of a cell, or a weight, lie among all bowls; bowl b begins at place b × width with its sum
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy, resignations, uniform_policy
from engine.game import Game, Side
from engine.space import RUNNING, Int32, Int64, Space, space_of

WEIGHT: Final = 2**30
"""What a certainty weighs in a bowl of fixed weights."""
BOX: Final = 0
FIXED: Final = 1
OVER: Final = 2
RESIGN: Final = -1
"""States of positions, and the target of a resignation: see `learners.menace.kernel`."""


@dataclass(frozen=True, eq=False)
class Boxes:
    """The boxes of a machine that plays `sides`."""

    space: Space
    sides: tuple[Side, ...]
    box: Int32
    """The box of each position, or −1, shape (n,)."""
    position: Int32
    """The position drawn on each box, shape (boxes,)."""
    cell: Int32
    """The cell of each edge, shape (m,); edges that belong to no box are their own."""

    @cached_property
    def cells(self) -> Int32:
        """Every cell, by box and then by edge, shape (c,)."""
        edges = np.flatnonzero((self.box[self.space.source] >= 0) & (self.cell == np.arange(len(self.cell))))
        return edges[np.lexsort((edges, self.box[self.space.source[edges]]))].astype(np.int32)

    @cached_property
    def cell_box(self) -> Int32:
        """The box of each of `cells`, shape (c,)."""
        return self.box[self.space.source[self.cells]]

    @cached_property
    def cell_number(self) -> Int32:
        """The number of each of `cells` among those of its box, 0 upwards, shape (c,)."""
        first = np.searchsorted(self.cell_box, self.cell_box)
        return (np.arange(len(self.cells)) - first).astype(np.int32)

    @cached_property
    def width(self) -> int:
        """The length of a bowl: its sum, a place for each move, and one for a resignation."""
        return int(np.diff(self.space.first_edge).max()) + 2

    @cached_property
    def places(self) -> Int64:
        """The place of each of `cells`, shape (c,)."""
        return self.cell_box * np.int64(self.width) + 1 + self.cell_number

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """For each edge the share of its cell's beads that is its own: one by as many moves as are the same to the
        machine, shape (m,)."""
        edges = self.space.source.astype(np.int64) * len(self.cell) + self.cell
        _, group, count = np.unique(edges, return_inverse=True, return_counts=True)
        share: NDArray[np.float64] = 1 / count[group]
        return share

    def span(self, box: int) -> tuple[int, int]:
        """From where to where the cells of a box stand among all `cells`."""
        low, high = np.searchsorted(self.cell_box, (box, box + 1))
        return int(low), int(high)

    def cells_of(self, box: int) -> Int32:
        low, high = self.span(box)
        return self.cells[low:high]

    def own_move(self, box: int) -> int:
        """Which of its side's moves a box decides, 1 for the first."""
        return int(self.space.ply[self.position[box]]) // 2 + 1

    @cached_property
    def own_number(self) -> Int32:
        """The number of each box among those of its side, from 1, shape (boxes,)."""
        second = self.space.side[self.position] == Side.SECOND
        numbers: Int32 = np.where(second, second.cumsum(), (~second).cumsum()).astype(np.int32)
        return numbers


@dataclass(frozen=True, eq=False)
class Tables:
    """What the kernel walks over: see there."""

    node: Int32
    target: Int32
    edge: Int32
    """The edge of each row of `target`; −1 for a resignation."""
    weights: Int32
    """The bowls with the fixed weights in place, and without a bead in the boxes."""


@cache
def boxes_of(game: Game, sides: tuple[Side, ...], *, merge: bool, singles: bool) -> Boxes:
    """The boxes for these sides; `merge` moves that are symmetric, have boxes for `singles`, positions of one move."""
    space = space_of(game)
    running = space.outcome == RUNNING
    moves = np.diff(space.first_edge)
    decided = running & np.isin(space.side, sides) & (moves > (0 if singles else 1))
    # of the ways to see a position as the one on its box, the least as a permutation
    order = sorted(range(len(game.symmetries)), key=lambda index: game.symmetries[index])
    images, edge_images = space.images[order], space.edge_images[order]
    drawn_on = images.min(axis=0)
    position = np.unique(drawn_on[decided])
    box = np.where(decided, np.searchsorted(position, drawn_on), -1).astype(np.int32)
    if merge:
        cell = edge_images.min(axis=0)
    else:
        cell = edge_images[images.argmin(axis=0)[space.source], np.arange(len(space.move))]
    own = np.arange(len(space.move), dtype=np.int32)
    return Boxes(space, sides, box, position.astype(np.int32), np.where(box[space.source] >= 0, cell, own))


def tables_for(boxes: Boxes, sides: Collection[Side], opponent: Policy | None) -> Tables:
    """The tables of games in which the boxes decide for `sides` and `opponent`, or chance, for all other positions.

    A bead stands for every move of a position that has its cell; here it plays the first of them, while a machine at
    the board picks evenly (`Boxes.shares`). They lead to positions that are seen as one another, and so to the same
    boxes: what is learned has the same chances either way, as long as `opponent` plays such positions alike. Chance,
    perfect play, searches and machines that merge do; a failure database, or a machine that does not merge, may not,
    and is then met after the first of them only.
    """
    space, width = boxes.space, boxes.width
    policy = (
        uniform_policy(space)
        if opponent is None
        else np.where(np.isin(space.side, list(sides))[space.source], uniform_policy(space), opponent)
    )
    running = space.outcome == RUNNING
    boxed = (boxes.box >= 0) & np.isin(space.side, list(sides))
    fixed = running & ~boxed
    bowl = np.where(boxed, boxes.box, len(boxes.position) + np.cumsum(fixed) - 1)
    # a row for each cell of a position with a box, for each move of the others, and for a resignation there
    key = space.source.astype(np.int64) * len(space.move) + np.where(
        boxed[space.source], boxes.cell, np.arange(len(space.move))
    )
    _, first = np.unique(key, return_index=True)
    source = np.concatenate([space.source[first], np.flatnonzero(fixed)])
    edge = np.concatenate([first, np.full(fixed.sum(), -1)]).astype(np.int32)
    order = np.argsort(source, kind="stable")
    source, edge = source[order], edge[order]
    row = np.searchsorted(source, np.arange(len(running)))
    weights = np.zeros((len(boxes.position) + int(fixed.sum())) * width, np.int64)
    chance = np.where(edge >= 0, policy[edge], resignations(space, policy)[source])
    place = bowl[source] * width + 1 + np.arange(len(source)) - row[source]
    theirs = fixed[source]
    weights[place[theirs]] = np.rint(chance[theirs] * WEIGHT)
    sums = weights.reshape(-1, width).sum(axis=1)
    weights[::width] = sums
    state = np.where(running, np.where(boxed, BOX, FIXED), OVER + space.outcome)
    node = np.stack([np.where(running, bowl * width, 0), np.where(running, row, 0), state], axis=1)
    return Tables(
        node=np.ascontiguousarray(node, np.int32),
        target=np.where(edge >= 0, space.target[edge], RESIGN).astype(np.int32),
        edge=edge,
        weights=weights.astype(np.int32),
    )


@cache
def self_play_tables(boxes: Boxes) -> Tables:
    """The tables of games in which the boxes decide for both sides: made once, as all machines of a kind share them."""
    return tables_for(boxes, boxes.sides, None)
