"""What the matchbox kernel walks over: the bowls of a game, and where the moves of each position lead.

bowl   what a move is drawn from in a position: a box, or the fixed weights of an opponent's policy
place  where the beads of a cell, or a weight, lie among all bowls; bowl b begins at place b × width with its sum
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from engine.evaluate import Policy, resignations, uniform_policy
from engine.game import Side
from engine.space import RUNNING, Int32
from learners.core.boxes import Boxes

WEIGHT: Final = 2**30
"""What certainty weighs in a bowl of fixed weights."""
BOX: Final = 0
FIXED: Final = 1
OVER: Final = 2
RESIGN: Final = -1
"""States of positions, and the target of a resignation: see `learners.menace.kernel`."""


@dataclass(frozen=True, eq=False)
class Tables:
    """What the kernel walks over: see there."""

    node: Int32
    target: Int32
    edge: Int32
    """The edge of each row of `target`; −1 for a resignation."""
    weights: Int32
    """The bowls with the fixed weights in place, and without a bead in the boxes."""


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
