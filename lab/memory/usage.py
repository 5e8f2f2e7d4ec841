"""How often a memory is used: how often play reaches each of its positions."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import reached, uniform_policy
from engine.game import Position
from lab.memory.card_filter import cells_of, merges
from learners.core.learner import Learner
from learners.core.view import Card


def uses(learner: Learner) -> NDArray[np.float64]:
    """Return how often the learner decides in each position against random play, over its trained sides, shape (n,)."""
    space, policy = learner.space, learner.policy()
    found: NDArray[np.float64] = np.zeros(len(space.position))
    for side in learner.trained_sides:
        as_side = np.where(space.side[space.source] == side, policy, uniform_policy(space))
        found += np.where(space.side == side, reached(space, as_side), 0.0)
    return found


def class_uses(learner: Learner) -> NDArray[np.float64]:
    """Return how often the learner decides in a position or in one symmetric to it, shape (n,)."""
    space = learner.space
    total = np.bincount(space.position_class, uses(learner), len(space.position)).astype(np.float64).round(12)
    return np.asarray(total[space.position_class], np.float64)


def most_used(learner: Learner, edges: Sequence[int]) -> list[int]:
    """Return cards, given by their edges, those that are used most first. The cards of parameters keep their order."""
    if learner.spec.parameters or not edges:
        return list(edges)
    rows, used = learner.space.source[list(edges)], class_uses(learner)
    order = np.lexsort((rows, -used[rows]))
    return [edges[nth] for nth in order]


def used_positions(learner: Learner, count: int) -> list[Position]:
    """Return the positions in which the learner decides most often, at most `count`; of symmetric ones, the first."""
    space, used = learner.space, class_uses(learner)
    running = np.flatnonzero(np.diff(space.first_edge))
    owners = np.flatnonzero(np.bincount(space.source[learner.cell[space.first_edge[running]]]))
    firsts = owners[np.unique(space.position_class[owners], return_index=True)[1]]
    order = np.lexsort((firsts, -used[firsts]))
    return [int(space.position[row]) for row in firsts[order][:count] if used[row] > 0]


def position_card(learner: Learner, position: Position) -> Card:
    """Return all that is known of a position, as a card: moves that share a number are on it once."""
    thoughts = learner.thoughts(position)
    if merges(learner):
        cells = cells_of(learner, position, thoughts)
        once = {cells[each.move]: each for each in reversed(thoughts)}
        thoughts = tuple(sorted(once.values(), key=lambda each: each.move))
    return Card(position, thoughts, "")
