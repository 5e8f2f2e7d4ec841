"""Positions and games as one line of text that a person can copy, send and paste.

tictactoe XO./.X./... O          a position: the game, and the position as it is always written
tictactoe b2 a3 c1 resigned      a game: its moves, and `resigned` or `agreed` at the end if no move ended it
tictactoe [XO./.X./... O] c1     a game that began at a position
connectfour 4453                 where pieces drop into columns: the columns played, counted from the left
connectfour d1 d2 e1 c1          the same: the squares that the pieces fall to
"""

import re
from collections.abc import Callable
from typing import Final

from engine.game import SIDES, BadText, Game, IllegalMove, Move, Position, Side, quoted
from engine.grid import EMPTY_WHEN_READ
from engine.match import Match

RESIGNED: Final = "resigned"
AGREED: Final = "agreed"
MAX_CHARACTERS: Final = 1000
"""The maximum number of characters of a text: far more than any game takes."""
FROM_POSITION: Final = re.compile(r"\[([^\[\]]*)\](.*)", re.DOTALL)
"""The first position in brackets, and the moves after it."""
TURN: Final = re.compile(r"(?<![0-9])[0-9]{1,3}\.+")
"""The number of a turn, as in `1. b2 a3 2. c1`. It is ignored."""


def position_text(match: Match) -> str:
    return f"{match.game.name} {match.game.to_text(match.position)}"


def game_text(match: Match) -> str:
    game, first = match.game, match.positions[0]
    words = [game.name] if first == game.start else [game.name, f"[{game.to_text(first)}]"]
    words += [game.move_name(move) for move in match.moves]
    if match.resigned:
        words.append(RESIGNED)
    elif match.agreed:
        words.append(AGREED)
    return " ".join(words)


def parse_game_text(text: str, find: Callable[[str], Game | None], usual: Game) -> Match:
    """Read a game, or a position as a game that begins there. A text that names no game is one of the game `usual`.

    `find` finds a game by its name. Raises `BadText`, also for illegal moves.
    """
    if len(text) > MAX_CHARACTERS:
        raise BadText(f"{quoted(text)} has {len(text):,} characters: no game takes more than {MAX_CHARACTERS:,}")
    stem, _, rest = text.strip().partition(" ")
    named = find(stem.lower().rstrip(":"))
    game, body = (usual, text.strip()) if named is None else (named, rest.strip())
    from_position = FROM_POSITION.fullmatch(body)
    if from_position:
        position, body = from_position.groups()
        match = Match(game, [game.from_text(position)])
    elif _is_position(game, body):
        return Match(game, [game.from_text(body)])
    else:
        match = Match(game)
    for word in TURN.sub(" ", body).replace(",", " ").split():
        _apply(match, word)
    return match


def _is_position(game: Game, text: str) -> bool:
    """Return whether a text is a position rather than moves: rows joined by `/`, or the one row of the board."""
    first = text.partition(" ")[0].upper()
    marks = {*EMPTY_WHEN_READ, *(piece.mark for piece in game.board.pieces)}
    return "/" in text or (game.board.rows == 1 and len(first) == game.board.columns and set(first) <= marks)


def drops(game: Game) -> bool:
    return game.board.pointed(game.start, 0) != 0 and len(game.moves(game.start)) == game.board.columns


def is_columns(game: Game, word: str) -> bool:
    """Return whether a word is the columns that pieces are dropped into, as digits."""
    return word.isascii() and word.isdigit() and drops(game)


def column_of(game: Game, position: Position, move: Move) -> int:
    """Return the column, from 0, that a piece is dropped into."""
    return game.board.squares(position, move)[0] % game.board.columns


def _drop(match: Match, word: str) -> None:
    game, columns = match.game, match.game.board.columns
    for number, digit in enumerate(word, 1):
        moves = () if match.resigned or match.agreed else game.moves(match.position)
        if not moves:
            raise BadText(f"the game is over before move {number} of {quoted(word)}")
        if not 1 <= int(digit) <= columns:
            raise BadText(f"move {number} of {quoted(word)} is column {digit}: there are columns 1 to {columns}")
        move = next((move for move in moves if column_of(game, match.position, move) == int(digit) - 1), None)
        if move is None:
            raise BadText(f"move {number} of {quoted(word)}: column {digit} is full")
        match.play(move)


def _dropped_to(match: Match, word: str) -> Move | None:
    """Return the move whose piece falls to the square that a word names; `None` if there is none."""
    game, position = match.game, match.position
    if not drops(game):
        return None
    squares = {game.board.grid.name(game.board.squares(position, move)[0]): move for move in game.moves(position)}
    return squares.get(word.lower())


def _apply(match: Match, word: str) -> None:
    if is_columns(match.game, word):
        _drop(match, word)
        return
    try:
        if word.lower() == RESIGNED:
            match.resign()
        elif word.lower() == AGREED:
            match.agree()
        else:
            move = _dropped_to(match, word)
            match.play(match.game.parse_move(match.position, word) if move is None else move)
    except IllegalMove as error:
        raise BadText(f"move {len(match.moves) + 1}: {error}") from error


def parse_sides(game: Game, text: str) -> tuple[Side, ...]:
    """Parse sides: `first`, `second`, `both`, or the mark of a side. Raises `BadText`."""
    marked = {game.mark(side).lower(): (side,) for side in Side}
    sides = {**SIDES, **marked}.get(text.lower())
    if sides is None:
        raise BadText(f"no side {quoted(text)}; there are {', '.join(SIDES)}, {' and '.join(map(game.mark, Side))}")
    return sides
