"""The rules of the three games on plain strings: slow, naive, and sharing nothing with the engine.

A position is its written form, `XO./.X./... O`; a move is its name, `b2` or `a1a2`; an outcome is the winner's mark or
`draw`. Everything is looked up by square name in a dictionary.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

SQUARES = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
LINES = ["a3b3c3", "a2b2c2", "a1b1c1", "a1a2a3", "b1b2b3", "c1c2c3", "a1b2c3", "a3b2c1"]
DRAW = "draw"


@dataclass(frozen=True)
class Rules:
    start: str
    marks: tuple[str, str]
    outcome: Callable[[str], str | None]
    moves: Callable[[str], list[str]]
    """In the order of the squares from the top left, as the learners number their candidates."""
    play: Callable[[str, str], str]
    seen: Callable[[str], list[tuple[str, dict[str, str]]]]
    """A position through every symmetry: the image, and where each square goes."""


def read(position: str) -> tuple[dict[str, str], str]:
    rows, mover = position.split(" ")
    return dict(zip(SQUARES, rows.replace("/", ""), strict=True)), mover


def write(board: dict[str, str], mover: str) -> str:
    letters = "".join(board[square] for square in SQUARES)
    return f"{letters[:3]}/{letters[3:6]}/{letters[6:]} {mover}"


def other(mark: str) -> str:
    return {"X": "O", "O": "X", "W": "B", "B": "W"}[mark]


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


def steps(position: str) -> list[str]:
    board, mover = read(position)
    ahead = 1 if mover == "W" else -1
    found = []
    for source in SQUARES:
        if board[source] != mover:
            continue
        row = str(int(source[1]) + ahead)
        for target in SQUARES:
            if target[1] == row:
                aside = abs(ord(target[0]) - ord(source[0]))
                if (aside == 0 and board[target] == ".") or (aside == 1 and board[target] == other(mover)):
                    found.append(source + target)
    return found


@cache
def pawns_outcome(position: str) -> str | None:
    board, mover = read(position)
    far_row = "3" if other(mover) == "W" else "1"
    if any(board[column + far_row] == other(mover) for column in "abc"):
        return other(mover)
    return None if steps(position) else other(mover)


@cache
def pawn_moves(position: str) -> list[str]:
    return [] if pawns_outcome(position) else steps(position)


@cache
def step(position: str, move: str) -> str:
    board, mover = read(position)
    assert move in steps(position)
    return write({**board, move[:2]: ".", move[2:]: mover}, other(mover))


def mirrored(square: str) -> str:
    return {"a": "c", "b": "b", "c": "a"}[square[0]] + square[1]


def turned(square: str) -> str:
    """A quarter turn: the left column becomes the bottom row."""
    return "cba"[int(square[1]) - 1] + {"a": "1", "b": "2", "c": "3"}[square[0]]


def through(position: str, goes: dict[str, str]) -> str:
    board, mover = read(position)
    return write({goes[square]: letter for square, letter in board.items()}, mover)


@cache
def seen_in_mirror(position: str) -> list[tuple[str, dict[str, str]]]:
    symmetries = [{square: square for square in SQUARES}, {square: mirrored(square) for square in SQUARES}]
    return [(through(position, goes), goes) for goes in symmetries]


@cache
def seen_in_square(position: str) -> list[tuple[str, dict[str, str]]]:
    symmetries = []
    goes = {square: square for square in SQUARES}
    for _ in range(4):
        symmetries += [goes, {square: mirrored(goal) for square, goal in goes.items()}]
        goes = {square: turned(goal) for square, goal in goes.items()}
    return [(through(position, goes), goes) for goes in symmetries]


def move_through(move: str, goes: dict[str, str]) -> str:
    return "".join(goes[move[start : start + 2]] for start in range(0, len(move), 2))


RULES = {
    "tictactoe": Rules(".../.../... X", ("X", "O"), three_in_a_row, placements, place, seen_in_square),
    "misere": Rules(".../.../... X", ("X", "O"), three_in_a_row_loses, placements, place, seen_in_square),
    "hexapawn": Rules("BBB/.../WWW W", ("W", "B"), pawns_outcome, pawn_moves, step, seen_in_mirror),
}
