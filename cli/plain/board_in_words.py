"""A board in words, for people who listen instead of looking."""

from collections.abc import Sequence

from engine.game import Game, Position


def _listed(words: Sequence[str]) -> str:
    """List words: `a1`, `a1 and b2`, `a1, b2 and c3`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def pieces_text(game: Game, position: Position) -> str:
    """Return a board in words, as in `X on a3 and b2. O on c1.`"""
    names, cells = game.board.grid.names, game.board.cells(position)
    sentences = []
    for piece in game.board.pieces:
        squares = [name for name, cell in zip(names, cells, strict=True) if cell == piece]
        if squares:
            sentences.append(f"{piece.mark} on {_listed(squares)}.")
    return " ".join(sentences) or "The board is empty."
