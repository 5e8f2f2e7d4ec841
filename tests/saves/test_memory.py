from random import Random

import numpy as np
import pytest

from engine.game import BadText, Side
from engine.games import parse_game
from engine.spaces import space_of
from saves.encoding.memory import LARGEST_NUMBER, from_rows, require_running, to_rows
from tests.sizes import with_games

TICTACTOE = parse_game("tictactoe")


every_game = with_games(*map(parse_game, ("hexapawn", "morris", "wild")))


@every_game
def test_rows_are_converted_in_any_order(game):
    space = space_of(game)
    memory = np.arange(1, len(space.move) + 1)
    memory[::3] = 0
    rows = to_rows(game, memory)
    Random(1).shuffle(rows)
    assert np.array_equal(from_rows(game, rows), memory)


@every_game
def test_rows_hold_the_texts_of_the_rules_and_no_zeros(game):
    space = space_of(game)
    memory = np.arange(len(space.move))
    rows = to_rows(game, memory)
    assert len(rows) == len(memory) - 1
    for position_text, move_text, number in Random(2).sample(rows, min(50, len(rows))):
        position = game.from_text(position_text)
        assert memory[space.edge(position, game.parse_move(position, move_text))] == number
        assert game.to_text(position) == position_text


def test_other_spellings_of_a_position_are_the_same_row():
    assert np.array_equal(
        from_rows(TICTACTOE, [("x--/___/... o", "B2", 1)]), from_rows(TICTACTOE, [("X../.../... O", "b2", 1)])
    )
    with pytest.raises(BadText, match="twice"):
        from_rows(TICTACTOE, [("x--/___/... o", "B2", 1), ("X../.../... O", "b2", 2)])


@pytest.mark.parametrize(
    ("row", "what"),
    [
        (("XXX/OO./... X", "a1", 1), "XXX/OO"),
        (("XXX/OOO/... X", "a1", 1), "both sides"),
        (("XXX/OO./... O", "a1", 1), "the game is over"),
        (("X../.../... X", "a1", 1), "cannot be to move"),
        (("X../.../... O", "a3", 1), "cannot be played"),
        (("X../.../... O", "d4", 1), "not a move"),
        (("nonsense", "a1", 1), "rows of 3"),
        (("X../.../... O", "b2", 0), "not a number from 1"),
        (("X../.../... O", "b2", LARGEST_NUMBER + 1), "not a number from 1"),
        (("X../.../... O", "b2", True), "not a number from 1"),
        (("X../.../... O", "b2", "1"), "not a number from 1"),
    ],
)
def test_an_invalid_row_is_refused(row, what):
    with pytest.raises(BadText, match=what):
        from_rows(TICTACTOE, [row])


def test_a_position_out_of_reach_is_refused():
    with pytest.raises(BadText, match=r"XX\./\.\.\./\.\.\. X cannot be reached in play"):
        require_running(TICTACTOE, TICTACTOE.pack(0b11, 0, Side.FIRST))
