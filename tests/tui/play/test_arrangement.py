"""The arrangement of the boards in a large terminal."""

import pytest
from textual.geometry import Size

from engine.games import known_games, parse_game
from tui.play.arrangement import GAP, MIN_SHARED, TITLE, Placement, arrange
from tui.widgets.board import board_size, largest_cell

LARGE = Size(101, 43)
"""The room for the boards at 160 × 50."""
VAST = Size(138, 53)
"""The room at 200 × 60."""


@pytest.mark.parametrize(
    ("game", "room", "way", "cell"),
    [
        ("tictactoe", LARGE, Placement.BESIDE, (13, 7)),
        ("tictactoe", VAST, Placement.BESIDE, (21, 11)),
        ("connectfour", LARGE, Placement.ALONE, (11, 5)),
        ("connectfour", VAST, Placement.BESIDE, (7, 3)),
        ("notakto:2", LARGE, Placement.BELOW, (11, 5)),
        ("nim:3,4,5", VAST, Placement.BELOW, (13, 7)),
    ],
)
def test_the_machines_board_is_placed_where_both_are_largest(game, room, way, cell):
    found = arrange(parse_game(game), room, shared=True)
    assert (found.placement, found.height) == (way, board_size(parse_game(game), *cell).height)


def test_one_board_has_all_the_room():
    found = arrange(parse_game("tictactoe"), VAST, shared=False)
    assert (found.placement, found.height) == (Placement.ALONE, board_size(parse_game("tictactoe"), 29, 15).height)


@pytest.mark.parametrize("game", known_games(), ids=lambda game: game.name)
@pytest.mark.parametrize("room", [Size(57, 33), LARGE, VAST, Size(20, 4)], ids=str)
def test_the_boards_fit_and_two_are_never_small(game, room):
    found = arrange(game, room, shared=True)
    if found.placement is Placement.ALONE:
        assert found.height <= max(room.height, board_size(game, 1, 1).height)
        return
    width = room.width if found.placement is Placement.BELOW else (room.width - GAP) // 2
    assert largest_cell(game, Size(width, found.height)) >= MIN_SHARED
    lines = TITLE + found.height + (found.height + GAP if found.placement is Placement.BELOW else 0)
    assert lines <= room.height
