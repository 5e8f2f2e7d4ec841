"""Ratings of Connect Four, where a solver stands behind them: against published scores, and while it still looks."""

import csv
from pathlib import Path

import pytest

from engine.analysis.rating import is_open, keeps_value, rate_in_steps, rate_moves
from engine.game import Position
from engine.games import parse_game
from engine.stop import Stopped

GAME = parse_game("connectfour")
DATA = Path(__file__).parents[1] / "data/connect4/end-easy.csv"


def after(columns: str) -> Position:
    position = GAME.start
    for column in columns:
        position = GAME.play(position, int(column) - 1)
    return position


def test_values_and_plies_are_those_of_the_published_scores():
    """A score of s is a win with the winner's 22 − s th piece; seen from the move, its plies count from here."""
    with DATA.open(encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    for row in rows:
        made, position = len(row["moves"]), after(row["moves"])
        rated = rate_moves(GAME, position)
        assert [each.move for each in rated] == list(GAME.moves(position))
        for each in rated:
            score = int(row[str(each.move + 1)])
            assert each.value == (score > 0) - (score < 0)
            if score:
                winner_is_first = (score > 0) == (made % 2 == 0)
                last = 2 * (22 - abs(score)) - winner_is_first
                assert each.plies == last - made


def test_a_value_that_takes_long_is_estimated_first_and_then_replaced():
    """A position with 12 pieces takes a tenth of a second or more."""
    position = after("111112222233")
    early = rate_moves(GAME, position, seconds=0)
    *_, last = rate_in_steps(GAME, position)
    assert [each.move for each in early] == [each.move for each in last]
    assert not is_open(GAME, last)
    assert all(one.value in {two.value, None} for one, two in zip(early, last, strict=True))


def test_a_rating_stops():
    with pytest.raises(Stopped):
        rate_moves(GAME, after("7161253443"), stop=lambda: True)


@pytest.mark.sample(1)
@pytest.mark.parametrize("columns", ["121212", "444444321123", "23163416124767223154467471272416755"])
def test_which_moves_keep_the_value(columns: str):
    position = after(columns)
    values = {each.move: each.value for each in rate_moves(GAME, position, seconds=60)}
    best = max(value for value in values.values() if value is not None)
    assert {move for move in values if keeps_value(GAME, position, move)} == {
        move for move, value in values.items() if value == best
    }
