"""Where the boards stand in a large terminal: the board, and beside or below it the machine's, both equally large."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from textual.geometry import Size

from engine.game import Game
from tui.widgets.board import board_size, largest_cell

LEAST_SHARED: Final = (7, 3)
"""The smallest squares, columns and lines, of two boards: where they would be smaller, the board stands alone."""
TITLE: Final = 2
"""The lines of the title above the machine's board, with the empty one below it."""
GAP: Final = 2
"""The columns, or lines, between the boards."""


class Way(StrEnum):
    """Where the machine's board stands; each is a class of the style sheet."""

    ALONE = "-alone"
    BESIDE = "-beside"
    BELOW = "-below"


@dataclass(frozen=True)
class Arrangement:
    """Where the machine's board stands, and the lines that each board takes."""

    way: Way
    height: int


def arrange(game: Game, room: Size, *, shared: bool) -> Arrangement:
    """Find the way to stand in which squares are largest; `shared` asks for two boards."""
    beside = Size((room.width - GAP) // 2, room.height - TITLE)
    below = Size(room.width, (room.height - TITLE - GAP) // 2)
    best = max(
        ((way, largest_cell(game, each)) for way, each in ((Way.BESIDE, beside), (Way.BELOW, below))),
        key=lambda found: found[1],
    )
    if not shared or best[1] < LEAST_SHARED:
        best = Way.ALONE, largest_cell(game, room)
    way, cell = best
    return Arrangement(way, board_size(game, *cell).height)
