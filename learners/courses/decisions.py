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
        return {cell: ends for here in self.ways.values() for cell, ends in here.items()}

    @cached_property
    def box_of(self) -> Mapping[Cell, Box]:
        return {cell: box for box, here in self.ways.items() for cell in here}

    @cached_property
    def row_of(self) -> Mapping[Box, int]:
        """A position of each box, as its row in the space."""
        boxes, rows = np.unique(self.box, return_index=True)
        return dict(zip(boxes.tolist(), rows.tolist(), strict=True))

    @property
    def hopeless(self) -> bool:
        """Whether best play beats the machine, whatever it remembers."""
        return LOST in self.begins or not self.lost.isdisjoint(self.begins)


def decisions_of(space: Space, side: Side, box: Int32, cell: Int32, stop: Stop = never) -> Decisions:
    """Return a machine's decisions, given `box`, −1 for none, shape (n,), and `cell`, shape (m,). Raises `Stopped`."""
    mine, ends = space.side == side, dict[int, frozenset[End]]()
    first, target, outcome = space.first_edge.tolist(), space.target.tolist(), space.outcome.tolist()
    known = {Outcome.won_by(side): WON, Outcome.won_by(side.other): LOST, Outcome.DRAW: DRAWN}
    cells, boxes = cell.tolist(), box.tolist()
    ways = dict[Box, dict[Cell, frozenset[End]]]()
    losing, lost = set[Cell](), set[Box]()
    for row in unless_stopped(reversed(range(len(outcome))), stop):
        edges = range(first[row], first[row + 1])
        if outcome[row] != RUNNING:
            ends[row] = frozenset([known[Outcome(outcome[row])]])
        elif mine[row] and boxes[row] >= 0:
            here = ways.setdefault(boxes[row], {})
            for edge in edges:
                if cells[edge] not in here:
                    here[cells[edge]] = ends[target[edge]]
            ends[row] = frozenset([boxes[row]])
        else:
            ends[row] = frozenset().union(*(ends[target[edge]] for edge in edges))
    for each, here in unless_stopped(ways.items(), stop):  # the last first: a box comes after those that it leads to
        bad = {one for one, after in here.items() if LOST in after or not lost.isdisjoint(after)}
        losing |= bad
        if len(bad) == len(here):
            lost.add(each)
    ordered = dict(reversed(ways.items()))
    return Decisions(space, side, box, cell, ends[0], ordered, frozenset(losing), frozenset(lost), stop)


def moves_through(decisions: Decisions, cells: list[Cell], end: End) -> tuple[Move, ...]:
    """Return the moves of a game that ends as `end` says, and in which the machine plays just these cells, in order.

    The moves go on to the end of the game, or to a position of the box that is the end. Raises `ValueError` if there
    is no such game.
    """
    space, known = decisions.space, {WON: decisions.side, LOST: decisions.side.other}
    seen = set[tuple[int, int]]()
    waiting: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, ())]
    while waiting:
        row, played, edges = waiting.pop()
        if (row, played) in seen:
            continue
        seen.add((row, played))
        box, over = int(decisions.box[row]), int(space.outcome[row])
        own = space.side[row] == decisions.side and box >= 0 and over == RUNNING
        arrived = (
            own and box == end
            if end >= 0
            else over != RUNNING and over == (Outcome.DRAW if end == DRAWN else Outcome.won_by(known[end]))
        )
        if played == len(cells) and arrived:
            return tuple(space.move[list(edges)].tolist())
        for edge in space.edges_from(row):
            if not own:
                waiting.append((int(space.target[edge]), played, (*edges, edge)))
            elif played < len(cells) and decisions.cell[edge] == cells[played]:
                waiting.append((int(space.target[edge]), played + 1, (*edges, edge)))
    raise ValueError(f"no game plays {cells} and comes to {end}")
