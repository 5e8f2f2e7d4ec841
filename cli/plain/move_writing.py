"""How moves are written in a line: by name, or by digits on boards with few squares or columns."""

import re
from collections.abc import Sequence

from engine.game import Game


def how_to_write(game: Game) -> str:
    """How to write a move of a game, in a sentence."""
    digits, move = _digits(game), game.moves(game.start)[0]
    if _drops(game):
        return f"Write a move as its column: a letter from {digits[0]} to {digits[-1]}, or its number."
    if not digits:
        return f"Write a move as {game.move_name(move)}."
    option = game.board.option(game.start, move).lower()
    digits_of_move = "".join(str(square + 1) for square in game.board.squares(game.start, move)) + option
    return f"Write a move as {game.move_name(move)}, or as {digits_of_move} (the squares counted in reading order)."


def named(game: Game, line: str) -> str:
    """Turn a move written in digits into its name; leave anything else, without spaces and dashes."""
    line, digits = re.sub(r"[\s-]", "", line) or line, dict(zip("123456789", _digits(game), strict=False))
    name = "".join(digits.get(letter, letter) for letter in line)
    return name if game.is_move_name(name) or (len(line) == 1 and not game.is_move_name(line)) else line


def _digits(game: Game) -> Sequence[str]:
    """Return the moves or squares that the digits from 1 stand for; none on a board with more squares than digits."""
    names = game.board.grid.names
    if _drops(game):
        return [name[0] for name in names[: game.board.columns]]
    return names if len(names) < 10 else ()


def _drops(game: Game) -> bool:
    """Whether a move is a column, and its name the column's letter."""
    return game.is_move_name(game.board.grid.names[0][0])
