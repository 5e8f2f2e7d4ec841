"""Wins, threats and forks, compared with their definitions; lasting threats and what they prove, with plain search."""

from itertools import zip_longest
from random import Random

import pytest

from engine.analysis.solvers import solver_of
from engine.connect_solver.lasting_threats import deciding_threats, lasting_threats
from engine.game import Game, Position, Side
from engine.games import parse_game
from engine.grid_game import GridGame
from engine.spaces import space_of
from engine.tactics import forks, row_of, threats, wins
from tests.oracles import debrief as oracles
from tests.oracles import lines
from tests.oracles.debrief import Oracle
from tests.random_games import random_match
from tests.sizes import quick_game

AIR = "......./......./......./......./"
"""The upper rows of Connect Four."""


def assert_true(game: Game, oracle: Oracle, position: Position, here: object) -> None:
    """Wins, threats and forks are those of the definition."""
    found = [[game.move_name(move) for move in find(game, position)] for find in (wins, threats, forks)]
    after = {move: oracle.play(here, move) for move in oracle.moves(here)}
    true_forks = [
        move
        for move, there in after.items()
        if not oracle.outcome(there) and len(oracles.threats(oracle, there)) > 1 and not oracles.wins(oracle, there)
    ]
    assert found == [oracles.wins(oracle, here), oracles.threats(oracle, here), true_forks], game.to_text(position)


@quick_game
def test_wins_threats_and_forks(game: Game):
    for position in space_of(game).position.tolist()[::3]:
        assert_true(game, oracles.oracle_of(game.name), position, game.to_text(position))


def test_wins_threats_and_forks_of_connect_four():
    game, random, oracle = parse_game("connectfour"), Random(1), lines.oracle(lambda _: {})
    for _ in range(10):
        match, here = random_match(game, random), oracle.start
        for position, move in zip_longest(match.positions, match.moves):
            assert_true(game, oracle, position, here)
            here = here if move is None else oracle.play(here, game.move_name(move))


@pytest.mark.parametrize(
    ("name", "text", "seen"),
    [
        ("tictactoe", "XX./OO./... X", []),
        ("tictactoe", "XXX/OO./... O", ["a3 b3 c3"]),
        ("tictactoe", "XXX/XOO/XOO O", ["a3 b3 c3", "a3 a2 a1"]),
        ("misere", "XO./OX./..X O", ["a3 b2 c1"]),
        ("hexapawn", "BBB/.../WWW W", []),
        ("connectfour", AIR + "OOO..../XXXX... O", ["a1 b1 c1 d1"]),
        ("connectfour", AIR + "OOO..../XXX.... X", []),
    ],
)
def test_rows_that_end_a_game(name: str, text: str, seen: list[str]):
    game = parse_game(name)
    assert isinstance(game, GridGame)
    found = game.board.completed(game.from_text(text))
    assert {" ".join(game.grid.names[square] for square in row) for row in found} == set(seen)
    assert len(found) == len(seen)


@pytest.mark.parametrize(
    ("name", "text", "move", "row"),
    [
        ("tictactoe", "XX./OO./... X", "c3", "a3 b3 c3"),
        ("tictactoe", "XX./OO./... X", "c1", ""),
        ("misere", "XX./OO./... X", "c3", "a3 b3 c3"),  # X loses, but the row is complete
        ("hexapawn", "B../BW./... B", "a2a1", ""),
        ("connectfour", AIR + "OOO..../XXX.... X", "d", "a1 b1 c1 d1"),
        ("connectfour", AIR + "OOO..../XXX.... X", "e", ""),
    ],
)
def test_the_row_that_a_move_completes(name: str, text: str, move: str, row: str):
    game = parse_game(name)
    assert isinstance(game, GridGame)
    position = game.from_text(text)
    found = row_of(game, position, game.parse_move(position, move))
    assert " ".join(game.grid.names[square] for square in found) == row


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
