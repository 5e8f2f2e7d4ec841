"""Hexapawn on boards of all sizes: a comparison with a slow program, and boards that are refused."""

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from engine.game import Outcome
from engine.games import parse_game
from engine.solve import values
from engine.space import RUNNING
from engine.space_building import MAX_BY_MOVE
from engine.spaces import space_of
from tests.oracles.counting import walked

SIZES = tuple(product(range(1, 10), range(3, 10)))


Rows = tuple[str, ...]
"""The rows of a board from the side to move: its own pawns are `m` and move up, towards the first row."""


def moves(rows: Rows) -> Iterator[Rows]:
    """The boards after each move, seen by the same side."""
    for row, column in product(range(1, len(rows)), range(len(rows[0]))):
        for aside in (-1, 0, 1):
            there = column + aside
            wanted = "e" if aside else "."
            if rows[row][column] == "m" and 0 <= there < len(rows[0]) and rows[row - 1][there] == wanted:
                board = [list(each) for each in rows]
                board[row][column], board[row - 1][there] = ".", "m"
                yield tuple(map("".join, board))


def turned(rows: Rows) -> Rows:
    """The board from the other side."""
    return tuple(row[::-1].translate(str.maketrans("me", "em")) for row in rows[::-1])


@cache
def lost(rows: Rows) -> bool:
    """Whether the side to move has lost already."""
    return "e" in rows[-1] or not any(True for _ in moves(rows))


@cache
def wins(rows: Rows) -> bool:
    """Whether the side to move can win."""
    return not lost(rows) and any(not wins(turned(after)) for after in moves(rows))


def start_of(columns: int, rows: int) -> Rows:
    return "e" * columns, *["." * columns] * (rows - 2), "m" * columns


def slow_space(columns: int, rows: int) -> dict[str, str | None]:
    """Every position that play reaches, as text, with its winner or `None`."""

    def after(state: tuple[Rows, str]) -> list[tuple[Rows, str]]:
        board, mover = state
        return [] if lost(board) else [(turned(each), "WB"[mover == "W"]) for each in moves(board)]

    winners = {}
    for board, mover in walked((start_of(columns, rows), "W"), after):
        seen, enemy = (board, "B") if mover == "W" else (turned(board), "W")
        text = "/".join(seen).translate(str.maketrans("me", "WB"))
        winners[f"{text} {mover}"] = enemy if lost(board) else None
    return winners


@pytest.mark.parametrize(
    "name",
    [
        "hexapawn",
        "hexapawn:3,4",
        "hexapawn:4,3",
        "hexapawn:2,6",
        "hexapawn:1,5",
        pytest.param("hexapawn:4,4", marks=pytest.mark.long),
    ],
)
def test_positions_and_winners_agree_with_a_slow_program(name: str):
    game = parse_game(name)
    space, (columns, rows) = space_of(game), (game.board.columns, game.board.rows)
    marks = {RUNNING: None, 0: "W", 1: "B"}
    winners = zip(map(game.to_text, space.position.tolist()), space.outcome.tolist(), strict=True)
    assert {text: marks[outcome] for text, outcome in winners} == slow_space(columns, rows)
    assert values(space)[0] == (1 if wins(start_of(columns, rows)) else -1)


@pytest.mark.parametrize(("text", "reason"), [(".B./.W./... B", "B cannot move"), (".BW/B../W.W B", "")])
def test_hexapawn_says_why_a_game_ended_that_no_edge_ended(text: str, reason: str):
    game = parse_game("hexapawn")
    assert game.outcome(game.from_text(text)) is Outcome.FIRST_WINS
    assert game.end_reason(game.from_text(text)) == reason


@pytest.mark.long
def test_numbered_boards_have_a_space():
    for size in SIZES:
        game = parse_game("hexapawn:{},{}".format(*size))
        if game.numbered:
            space = space_of(game)
            assert len(space.position) <= MAX_BY_MOVE // 2
            assert int(space.ply.max()) <= game.longest
