"""Moves written by name, by squares in any order that the board allows, and by digits."""

import pytest

from cli.plain.presenter import how_to_write_moves, name_of_move
from engine.games import GAMES
from tests.small_games import DOMINOES, PINS


@pytest.mark.parametrize("game", [*GAMES, DOMINOES, PINS], ids=lambda game: game.name)
def test_the_spellings_that_are_proposed_are_read(game):
    words = how_to_write_moves(game)
    if "its column" in words:
        return
    spelt = words.removeprefix("Write a move as ").split(" (")[0].rstrip(".").split(", or as ")
    assert {name_of_move(game, game.start, each) for each in spelt} == {game.move_name(game.moves(game.start)[0])}


@pytest.mark.parametrize(
    ("game", "line", "name"),
    [
        (DOMINOES, "b1b2", "b2b1"),
        (DOMINOES, "b1-b2", "b2b1"),
        (DOMINOES, "52", "b2b1"),
        (DOMINOES, "1 4", "a2a1"),
        (DOMINOES, "15", "15"),
        (PINS, "2", "b1"),
        (PINS, "21", "b1"),
        (PINS, "22", "b1c1"),
        (PINS, "23", "b1c1"),
        (PINS, "b12", "b1c1"),
        (PINS, "42", "42"),
    ],
)
def test_a_move_is_read_by_its_squares_and_its_option(game, line, name):
    assert name_of_move(game, game.start, line) == name
