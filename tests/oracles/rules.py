"""The rules of games on plain strings: slow and obvious.

A position is its written form, `XO./.X./... O`; a move is its name, `b2` or `a1a2`; an outcome is the winner's mark or
`draw`. Everything is looked up by square name in a dictionary.

The rules of two games are written here, independently of the engine. Those of any other game are derived from its
`moves`, `play` and `outcome`: with them everything that is built on the rules is checked, but not the rules themselves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from engine.game import Game, Outcome
from engine.games import parse_game
from engine.spaces import space_of
from tests.small_games import NOT_LISTED

SQUARES = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
LINES = ["a3b3c3", "a2b2c2", "a1b1c1", "a1a2a3", "b1b2b3", "c1c2c3", "a1b2c3", "a3b2c1"]
DRAW = "draw"


@dataclass(frozen=True)
class Rules:
    start: str
    marks: tuple[str, str]
    outcome: Callable[[str], str | None]
    moves: Callable[[str], list[str]]
    """Legal moves, in the order of the squares from the top left."""
    play: Callable[[str, str], str]
    seen: Callable[[str], list[tuple[str, dict[str, str]]]]
    """The images of a position under all symmetries, each with the square that each square is moved to."""
    passed: Callable[[str], str | None]
    """The position with the other side to move, or `None` if that has no meaning."""
    pieces: tuple[str, ...] = ()
    """The marks of the pieces, where they are not those of the sides."""

    def other(self, mark: str) -> str:
        """The mark of the other side."""
        return self.marks[1 - self.marks.index(mark)]


def squares_of_board(position: str) -> list[str]:
    """The names of the squares of a position, from the top left."""
    rows = position.split(" ", maxsplit=1)[0].split("/")
    return named_squares(len(rows[0]), len(rows))


@cache
def named_squares(columns: int, rows: int) -> list[str]:
    return [f"{chr(ord('a') + column)}{rows - row}" for row in range(rows) for column in range(columns)]


def read(position: str) -> tuple[dict[str, str], str]:
    rows, mover = position.split(" ")
    return dict(zip(squares_of_board(position), rows.replace("/", ""), strict=True)), mover


def write(board: dict[str, str], mover: str) -> str:
    """A position from the pieces on its squares, given in any order."""
    columns, rows = sorted({square[0] for square in board}), sorted({square[1:] for square in board}, key=int)
    return f"{'/'.join(''.join(board[column + row] for column in columns) for row in reversed(rows))} {mover}"


def other(mark: str) -> str:
    return {"X": "O", "O": "X", "W": "B", "B": "W"}[mark]


def turned_over(position: str) -> str:
    """The position with the other side to move."""
    rows, mover = position.split(" ")
    return f"{rows} {other(mover)}"


def has_line(board: dict[str, str], mark: str) -> bool:
    return any(board[line[:2]] == board[line[2:4]] == board[line[4:]] == mark for line in LINES)


@cache
def three_in_a_row(position: str) -> str | None:
    board, _ = read(position)
    for mark in "XO":
        if has_line(board, mark):
            return mark
    return None if "." in board.values() else DRAW


@cache
def three_in_a_row_loses(position: str) -> str | None:
    outcome = three_in_a_row(position)
    return outcome if outcome in (None, DRAW) else other(outcome)


@cache
def placements(position: str) -> list[str]:
    board, _ = read(position)
    return [] if three_in_a_row(position) else [square for square in SQUARES if board[square] == "."]


@cache
def place(position: str, move: str) -> str:
    board, mover = read(position)
    assert board[move] == "."
    return write({**board, move: mover}, other(mover))


def mirrored(square: str) -> str:
    return {"a": "c", "b": "b", "c": "a"}[square[0]] + square[1]


def turned(square: str) -> str:
    """A quarter turn: the left column becomes the bottom row."""
    return "cba"[int(square[1]) - 1] + {"a": "1", "b": "2", "c": "3"}[square[0]]


def mover(position: str) -> str:
    """The side to move; what may follow it, such as the moves made, is no matter here."""
    return position.split(" ")[1]


def through(position: str, goes: dict[str, str]) -> str:
    board, mover = read(position)
    return write({goes[square]: letter for square, letter in board.items()}, mover)


@cache
def seen_in_square(position: str) -> list[tuple[str, dict[str, str]]]:
    symmetries = []
    goes = {square: square for square in SQUARES}
    for _ in range(4):
        symmetries += [goes, {square: mirrored(goal) for square, goal in goes.items()}]
        goes = {square: turned(goal) for square, goal in goes.items()}
    return [(through(position, goes), goes) for goes in symmetries]


def move_through(move: str, goes: dict[str, str]) -> str:
    """The image of a move under a symmetry, by its name or by the squares in it."""
    if move in goes:
        return goes[move]
    return "".join(goes[move[start : start + 2]] for start in range(0, len(move), 2))


def derived(game: Game) -> Rules:
    """The rules of a game as the game itself states them."""
    names = game.board.grid.names
    space = space_of(game)
    every_move = sorted(set(space.move.tolist()))
    goes = [  # of squares and of moves; where the piece can be chosen, the symmetries are those of both kinds of piece
        {name: names[goal % len(names)] for name, goal in zip(names, symmetry, strict=False)}
        | {game.move_name(move): game.move_name(game.transform_move(move, symmetry)) for move in every_move}
        for symmetry in game.symmetries
    ]
    position_of = {game.to_text(position): position for position in space.position.tolist()}

    def written(position: int) -> str:
        text = game.to_text(position)
        position_of[text] = position
        return text

    @cache
    def outcome(text: str) -> str | None:
        ended = game.outcome(position_of[text])
        return None if ended is None else DRAW if ended is Outcome.DRAW else game.marks[ended]

    @cache
    def moves(text: str) -> list[str]:
        return [game.move_name(move) for move in game.moves(position_of[text])]

    @cache
    def play(text: str, move: str) -> str:
        position = position_of[text]
        return written(game.play(position, game.parse_move(position, move)))

    @cache
    def seen(text: str) -> list[tuple[str, dict[str, str]]]:
        return [
            (written(game.transform(position_of[text], symmetry)), way)
            for symmetry, way in zip(game.symmetries, goes, strict=True)
        ]

    @cache
    def passed(text: str) -> str | None:
        position = game.null_move(position_of[text])
        return None if position is None else written(position)

    pieces = tuple(piece.mark for piece in game.board.pieces)
    return Rules(game.to_text(game.start), game.marks, outcome, moves, play, seen, passed, pieces)


WRITTEN = {
    "tictactoe": Rules(".../.../... X", ("X", "O"), three_in_a_row, placements, place, seen_in_square, turned_over),
    "misere": Rules(".../.../... X", ("X", "O"), three_in_a_row_loses, placements, place, seen_in_square, turned_over),
}
"""The rules that are written here, by the name of the game."""


class AllRules(dict[str, Rules]):
    """The rules of every game with few enough positions for a slow program; derived when asked for, if not written."""

    def __missing__(self, name: str) -> Rules:
        game = next((game for game in NOT_LISTED if game.name == name), None) or parse_game(name)
        return self.setdefault(name, derived(game))


RULES = AllRules(WRITTEN)
