"""Ratings of large games that have a solver: against published scores, while it still looks, and without distances."""

from math import inf

import pytest

from engine.analysis.rating import RatedMove, is_open, keeps_value, prove_best, rate_in_steps, rate_moves
from engine.game import Position
from engine.games import parse_game
from engine.known_positions import known_positions
from engine.stop import Stopped

GAME = parse_game("connectfour")


def after(columns: str) -> Position:
    position = GAME.start
    for column in columns:
        position = GAME.play(position, int(column) - 1)
    return position


def test_values_and_plies_are_those_of_the_published_scores():
    """A score of s is a win with the winner's 22 − s th piece; seen from the move, its plies count from here."""
    for known in known_positions(GAME)[-100:]:
        made, rated = len(known.columns), rate_moves(GAME, known.position, seconds=inf)
        assert [each.move for each in rated] == list(GAME.moves(known.position))
        for each in rated:
            score = known.scores[each.move]
            assert each.value == known.moves[each.move]
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
    values = {each.move: each.value for each in rate_moves(GAME, position, seconds=inf)}
    best = max(value for value in values.values() if value is not None)
    assert {move for move in values if keeps_value(GAME, position, move)} == {
        move for move, value in values.items() if value == best
    }


def test_a_win_beyond_the_horizon_has_no_distance_and_ranks_between_a_near_win_and_a_draw():
    """Where pieces do not fall the solver tells who wins; how soon, only a search of 4 moves."""
    game = parse_game("mnk:6,5,4")
    won = prove_best(game, game.start)
    assert (won.value, won.plies) == (1, 0)
    assert RatedMove(0, 1, 3).merit > won.merit > RatedMove(0, 0).merit
    lost = RatedMove(0, -1)
    assert RatedMove(0, -1, 2).merit < lost.merit < RatedMove(0, 0).merit
    position = game.from_text("....../....../..OO../.XXX../...... O")
    after = {game.move_name(each.move): (each.value, each.plies) for each in rate_moves(game, position)}
    assert after["a3"] == (-1, 2), "X completes its row with a2 or e2"
