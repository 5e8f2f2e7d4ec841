"""The arrangement of two boards of the same size in a large terminal: the machine's beside or below the main one."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from textual.geometry import Size

from engine.game import Game
from tui.widgets.board import board_size, largest_cell

MIN_SHARED: Final = (7, 3)
"""The minimum size of squares with two boards, in columns and lines; below that, only the main board is shown."""
TITLE: Final = 2
"""The lines of the title above the machine's board, including an empty one below it."""
GAP: Final = 2
"""The columns, or lines, between the boards."""


class Placement(StrEnum):
    """Where the machine's board is, relative to the main one; the values are classes of the style sheet."""

    ALONE = "-alone"
    BESIDE = "-beside"
    BELOW = "-below"


@dataclass(frozen=True)
class Arrangement:
    """Where the machine's board is, and the lines that each board takes."""

    placement: Placement
    height: int


def arrange(game: Game, room: Size, *, shared: bool) -> Arrangement:
    """Find the placement with the largest squares; two boards only if `shared`, and if there is room for them."""
    beside = Size((room.width - GAP) // 2, room.height - TITLE)
    below = Size(room.width, (room.height - TITLE - GAP) // 2)
    best = max(
        ((place, largest_cell(game, each)) for place, each in ((Placement.BESIDE, beside), (Placement.BELOW, below))),
        key=lambda found: found[1],
    )
    if not shared or best[1] < MIN_SHARED:
        best = Placement.ALONE, largest_cell(game, room)
    placement, cell = best
    return Arrangement(placement, board_size(game, *cell).height)
