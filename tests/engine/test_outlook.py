"""How best play goes on: against the scores of the solver, and with a limit of time."""

from math import inf
from random import Random

import pytest

from engine.analysis.outlook import outlook
from engine.analysis.rating import prove_best, rate_moves
from engine.connect_solver.lasting_threats import deciding_threats
from engine.game import Outcome
from engine.games import parse_game
from engine.stop import Stopped
from tests.random_games import random_match

GAMES = [parse_game("connectfour"), parse_game("mnk:6,5,4+gravity")]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_an_outlook_ends_as_the_solver_says_and_no_earlier_position_tells(game):
    random, ends = Random(5), set[bool]()
    for _ in range(16):
        match = random_match(game, random, 16)
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
    game = parse_game("mnk:8,6,4+gravity")
    assert outlook(game, game.start, seconds=0) is None


def test_an_outlook_can_be_stopped():
    game = parse_game("mnk:8,6,4+gravity")
    with pytest.raises(Stopped):
        outlook(game, game.start, lambda: True)
