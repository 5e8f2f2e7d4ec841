"""Boards with coordinates as text, and blocks of text side by side."""

from collections.abc import Sequence

from engine.game import Game, Position
from engine.grid import EMPTY


def board(game: Game, position: Position) -> list[str]:
    """Return the rows of a board from the top, each after its digit, with the column letters below."""
    standing = [EMPTY if piece is None else piece.mark for piece in game.board.cells(position)]
    rows = [standing[start : start + game.board.columns] for start in range(0, len(standing), game.board.columns)]
    letters = " ".join(game.board.grid.names[square][0] for square in range(game.board.columns))
    return [*(f"{game.board.rows - number}  {' '.join(row)}" for number, row in enumerate(rows)), f"   {letters}"]


def beside(blocks: Sequence[Sequence[str]], gap: int = 4) -> list[str]:
    from rich.cells import cell_len  # few commands need it

    height = max(map(len, blocks), default=0)
    widths = [max(map(cell_len, block), default=0) + gap for block in blocks]
    lines = []
    for row in range(height):
        parts = [block[row] if row < len(block) else "" for block in blocks]
        lines.append(
            "".join(text + " " * (width - cell_len(text)) for text, width in zip(parts, widths, strict=True)).rstrip()
        )
    return lines
