"""Boards and other pictures of the app, for notebooks."""

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from typing import Final

from engine.game import Game, Move, Position

CELL: Final = 40
"""The width of a square, in pixels."""


def board_svg(game: Game, position: Position, chances: Mapping[Move, float] | None = None) -> str:
    """Return the board of a position; with `chances`, a bar in each square as high as the chance of its move."""
    from lab.memory.matchbox import share_box  # imports all learners, as do those below
    from lab.pictures.cards import box_size, draw_box
    from lab.pictures.drawing import Ink, Picture

    box, ink = share_box(game, position, chances or {}), Ink()
    draw_box(ink, box, 1, 1, CELL)
    width, height = box_size(box, CELL)
    return Picture(game.to_text(position), width + 2, height + 2, ink.elements(), (), ()).svg("auto")


def image(svg: str, words: str) -> str:
    """Return a picture as HTML, whose style sheet does not concern the page, with words for those who do not see it."""
    source, words = b64encode(svg.encode()).decode(), escape(words)
    return f'<img alt="{words}" title="{words}" src="data:image/svg+xml;base64,{source}">'
