"""How moves are written in a line: by name, or by digits on boards with few squares or columns."""

import re
from collections.abc import Sequence

from engine.game import Game, Move, Position


def how_to_write_moves(game: Game) -> str:
    """How to write a move of a game, in a sentence."""
    digits, move = _digits(game), game.moves(game.start)[0]
    if _moves_are_columns(game):
        return f"Write a move as its column: a letter from {digits[0]} to {digits[-1]}, or its number."
    if not digits:
        return f"Write a move as {game.move_name(move)}."
    in_digits = _written(game, game.start, move, "123456789")[0]
    return f"Write a move as {game.move_name(move)}, or as {in_digits} (the squares counted in reading order)."


def name_of_move(game: Game, position: Position, line: str) -> str:
    """Return the name of the move whose squares a line gives; return any other line without spaces and dashes."""
    line, digits = re.sub(r"[\s-]", "", line) or line, dict(zip("123456789", _digits(game), strict=False))
    if game.is_move_name(line):
        return line
    if not _moves_are_columns(game):
        for names in ("123456789" if digits else (), game.board.grid.names):
            for move in game.moves(position) if names else ():
                if line in _written(game, position, move, names):
                    return game.move_name(move)
    name = "".join(digits.get(letter, letter) for letter in line)
    return name if game.is_move_name(name) or (len(line) == 1 and not game.is_move_name(line)) else line


def _written(game: Game, position: Position, move: Move, names: Sequence[str]) -> list[str]:
    """Return every way to write a move by its squares and its option: one for each allowed order of the squares."""
    option = game.board.option(position, move).lower()
    return ["".join(names[square] for square in way) + option for way in game.board.ways(position, move)]


def _digits(game: Game) -> Sequence[str]:
    """Return the moves or squares that the digits from 1 stand for; none on a board with more squares than digits."""
    names = game.board.grid.names
    if _moves_are_columns(game):
        return [name[0] for name in names[: game.board.columns]]
    return names if len(names) < 10 else ()


def _moves_are_columns(game: Game) -> bool:
    """Whether a move is a column, and its name the column's letter."""
    return game.is_move_name(game.board.grid.names[0][0])
