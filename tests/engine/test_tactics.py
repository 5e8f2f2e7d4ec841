"""Wins, threats, forks and rows in positions made by hand."""

import pytest

from engine.game import Game, Move
from engine.games import parse_game
from engine.grid_game import GridGame
from engine.tactics import forks, row_of, threats, wins

AIR = "......./......./......./......./"
"""The upper rows of Connect Four."""


def names(game: Game, moves: tuple[Move, ...]) -> str:
    return " ".join(game.move_name(move) for move in moves)


@pytest.mark.parametrize(
    ("name", "text", "wins_", "threats_", "forks_"),
    [
        ("tictactoe", ".../.../... X", "", "", ""),
        ("tictactoe", "XX./OO./... X", "c3", "c2", ""),
        ("tictactoe", "X../.O./..X O", "", "", ""),  # opposite corners: O has no fork
        ("tictactoe", "X.O/.O./..X X", "", "a1", "a1"),  # the move that blocks is also a fork
        ("tictactoe", "X../.OO/..X X", "", "a2", ""),  # a1 would threaten twice, but O is quicker
        ("tictactoe", "X../OO./.X. X", "", "c2", ""),
        ("tictactoe", "XX./OO./.OX X", "c3", "c2", ""),  # c2 would make two threats, but on the same square
        ("tictactoe", "XXX/OO./... O", "", "", ""),  # over
        ("tictactoe", "XOX/XOO/OX. X", "", "", ""),  # the last square
        ("misere", "XX./OO./... X", "", "", ""),  # three in a row lose
        ("misere", "XOX/OXO/... X", "", "", ""),
        ("hexapawn", "BBB/.../WWW W", "", "", "b1b2"),  # threatens a3 and c3, and is taken
        ("hexapawn", "BBB/..W/WW. B", "", "c2b3", "b3c2"),
        ("hexapawn", "BBB/.W./W.W B", "", "b2a3 b2c3", "a3b2 c3b2"),
        ("hexapawn", "B.B/.WW/.W. B", "a3b2", "b2a3 b2b3 b2c3", ""),  # wins by leaving no move
        ("hexapawn", "B../BW./... B", "a3b2 a2a1", "b2a3 b2b3", ""),  # by taking all, by reaching the far edge
        ("connectfour", AIR + "......./....... X", "", "", ""),
        ("connectfour", AIR + "..OO.../..XX... X", "", "", "b e"),
        ("connectfour", AIR + "..OO.../.XXX... O", "", "a e", ""),
        ("connectfour", AIR + "OOO..../XXX.... X", "d", "", ""),  # above d1 nothing can be placed yet
        ("connectfour", AIR + ".XXX.../.OXO..O O", "", "", ""),  # both ends of the row hang in the air
        ("connectfour", AIR + "OXXX.O./OXXX.OO O", "", "e", ""),
    ],
)
def test_wins_threats_and_forks(name: str, text: str, wins_: str, threats_: str, forks_: str):
    game = parse_game(name)
    position = game.from_text(text)
    assert names(game, wins(game, position)) == wins_
    assert names(game, threats(game, position)) == threats_
    assert names(game, forks(game, position)) == forks_


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
