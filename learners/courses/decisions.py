"""The decisions of a machine as one side: its boxes, and where their moves can lead with the opponent's replies.

box   a decision with numbers of its own: a matchbox, or a position of the failure-based reasoner
cell  the edge that holds the number of a move of a box
end   what comes after a move and a reply: a box, or `WON`, `DRAWN`, `LOST`. A position without a box is passed through,
      by every move
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from engine.game import Move, Outcome, Side
from engine.space import RUNNING, Int32, Space
from engine.stop import Stop, never, unless_stopped

Box = int
Cell = int
End = int
LOST: Final = -1
DRAWN: Final = -2
WON: Final = -3
"""The ends that are not boxes."""


@dataclass(frozen=True, eq=False)
class Decisions:
    """The decisions of a machine as `side`, in a space with n positions and m edges."""

    space: Space
    side: Side
    box: Int32
    """The box of each position, −1 for none, shape (n,)."""
    cell: Int32
    """The cell of each edge, shape (m,)."""
    begins: frozenset[End]
    """The ends at which the machine can first be to move."""
    ways: Mapping[Box, Mapping[Cell, frozenset[End]]]
    """The cells of each box that play can reach, each with its ends. A box comes before those to which it leads."""
    losing: frozenset[Cell]
    """The cells after which the opponent can win, whatever the machine remembers."""
    lost: frozenset[Box]
    """The boxes in which every cell loses."""
    stop: Stop = never
    """When to stop whatever goes through all boxes."""

    def boxes(self, *, last_first: bool = False) -> Iterator[tuple[Box, Mapping[Cell, frozenset[End]]]]:
        """Yield each box with its cells and their ends. Raises `Stopped`."""
        boxes = list(self.ways.items())
        return unless_stopped(reversed(boxes) if last_first else boxes, self.stop)

    @cached_property
    def ends(self) -> Mapping[Cell, frozenset[End]]:
        return {cell: ends for cells in self.ways.values() for cell, ends in cells.items()}

    @cached_property
    def box_of(self) -> Mapping[Cell, Box]:
        return {cell: box for box, cells in self.ways.items() for cell in cells}

    @cached_property
    def row_of(self) -> Mapping[Box, int]:
        """A position of each box, as its row in the space."""
        boxes, rows = np.unique(self.box, return_index=True)
        return dict(zip(boxes.tolist(), rows.tolist(), strict=True))

    @property
    def is_hopeless(self) -> bool:
        """Whether best play beats the machine, whatever it remembers."""
        return LOST in self.begins or not self.lost.isdisjoint(self.begins)


def decisions_of(space: Space, side: Side, box: Int32, cell: Int32, stop: Stop = never) -> Decisions:
    """Return a machine's decisions, given `box`, −1 for none, shape (n,), and `cell`, shape (m,). Raises `Stopped`."""
    is_own, ends_from = space.side == side, dict[int, frozenset[End]]()
    first, target, outcome = space.first_edge.tolist(), space.target.tolist(), space.outcome.tolist()
    end_of = {Outcome.won_by(side): WON, Outcome.won_by(side.other): LOST, Outcome.DRAW: DRAWN}
    cell_of_edge, box_of_row = cell.tolist(), box.tolist()
    ways = dict[Box, dict[Cell, frozenset[End]]]()
    for row in unless_stopped(reversed(range(len(outcome))), stop):
        edges = range(first[row], first[row + 1])
        if outcome[row] != RUNNING:
            ends_from[row] = frozenset([end_of[Outcome(outcome[row])]])
        elif is_own[row] and box_of_row[row] >= 0:
            cells = ways.setdefault(box_of_row[row], {})
            for edge in edges:
                if cell_of_edge[edge] not in cells:
                    cells[cell_of_edge[edge]] = ends_from[target[edge]]
            ends_from[row] = frozenset([box_of_row[row]])
        else:
            ends_from[row] = frozenset().union(*(ends_from[target[edge]] for edge in edges))
    losing, lost = set[Cell](), set[Box]()
    for each, cells in unless_stopped(ways.items(), stop):  # the last first: a box comes after those that it leads to
        losing_here = {cell for cell, ends in cells.items() if LOST in ends or not lost.isdisjoint(ends)}
        losing |= losing_here
        if len(losing_here) == len(cells):
            lost.add(each)
    ordered = dict(reversed(ways.items()))
    return Decisions(space, side, box, cell, ends_from[0], ordered, frozenset(losing), frozenset(lost), stop)


def moves_through(decisions: Decisions, cells: list[Cell], end: End) -> tuple[Move, ...]:
    """Return the moves of a game that ends as `end` says, and in which the machine plays just these cells, in order.

    The moves go on to the end of the game, or to a position of the box that is the end. Raises `ValueError` if there
    is no such game.
    """
    space = decisions.space
    seen = set[tuple[int, int]]()
    stack: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, ())]
    while stack:
        row, played, edges = stack.pop()
        if (row, played) in seen:
            continue
        seen.add((row, played))
        if played == len(cells) and _is_end(decisions, row, end):
            return tuple(space.move[list(edges)].tolist())
        is_decision = _is_decision(decisions, row)
        for edge in space.edges_from(row):
            if not is_decision:
                stack.append((int(space.target[edge]), played, (*edges, edge)))
            elif played < len(cells) and decisions.cell[edge] == cells[played]:
                stack.append((int(space.target[edge]), played + 1, (*edges, edge)))
    raise ValueError(f"no game plays {cells} and comes to {end}")


def _is_decision(decisions: Decisions, row: int) -> bool:
    space = decisions.space
    is_own = bool(space.side[row] == decisions.side)
    return is_own and int(space.outcome[row]) == RUNNING and int(decisions.box[row]) >= 0


def _is_end(decisions: Decisions, row: int, end: End) -> bool:
    """Return whether the position of a row is in the box `end`, or is over with the outcome that `end` means."""
    if end >= 0:
        return _is_decision(decisions, row) and int(decisions.box[row]) == end
    outcomes = {WON: Outcome.won_by(decisions.side), LOST: Outcome.won_by(decisions.side.other), DRAWN: Outcome.DRAW}
    return int(decisions.space.outcome[row]) == outcomes[end]
