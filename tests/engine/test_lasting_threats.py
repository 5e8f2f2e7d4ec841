"""Lasting threats, and the wins that they prove, against plain search."""

from random import Random

from engine.analysis.solvers import solver_of
from engine.connect_solver.lasting_threats import deciding_threats, lasting_threats
from engine.game import Side
from engine.games import parse_game
from tests.random_games import random_match

GAME = parse_game("connectfour")


def test_a_threat_lasts_where_nobody_can_play_yet():
    """X has b2, c2 and d2. O, to move, has b1, c1 and d1, and can complete its line at once."""
    position = GAME.start
    for column in "gbbccdd":
        position = GAME.play(position, GAME.parse_move(position, column))
    found = {GAME.board.grid.name(each.square): each for each in lasting_threats(GAME, position)}
    assert set(found) == {"a2", "e2"}
    assert {(each.side, each.is_odd, each.counts) for each in found.values()} == {(Side.FIRST, False, False)}
    assert deciding_threats(GAME, position) == ()


def test_a_deciding_threat_wins():
    """Of every position of games by lot that a threat decides, the solver says the same; both sides occur."""
    random, solver, seen = Random(3), solver_of(GAME), set[Side]()
    for _ in range(200):
        for position in random_match(GAME, random).positions:
            threats = deciding_threats(GAME, position)
            if threats:
                assert threats[0].side is not GAME.side(position)
                assert solver.solve(position, weak=True).score == -1
                assert all(each.counts for each in threats)
                seen.add(threats[0].side)
    assert seen == set(Side)
