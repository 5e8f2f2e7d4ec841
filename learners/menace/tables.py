"""Builds the tables of the matchbox kernel: the bowls of a game, and where the moves of each position lead."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from engine.evaluate import Policy, resignations, uniform_policy
from engine.game import Side
from engine.space import RUNNING, Int32
from learners.core.boxes import Boxes
from learners.menace.kernel_tables import BOX, FIXED, OVER, RESIGN, Walk

WEIGHT: Final = 2**30
"""The weight of probability 1 in a bowl with fixed weights."""


@dataclass(frozen=True, eq=False)
class Tables:
    """What the kernel walks over, and what a learner needs beside it."""

    walk: Walk
    edge: Int32
    """The edge of each row of the walk, −1 for a resignation, shape (rows,)."""
    weights: Int32
    """The numbers of all bowls with the fixed weights in place and no bead in the boxes, shape (bowls × width,)."""


def tables_for(boxes: Boxes, sides: Collection[Side], opponent: Policy | None) -> Tables:
    """Return the tables of games in which the boxes decide for `sides`, and `opponent` in all other positions.

    `opponent` is a policy of shape (m,); `None` is random play.

    A bead stands for all moves of a position that share its cell. Here it plays the first of them; a machine at the
    board picks evenly (`Boxes.shares`). These moves lead to symmetric positions, and so to the same boxes: learning has
    the same probabilities either way, as long as `opponent` plays symmetric positions alike. Random play, perfect play,
    searches and machines that merge do. A database of failures, or a machine that does not merge, may not; training
    then meets it only after the first of these moves.
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
    # One row for each cell of a position with a box; elsewhere one for each move, and one for a resignation.
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
        walk=Walk(
            node=np.ascontiguousarray(node, np.int32),
            target=np.where(edge >= 0, space.target[edge], RESIGN).astype(np.int32),
        ),
        edge=edge,
        weights=weights.astype(np.int32),
    )


@cache
def self_play_tables(boxes: Boxes) -> Tables:
    """Return the tables of games in which the boxes decide for both sides. All machines with these boxes share them."""
    return tables_for(boxes, boxes.sides, None)
