"""Boards and curves as SVG, for notebooks."""

from collections.abc import Mapping, Sequence
from html import escape
from math import log10
from typing import Final

from engine.game import Game, Move, Position

CELL: Final = 48
"""The width of a square, in pixels."""
WIDTH, HEIGHT, MARGIN, LABELS = 560, 200, 32, 90
"""The size of a chart, the margin around its axes, and the room for labels at its right, in pixels."""
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


def curves_svg(rounds: Sequence[float], curves: Mapping[str, Sequence[float]], title: str) -> str:
    """Return a chart of three curves of shares from 0 to 1 over rounds, on a logarithmic axis that begins at 1."""
    last = max(rounds)
    wide, high = WIDTH - 2 * MARGIN - LABELS, HEIGHT - 2 * MARGIN
    right = MARGIN + wide
    across = [MARGIN + wide * log10(max(each, 1)) / max(log10(last), 1) for each in rounds]
    parts = [
        f'<path d="M{MARGIN} {MARGIN}v{high}h{wide}" fill="none" stroke="{GREY}"/>',
        f'<text x="{WIDTH / 2:g}" y="{MARGIN / 2:g}" font-size="12" fill="{GREY}">{escape(title)}</text>',
        f'<text x="{MARGIN / 2:g}" y="{MARGIN + 4}" font-size="10" fill="{GREY}">1</text>',
        f'<text x="{MARGIN / 2:g}" y="{MARGIN + high + 4}" font-size="10" fill="{GREY}">0</text>',
        f'<text x="{right}" y="{HEIGHT - MARGIN / 2:g}" font-size="10" fill="{GREY}">{last:,.0f}</text>',
    ]
    label = float(HEIGHT)
    by_end = sorted(curves.items(), key=lambda each: each[1][-1])  # labels that would meet move apart
    for (name, shares), colour in zip(by_end, (*COLOURS, GREY), strict=True):
        down = [MARGIN + high * (1 - share) for share in shares]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(across, down, strict=True))
        label = min(down[-1] + 4, label - 12)
        parts += [
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>',
            f'<text x="{right + 6}" y="{label:.1f}" font-size="11" fill="{colour}" text-anchor="start">{name}</text>',
        ]
    return svg(WIDTH, HEIGHT, parts)
