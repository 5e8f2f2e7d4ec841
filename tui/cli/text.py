"""Text laid out by hand: columns that line up, and boards with their coordinates."""

import unicodedata
from collections.abc import Sequence

from engine.game import Game, Position
from engine.grid import EMPTY, Grid


def cells(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def cut(text: str, width: int) -> str:
    """`text` in at most `width` columns, with a sign where something is missing."""
    if cells(text) <= width:
        return text
    while cells(text) > width - 1:
        text = text[:-1]
    return text + "…"


def columns(rows: Sequence[Sequence[str]], sides: str) -> list[str]:
    """Lines of the rows' entries in columns two spaces apart, each set to the left (`<`) or the right (`>`)."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        padded = []
        for text, width, side in zip(row, widths, sides, strict=True):
            space = " " * (width - cells(text))
            padded.append(space + text if side == ">" else text + space)
        lines.append("  ".join(padded).rstrip())
    return lines


def board(game: Game, position: Position) -> list[str]:
    """The board's rows from the top, each after its digit, and below them the column letters."""
    standing = [EMPTY if side is None else game.mark(side) for side in game.cells(position)]
    rows = [standing[start : start + game.columns] for start in range(0, len(standing), game.columns)]
    letters = " ".join(Grid(game.rows, game.columns).names[square][0] for square in range(game.columns))
    return [*(f"{game.rows - number}  {' '.join(row)}" for number, row in enumerate(rows)), f"   {letters}"]


def beside(blocks: Sequence[Sequence[str]], gap: int = 4) -> list[str]:
    """Blocks of lines, one beside the other; a block that is shorter ends in empty lines."""
    height = max(map(len, blocks), default=0)
    widths = [max(map(cells, block), default=0) + gap for block in blocks]
    lines = []
    for row in range(height):
        parts = [block[row] if row < len(block) else "" for block in blocks]
        lines.append(
            "".join(text + " " * (width - cells(text)) for text, width in zip(parts, widths, strict=True)).rstrip()
        )
    return lines
