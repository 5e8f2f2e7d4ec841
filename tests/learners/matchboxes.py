"""Boxes and beads of MENACE as its tests speak of them."""

import numpy as np

from learners.menace import Menace


def written(learner: Menace, numbers: np.ndarray) -> dict[tuple[str, str], int]:
    """Numbers of the cells by box and bead, as the naive machine names them."""
    space, game = learner.space, learner.game
    return {
        (game.to_text(int(space.position[space.source[cell]])), game.move_name(int(space.move[cell]))): int(
            numbers[cell]
        )
        for cell in learner.boxes.cells.tolist()
    }


def cells_of(learner: Menace, text: str) -> list[int]:
    position = learner.game.from_text(text)
    return sorted({int(learner.boxes.cell[edge]) for edge in learner.space.edges(position)})
