"""Where the boards stand in a large terminal."""

import pytest
from textual.geometry import Size

from engine.games import known_games, parse_game
from tui.play.arrangement import GAP, LEAST_SHARED, TITLE, Way, arrange
from tui.widgets.board import board_size, largest_cell

LARGE = Size(101, 43)
"""The room for the boards at 160 × 50."""
VAST = Size(138, 53)
"""The room at 200 × 60."""


@pytest.mark.parametrize(
    ("game", "room", "way", "cell"),
    [
        ("tictactoe", LARGE, Way.BESIDE, (13, 7)),
        ("tictactoe", VAST, Way.BESIDE, (21, 11)),
        ("connectfour", LARGE, Way.ALONE, (11, 5)),
        ("connectfour", VAST, Way.BESIDE, (7, 3)),
        ("notakto:2", LARGE, Way.BELOW, (11, 5)),
        ("nim:3,4,5", VAST, Way.BELOW, (13, 7)),
    ],
)
def test_the_machines_board_stands_where_both_are_largest(game, room, way, cell):
    found = arrange(parse_game(game), room, shared=True)
    assert (found.way, found.height) == (way, board_size(parse_game(game), *cell).height)


def test_one_board_has_all_the_room():
    found = arrange(parse_game("tictactoe"), VAST, shared=False)
    assert (found.way, found.height) == (Way.ALONE, board_size(parse_game("tictactoe"), 29, 15).height)


@pytest.mark.parametrize("game", known_games(), ids=lambda game: game.name)
@pytest.mark.parametrize("room", [Size(57, 33), LARGE, VAST, Size(20, 4)], ids=str)
def test_the_boards_fit_and_two_are_never_small(game, room):
    found = arrange(game, room, shared=True)
    if found.way is Way.ALONE:
        assert found.height <= max(room.height, board_size(game, 1, 1).height)
        return
    width = room.width if found.way is Way.BELOW else (room.width - GAP) // 2
    assert largest_cell(game, Size(width, found.height)) >= LEAST_SHARED
    lines = TITLE + found.height + (found.height + GAP if found.way is Way.BELOW else 0)
    assert lines <= room.height
