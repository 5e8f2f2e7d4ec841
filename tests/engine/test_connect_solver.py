"""The solver against plain search on small boards, and against published scores on the usual one."""

import csv
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine.connect_solver.games import require_shape
from engine.connect_solver.solver import Solver
from engine.game import BadText, Position
from engine.games import parse_game
from engine.stop import Stopped

GAME = parse_game("connectfour")
DATA = Path(__file__).parents[1] / "data/connect4"
EASY = ["end-easy", "middle-easy"]
HARD = ["middle-medium", "begin-easy", "begin-medium", "begin-hard"]


@cache
def solver(name: str = "connectfour") -> Solver:
    return Solver(parse_game(name), megabytes=32)


def played(columns: str, *, mirrored: bool = False) -> Position:
    position = GAME.start
    for digit in columns:
        column = int(digit) - 1
        position = GAME.play(position, 6 - column if mirrored else column)
    return position


def rows(name: str) -> Iterator[tuple[str, int, dict[int, int]]]:
    """The positions of a file: the columns played, the score, and the score of each column."""
    with (DATA / f"{name}.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield row["moves"], int(row["score"]), {int(key) - 1: int(row[key]) for key in "1234567" if row[key]}


@pytest.mark.parametrize("name", [*EASY, *(pytest.param(each, marks=pytest.mark.long) for each in HARD)])
def test_published_scores_of_positions_and_their_mirror_images(name: str):
    for columns, score, _ in rows(name):
        assert solver().solve(played(columns)).score == score, columns
        assert solver().solve(played(columns, mirrored=True)).score == score, columns
        assert solver().solve(played(columns), weak=True).score == (score > 0) - (score < 0), columns


@pytest.mark.parametrize("name", [*EASY, *(pytest.param(each, marks=pytest.mark.long) for each in HARD)])
def test_published_scores_of_every_column(name: str):
    for columns, score, each in rows(name):
        found = {move: solved.score for move, solved in solver().analyse(played(columns), threads=2).items()}
        assert found == each, columns
        assert max(found.values()) == score


def test_a_search_stops_at_once():
    """The start of the game takes minutes; all threads end."""
    began = threading.Event()

    def stop() -> bool:
        began.set()
        return True

    before = threading.active_count()
    with pytest.raises(Stopped):
        Solver(GAME, megabytes=1).solve(GAME.start, stop=stop)
    with pytest.raises(Stopped):
        Solver(GAME, megabytes=1).analyse(GAME.start, threads=2, stop=stop)
    assert began.is_set()
    assert threading.active_count() == before


@pytest.mark.parametrize(
    "name", ["tictactoe", "mnk:4,4,3", "mnk:4,4,3+misere+gravity", "mnk:4,4,3+wild+gravity", "mnk:8,8,4+gravity"]
)
def test_other_games_are_refused(name: str):
    with pytest.raises(BadText, match="has no solver"):
        require_shape(parse_game(name))
