"""Boards with coordinates as text, and blocks of text side by side."""

from collections.abc import Sequence

from engine.game import Game, Position
from engine.grid import EMPTY


def board_lines(game: Game, position: Position) -> list[str]:
    """Return the rows of a board from the top, each after its digit, with the column letters below."""
    marks = [EMPTY if piece is None else piece.mark for piece in game.board.cells(position)]
    rows, columns = game.board.rows, game.board.columns
    lines = [f"{rows - row}  {' '.join(marks[columns * row : columns * (row + 1)])}" for row in range(rows)]
    return [*lines, f"   {' '.join(game.board.grid.names[square][0] for square in range(columns))}"]


def join_blocks(blocks: Sequence[Sequence[str]], gap: int = 4) -> list[str]:
    """Return blocks of lines side by side."""
    from rich.cells import cell_len  # few commands need it

    height = max(map(len, blocks), default=0)
    widths = [max(map(cell_len, block), default=0) + gap for block in blocks]
    lines = []
    for row in range(height):
        line = ""
        for block, width in zip(blocks, widths, strict=True):
            text = block[row] if row < len(block) else ""
            line += text + " " * (width - cell_len(text))
        lines.append(line.rstrip())
    return lines
