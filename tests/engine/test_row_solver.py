"""The solver of m,n,k-games without gravity, against the exact values of spaces."""

import pytest

from engine.analysis.solvers import solver_for
from engine.game import Side
from engine.games import parse_game
from engine.row_solver.games import rows_of
from engine.solve import values
from engine.spaces import space_of
from engine.stop import Stopped


@pytest.mark.parametrize(
    ("name", "every"),
    [
        ("tictactoe", 1),
        ("mnk:3,3,2", 1),
        pytest.param("mnk:4,3,3", 1, marks=pytest.mark.long),
        pytest.param("mnk:5,3,3", 97, marks=pytest.mark.long),
        pytest.param("mnk:4,4,3", 997, marks=pytest.mark.long),
        pytest.param("mnk:4,4,4", 997, marks=pytest.mark.long),
    ],
)
def test_the_row_solver_agrees_with_the_values_of_every_position(name, every):
    game = parse_game(name)
    space, tested, seen = space_of(game), solver_for(game, megabytes=1), set[int]()
    for position, value in zip(space.position[::every], values(space)[::every].tolist(), strict=True):
        score = tested.solve(int(position)).score
        assert score == (value if game.side(int(position)) is Side.FIRST else -value), game.to_text(int(position))
        seen.add(score)
    assert seen >= {-1, 1}


@pytest.mark.parametrize(
    ("name", "score"),
    [("mnk:5,4,4", 0), ("mnk:5,5,4", 0), ("mnk:6,5,4", 1), pytest.param("mnk:7,4,4", 0, marks=pytest.mark.long)],
)
def test_boards_that_no_space_holds(name, score):
    """5 × 5 and 6 × 5: J. Uiterwijk and J. van den Herik, The advantage of the initiative, 2000."""
    game = parse_game(name)
    assert solver_for(game).solve(game.start).score == score


def test_the_score_is_that_of_the_best_move():
    game = parse_game("mnk:4,3,3")
    found = solver_for(game).analyse(game.start)
    assert sorted(found) == list(game.moves(game.start))
    assert max(each.score for each in found.values()) == 1


def test_a_search_stops_at_once():
    game = parse_game("mnk:7,7,5")
    with pytest.raises(Stopped):
        solver_for(game, megabytes=1).solve(game.start, stop=lambda: True)


@pytest.mark.parametrize("name", ["connectfour", "mnk:4,4,3+misere", "mnk:4,4,3+wild", "mnk:8,8,5", "nim:3"])
def test_other_games_are_left_to_others(name):
    assert rows_of(parse_game(name)) is None
