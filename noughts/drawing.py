"""Boards as SVG, for notebooks."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from engine.game import Game, Move, Position

CELL: Final = 48
"""The width of a square, in pixels."""
COLOURS: Final = ("#3d7dd8", "#d8663d")
"""The colours of the two sides, legible on white and on black."""
GREY: Final = "#888888"


def svg(width: float, height: float, parts: Sequence[str]) -> str:
    """Return an SVG document of this size in pixels."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" text-anchor="middle">{"".join(parts)}</svg>'
    )


def board_svg(game: Game, position: Position, chances: Mapping[Move, float] | None = None) -> str:
    """Return the board of a position; with `chances`, a bar in each square as high as the chance of its move."""
    board, parts = game.board, list[str]()
    shares = dict[int, float]()
    for move, chance in (chances or {}).items():
        square = board.squares(position, move)[-1]
        shares[square] = shares.get(square, 0.0) + chance
    for square, piece in enumerate(board.cells(position)):
        x, y = square % board.columns * CELL, square // board.columns * CELL
        if share := shares.get(square, 0.0):
            high = share * CELL
            parts.append(
                f'<rect x="{x}" y="{y + CELL - high:.1f}" width="{CELL}" height="{high:.1f}" fill="{GREY}" '
                f'opacity=".35"><title>{share:.1%}</title></rect>'
            )
        parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="none" stroke="{GREY}"/>')
        if piece is not None:
            colour = GREY if piece.side is None else COLOURS[piece.side]
            parts.append(
                f'<text x="{x + CELL / 2:g}" y="{y + CELL * 0.68:g}" font-size="{CELL * 0.55:g}" fill="{colour}">'
                f"{escape(piece.mark)}</text>"
            )
    return svg(board.columns * CELL, board.rows * CELL, parts)
