"""What a screen shows at a glance, as sentences for whoever listens: a board, a list, an error."""

from collections.abc import Sequence

from engine.game import Game, Position
from lab.words.sanitise import plain


def listed(words: Sequence[str]) -> str:
    """`a1`, `a1 and b2`, `a1, b2 and c3`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def pieces_text(game: Game, position: Position) -> str:
    """A board in words: `X on a3 and b2. O on c1.`"""
    names, cells = game.board.grid.names, game.board.cells(position)
    told = []
    for piece in game.board.pieces:
        squares = [name for name, cell in zip(names, cells, strict=True) if cell == piece]
        if squares:
            told.append(f"{piece.mark} on {listed(squares)}.")
    return " ".join(told) or "The board is empty."


def one_line(error: Exception) -> str:
    """A foreign error, fit for a terminal."""
    return plain(" ".join(str(error).split()), 400)
