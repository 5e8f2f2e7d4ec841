"""Boxes and beads of MENACE as its tests speak of them."""

from functools import cache

import numpy as np

from engine.space import Space
from learners.menace.learner import Menace


@cache
def name_of(space: Space, cell: int) -> tuple[str, str]:
    """The box and the bead of a cell, as the naive machine names them."""
    return space.game.to_text(int(space.position[space.source[cell]])), space.game.move_name(int(space.move[cell]))


def written(learner: Menace, numbers: np.ndarray) -> dict[tuple[str, str], int]:
    """Numbers of the cells by box and bead, as the naive machine names them."""
    return {name_of(learner.space, cell): int(numbers[cell]) for cell in learner.boxes.cells.tolist()}


def cells_of(learner: Menace, text: str) -> list[int]:
    position = learner.game.from_text(text)
    return sorted({int(learner.boxes.cell[edge]) for edge in learner.space.edges(position)})
