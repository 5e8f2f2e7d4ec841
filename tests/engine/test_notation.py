"""Positions and games as one line of text: written and parsed."""

from random import Random

import pytest

from engine.game import BadText, Game
from engine.games import GAMES, find_game, parse_game
from engine.match import Match
from engine.notation import game_text, parse_game_text, position_text

TICTACTOE, HEXAPAWN = parse_game("tictactoe"), parse_game("hexapawn")


def some_match(game: Game, random: Random) -> Match:
    """A random match, finished or not, perhaps by a resignation or an agreed draw."""
    match = Match(game)
    for _ in range(random.randrange(game.longest + 1)):
        if match.outcome is None:
            match.play(random.choice(game.moves(match.position)))
    if match.outcome is None and random.random() < 0.5:
        match.resign()
    elif match.outcome is None and game.has_draws and random.random() < 0.5:
        match.agree()
    return match


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("usual", [TICTACTOE, HEXAPAWN], ids=lambda game: game.name)
def test_texts_of_games_and_positions_round_trip(game: Game, usual: Game):
    random = Random(5)
    for _ in range(30):
        match = some_match(game, random)
        assert parse_game_text(game_text(match), find_game, usual) == match
        read = parse_game_text(position_text(match), find_game, usual)
        assert (read.game, read.positions, read.moves) == (game, [match.position], [])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_texts_of_games_from_a_position_round_trip(game: Game):
    random = Random(6)
    for _ in range(10):
        begun = some_match(game, random).position
        match = Match(game, [begun])
        for move in game.moves(begun)[:1]:
            match.play(move)
        assert parse_game_text(game_text(match), find_game, TICTACTOE) == match


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("b2 a3 c1", ["b2", "a3", "c1"]),
        ("  TicTacToe:  B2,a3 ,C1 ", ["b2", "a3", "c1"]),
        ("1. b2 a3 2. c1", ["b2", "a3", "c1"]),
        ("tictactoe", []),
        ("", []),
    ],
)
def test_other_spellings_of_a_game_are_accepted(text: str, moves: list[str]):
    match = parse_game_text(text, find_game, TICTACTOE)
    assert [TICTACTOE.move_name(move) for move in match.moves] == moves


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("b2 b2", "move 2: b2 cannot be played in .../.X./... O; legal: a3, b3, c3, a2, c2, a1, b1, c1"),
        ("b2 hello", "'hello' is not a move of Tic-tac-toe; legal here: a3, b3, c3, a2, c2, a1, b1, c1"),
        ("b2 resigned a3", "move 2: O has resigned in .../.X./... O"),
        ("agreed agreed", "move 1: the game is over in .../.../... X: no draw can be agreed"),
        ("hexapawn agreed", "move 1: Hexapawn has no draws: none can be agreed in BBB/.../WWW W"),
        ("tictactoe [XX/X] b2", "'XX/X': Tic-tac-toe has 3 rows of 3 squares, as in .../.../... X"),
        ("XXX/XXX/XXX", "'XXX/XXX/XXX': 9 X and 0 O: X must have as many as O or one more"),
        ("a" * 1001, f"'{'a' * 59}…' has 1,001 characters: no game takes more than 1,000"),
        ("\x1b[31mb2", "'\\x1b[31mb2' is not a move of Tic-tac-toe; legal here: a3, b3, c3, a2, b2, c2, a1, b1, c1"),
    ],
)
def test_an_invalid_game_is_refused_with_its_place(text: str, trouble: str):
    with pytest.raises(BadText) as error:
        parse_game_text(text, find_game, TICTACTOE)
    assert str(error.value) == trouble
