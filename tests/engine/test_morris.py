"""Three men's morris: compared with a slow program; the value of each first move without a limit of plies; texts."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

import numpy as np

from engine.game import BadText
from engine.games import parse_game
from engine.solve import edge_values
from engine.space import RUNNING
from engine.spaces import space_of
from tests.oracles.counting import walked
from tests.oracles.rules import other
from tests.sizes import short_and_long

MORRIS = parse_game("morris")
SQUARES = ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")
NEXT = {
    "a3": "b3 a2", "b3": "a3 c3 b2", "c3": "b3 c2",
    "a2": "a3 b2 a1", "b2": "b3 a2 c2 b1", "c2": "c3 b2 c1",
    "a1": "a2 b1", "b1": "a1 b2 c1", "c1": "b1 c2",
}  # fmt: skip
ROWS = ("a3 b3 c3", "a2 b2 c2", "a1 b1 c1", "a3 a2 a1", "b3 b2 b1", "c3 c2 c1", "a3 b2 c1", "c3 b2 a1")

Board = frozenset[tuple[str, str]]
"""Pairs of a square and the mark on it."""


@cache
def winner(board: Board) -> str | None:
    return next((mark for mark in "XO" for row in ROWS if {(square, mark) for square in row.split()} <= board), None)


def moves(board: Board, mover: str) -> Iterator[tuple[str, Board]]:
    """The name of each move, and the board after it."""
    taken = dict(board)
    own = [square for square in SQUARES if taken.get(square) == mover]
    if len(own) < 3:
        yield from ((square, board | {(square, mover)}) for square in SQUARES if square not in taken)
        return
    for square in own:
        for goal in NEXT[square].split():
            if goal not in taken:
                yield square + goal, board - {(square, mover)} | {(goal, mover)}


def written(board: Board, plies: int) -> str:
    letters = [dict(board).get(square, ".") for square in SQUARES]
    return f"{'/'.join(''.join(letters[row : row + 3]) for row in (0, 3, 6))} {'XO'[plies % 2]} {plies}"


@short_and_long("most", 7, 30)
def test_positions_moves_and_outcomes_agree_with_a_slow_program(most: int):
    space = space_of(MORRIS)
    marks = {RUNNING: None, 0: "X", 1: "O", 2: "draw"}
    layer: set[Board] = {frozenset()}
    for plies in range(most + 1):
        rows = np.flatnonzero(space.ply == plies).tolist()
        reported = {MORRIS.to_text(int(space.position[row])): marks[int(space.outcome[row])] for row in rows}
        end = "draw" if plies == 30 else None
        assert reported == {written(board, plies): winner(board) or end for board in layer}
        after = set[Board]()
        for board in layer:
            position = MORRIS.from_text(written(board, plies))
            over = winner(board) is not None or plies == 30
            ways = {} if over else dict(moves(board, "XO"[plies % 2]))
            assert {MORRIS.move_name(move) for move in MORRIS.moves(position)} == set(ways)
            after |= set(ways.values())
        layer = after
    assert len(space.position) == 40_350


def endless_values() -> dict[tuple[Board, str], int]:
    """The value of each position to the side to move in the game without a limit: who cannot force a win draws."""
    start: tuple[Board, str] = (frozenset(), "X")

    @cache
    def after(state: tuple[Board, str]) -> list[tuple[Board, str]]:
        board, mover = state
        return [] if winner(board) else [(reached, other(mover)) for _, reached in moves(board, mover)]

    states = walked(start, after)
    value = {state: -1 for state in states if winner(state[0])}
    before = -1
    while len(value) > before:
        before = len(value)
        for state in states:
            if state not in value and any(value.get(each) == -1 for each in after(state)):
                value[state] = 1
            elif state not in value and all(value.get(each) == 1 for each in after(state)):
                value[state] = -1
    return {state: value.get(state, 0) for state in states}


def test_the_limit_of_plies_changes_the_value_of_no_first_move():
    value, space = endless_values(), space_of(MORRIS)
    reported = {
        MORRIS.move_name(int(space.move[edge])): int(edge_values(space)[edge]) for edge in space.edges(MORRIS.start)
    }
    assert reported == {name: -value[board, "O"] for name, board in moves(frozenset(), "X")}
    assert reported == {square: {2: 0, 3: -1, 4: 1}[len(NEXT[square].split())] for square in SQUARES}


def test_a_board_is_read_if_and_only_if_play_can_reach_it():
    known = set(space_of(MORRIS).position.tolist())
    for pieces in (4, 5, 6):
        for squares in combinations(SQUARES, pieces):
            for crosses in combinations(squares, (pieces + 1) // 2):
                board = frozenset((square, "X" if square in crosses else "O") for square in squares)
                for plies in (pieces, pieces + 1, 30):
                    text = written(board, plies)
                    try:
                        assert MORRIS.from_text(text) in known, text
                    except BadText:
                        assert MORRIS.pack(*masks(board), plies % 2, plies) not in known, text


def masks(board: Board) -> tuple[int, int]:
    first, second = (sum(1 << SQUARES.index(square) for square, each in board if each == mark) for mark in "XO")
    return first, second
