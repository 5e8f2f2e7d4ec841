"""The words for beads and boxes: colours, letters, counts, and the title of a box."""

from typing import Final

import numpy as np

from engine.game import Side
from learners.core.boxes import Boxes

COLOURS: Final = ("white", "lilac", "silver", "black", "gold", "green", "amber", "red", "pink")
"""The colours of the beads: by square from the top left, as in Michie's machine, or else by move of the box."""
LETTERS: Final = ("w", "l", "s", "k", "g", "n", "a", "r", "p")
"""The letter of each colour."""


def hue_of(boxes: Boxes, edge: int) -> int:
    """Return the number of the colour of a move's beads, from 1."""
    space, cell = boxes.space, int(boxes.cell[edge])
    game, source = space.game, int(space.source[cell])
    position, move = int(space.position[source]), int(space.move[cell])
    squares, nine = game.board.squares(position, move), game.board.rows * game.board.columns == len(COLOURS)
    if nine and len(squares) == 1 and not game.board.option(position, move):
        return squares[0] + 1
    return int(np.searchsorted(boxes.cells_of(int(boxes.box[source])), cell)) % len(COLOURS) + 1


def colour_of(boxes: Boxes, edge: int) -> str:
    """Return the colour of a move's beads."""
    return COLOURS[hue_of(boxes, edge) - 1]


def title_of(boxes: Boxes, box: int) -> str:
    """Return the title of a box: its number among those of its side; before it the side, if the machine has two."""
    side = Side(int(boxes.space.side[boxes.position[box]]))
    number = int(boxes.own_number[box])
    return f"{number}" if len(boxes.sides) == 1 else f"{boxes.space.game.mark(side)} {number}"


def beads_text(hue: int, count: int) -> str:
    """Return the letter of a colour, and then a count of beads in at most 4 characters: `w4`, `r12k`.

    Raises `ValueError` for a billion or more.
    """
    for scale, letter in ((1, ""), (1000, "k"), (1_000_000, "M")):
        if count < 1000 * scale:
            return f"{LETTERS[hue - 1]}{count // scale}{letter}" if count else "·"
    raise ValueError(f"{count} beads are more than a box holds")
