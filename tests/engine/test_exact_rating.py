"""Ratings of large games that have a solver, and how best play goes on: against the scores, and with little time."""

from math import inf
from random import Random

import pytest

from engine.analysis.debrief import outlook
from engine.analysis.rating import RatedMove, is_open, keeps_value, prove_best, rate_in_steps, rate_moves
from engine.connect_solver.lasting_threats import deciding_threats
from engine.game import Outcome, Position
from engine.games import parse_game
from engine.known_positions import known_positions
from engine.stop import Stopped
from tests.random_games import random_match

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


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("connectfour", 16),
        pytest.param("mnk:3,5,3+gravity", 5, marks=pytest.mark.long),  # the kernels are compiled for each board
        pytest.param("mnk:6,5,4+gravity", 19, marks=pytest.mark.long),
    ],
)
def test_an_outlook_ends_as_the_solver_says_and_no_earlier_position_tells(name: str, pieces: int):
    game, random, ends = parse_game(name), Random(5), set[bool]()
    for _ in range(16):
        match = random_match(game, random, pieces)
        if match.outcome is not None:
            continue
        start = match.position
        found = outlook(game, start, seconds=inf)
        best = prove_best(game, start)
        winner = game.side(start) if best.value == 1 else game.side(start).other if best.value == -1 else None
        if found.threats:
            assert {each.side for each in found.threats} == {winner}
        else:
            assert found.match.outcome == (Outcome.DRAW if winner is None else Outcome.won_by(winner))
            assert winner is None or len(found.match.moves) == best.plies
        assert not any(deciding_threats(game, each) for each in found.match.positions[:-1])
        for position, move in zip(found.match.positions, found.match.moves, strict=False):
            merits = {each.move: each.merit for each in rate_moves(game, position, seconds=inf)}
            assert merits[move] == max(merits.values())
        ends.add(bool(found.threats))
    assert ends == {True, False}


def test_an_outlook_that_takes_too_long_is_left_out():
    assert outlook(GAME, GAME.start, seconds=0) is None


def test_an_outlook_can_be_stopped():
    with pytest.raises(Stopped):
        outlook(GAME, GAME.start, lambda: True)
