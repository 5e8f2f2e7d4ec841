"""Positions and games as one line of text: written and parsed."""

from random import Random

import pytest

from engine.game import BadText, Game
from engine.games import GAMES, find_game, parse_game
from engine.match import Match
from engine.notation import game_text, parse_game_text, position_text
from tests.random_games import random_match

TICTACTOE, HEXAPAWN = parse_game("tictactoe"), parse_game("hexapawn")


def some_match(game: Game, random: Random) -> Match:
    """A random match, finished or not, perhaps by a resignation or an agreed draw."""
    return random_match(game, random, random.randrange(game.longest + 1), ends=random.random() < 0.5)


@pytest.mark.parametrize("game", [*GAMES, parse_game("mnk:4,1,3")], ids=lambda game: game.name)
@pytest.mark.parametrize("usual", [TICTACTOE, HEXAPAWN], ids=lambda game: game.name)
def test_texts_of_games_and_positions_round_trip(game: Game, usual: Game):
    random = Random(5)
    for _ in range(30):
        match = some_match(game, random)
        assert parse_game_text(game_text(match), find_game, usual) == match
        read = parse_game_text(position_text(match), find_game, usual)
        assert (read.game, read.positions, read.moves) == (game, [match.position], [])


@pytest.mark.parametrize(
    "text", ["4453", "4 4 5 3", "4,4,5,3", "1. 4 4 2. 5 3", "44 53", "d1 d2 e1 c1", "D1, D2, e, 3", "connectfour 4453"]
)
def test_pieces_that_drop_are_written_as_columns_or_as_the_squares_they_fall_to(text: str):
    game = parse_game("connectfour")
    match = parse_game_text(text, find_game, game)
    assert [game.move_name(move) for move in match.moves] == ["d", "d", "e", "c"]
    assert parse_game_text("[......./......./......./......./......./...X... O] 453", find_game, game).position == (
        match.position
    )


def test_columns_by_lot_are_read_on_every_board_with_gravity():
    random = Random(7)
    for name in ("connectfour", "mnk:4,4,4+gravity", "mnk:8,8,4+gravity"):
        game = parse_game(name)
        for _ in range(20):
            match = random_match(game, random, random.randrange(30))
            squares = [game.board.squares(*each)[0] for each in zip(match.positions, match.moves, strict=False)]
            text = "".join(str(square % game.board.columns + 1) for square in squares)
            assert parse_game_text(text, find_game, game) == match
            assert parse_game_text(" ".join(map(game.board.grid.name, squares)), find_game, game) == match


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("450", "move 3 of '450' is column 0: there are columns 1 to 7"),
        ("4444444", "move 7 of '4444444': column 4 is full"),
        ("44 agreed 5", "the game is over before move 1 of '5'"),
        ("12121213", "the game is over before move 8"),
        ("d2", "'d2' is not a move"),
        ("4453.", "'4453.' is not a move"),
        ("tictactoe 5", "'5' is not a move"),
        ("mnk:4,4,4+gravity+wild 1", "'1' is not a move"),
    ],
)
def test_wrong_columns_are_named(text: str, reason: str):
    with pytest.raises(BadText) as caught:
        parse_game_text(text, find_game, parse_game("connectfour"))
    assert reason in str(caught.value)


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
