"""The layout of a matchbox machine: the bowls of a game, and where the moves of each position lead."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from engine.evaluate import Policy, resignations, uniform_policy
from engine.game import Move, Side
from engine.space import Int32
from learners.core.boxes import Boxes
from learners.core.kernel_tables import space_tables
from learners.menace.kernel_tables import ArenaPlan, Cells


@dataclass(frozen=True, eq=False)
class MenaceLayout:
    """The layout shared by all machines with the same boxes and the same opponent."""

    boxes: Boxes
    sides: tuple[Side, ...]
    """The sides that the boxes decide for."""
    arena: Int32
    """Nodes and bowls, with the fixed weights in place and no bead in the boxes."""
    cells: Cells
    representative: Int32
    """The position that represents each position in training, shape (n,): in self-play, one for all symmetric ones."""

    def moves(self, drawn: list[int]) -> tuple[Move, ...]:
        """Return the moves of a game, given which move was drawn from each bowl."""
        space, boxes = self.boxes.space, self.boxes
        position, moves = 0, list[Move]()
        for nth in drawn:
            is_box = boxes.box[position] >= 0 and space.side[position] in self.sides
            edge = self._first_edge_of_cell(position, nth) if is_box else self._edge_of_fixed(position, nth)
            moves.append(int(space.move[edge]))
            position = int(space.target[edge])
        return tuple(moves)

    def _first_edge_of_cell(self, position: int, nth: int) -> int:
        """Return the edge that training plays for the nth cell of the box of a position, by ascending cell."""
        first = dict[int, int]()
        for edge in self.boxes.space.edges_from(position):
            first.setdefault(int(self.boxes.cell[edge]), edge)
        return first[sorted(first)[nth]]

    def _edge_of_fixed(self, position: int, nth: int) -> int:
        """Return the edge for the nth move of the bowl of a position, which may be that of a symmetric position."""
        space, representative = self.boxes.space, int(self.representative[position])
        edge = int(space.first_edge[representative]) + nth
        if representative == position:
            return edge
        return next(each for each in space.edges_from(position) if space.edge_class[each] == space.edge_class[edge])


def lay_out(boxes: Boxes, sides: Collection[Side], opponent: Policy | None) -> MenaceLayout:
    """Return the layout of games in which boxes choose the moves of `sides`, and `opponent` those of the other side.

    `opponent` is a policy of shape (m,). With `None`, boxes choose all moves, and one position stands for all
    that are symmetric to it.

    A bead stands for all moves of a position that share its cell. In training it plays the first of them; at the board
    it plays each of them with the same probability (`Boxes.shares`). These moves lead to symmetric positions, and so to
    the same boxes. So what is learned has the same probabilities either way, as long as `opponent` plays symmetric
    positions alike, as do random play, perfect play, searches, and machines that merge. A database of failures, or a
    machine that does not merge, may play them differently; then training never reaches the positions after the other
    moves.
    """
    from learners.menace import layout_kernel  # imports numba, so it is imported only when needed

    space, own = boxes.space, np.isin(boxes.space.side, list(sides))
    none = np.zeros(0)
    if opponent is None:
        policy, resigning, representative = none, none, space.images.min(axis=0)
    else:
        policy = np.where(own[space.source], uniform_policy(space), opponent)
        resigning, representative = resignations(space, policy), np.arange(len(own), dtype=np.int32)
    box = np.where(own, boxes.box, np.int32(-1))
    plan = ArenaPlan(space_tables(space), box, boxes.cell, representative, policy, resigning)
    arena, bowl = layout_kernel.lay_out(plan, int(space.ply[-1]), len(boxes.position))
    cells = Cells(boxes.cells, boxes.cell_box, boxes.cell_number, bowl)
    return MenaceLayout(boxes, tuple(sides), arena, cells, representative)
