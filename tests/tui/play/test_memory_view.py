"""The memory of a machine, shown beside the board."""

import pytest

from engine.games import parse_game
from engine.spaces import space_of
from lab.memory.matchbox import Square, SquareKind, placed_on_squares
from learners import parse_player, revive
from learners.core.player import Thought
from learners.failures.learner import FAILURE, OPEN
from learners.menace.learner import Menace
from learners.q import QLearner
from saves import gallery
from tui.play.views import learner_tiles, memory_tile
from tui.widgets.thoughts import thoughts_text

TICTACTOE = parse_game("tictactoe")
SPACE = space_of(TICTACTOE)
RIECHEL = revive(gallery.load("riechel"), TICTACTOE)


def test_a_reasoner_shows_its_failures_on_the_board():
    position = TICTACTOE.from_text("X../.../... O")
    tile = memory_tile(RIECHEL, position)
    assert {square for square, shown in enumerate(tile.squares) if shown.kind is SquareKind.STRUCK} == {
        1,
        2,
        3,
        5,
        6,
        7,
        8,
    }
    assert tile.squares[4] == Square(SquareKind.SHARE, OPEN)


def test_the_scale_of_values_is_explained_wherever_values_are_drawn():
    learner = QLearner(TICTACTOE, "exact", 1)
    learner.train(2000)
    assert learner_tiles(learner, TICTACTOE.start)[0] == "1.00 a win  .50 a draw  .00 a loss"


def test_a_capture_shows_the_enemy_piece_unless_it_is_a_failure():
    game = parse_game("hexapawn")
    position = game.from_text(".BB/.B./W.W W")
    taking = [move for move in game.moves(position) if game.board.squares(position, move)[1] == 4]
    assert len(taking) == 2
    assert placed_on_squares(game, position, [Thought(move, 0.5, OPEN, "") for move in taking]) == {}
    failed = [Thought(move, 0.0, FAILURE, "", excluded=True) for move in taking]
    assert placed_on_squares(game, position, failed)[4] in failed
    mixed = (failed[0], Thought(taking[1], 1.0, OPEN, ""))
    assert placed_on_squares(game, position, mixed) == placed_on_squares(game, position, mixed[::-1]) == {}


def test_a_reasoner_is_shown_with_all_symmetric_twins():
    heading, tiles = learner_tiles(RIECHEL, TICTACTOE.from_text("X../.../... O"))
    assert heading == "! failure, not played again  · open\n3 symmetric twins"
    assert len(tiles) == 4


@pytest.mark.parametrize("text", ["X../.O./... X", "..X/.O./... X", ".../.O./..X X"])
def test_a_matchbox_is_shown_once_with_the_bead_that_was_drawn(text):
    learner = Menace(TICTACTOE, "michie", 1)
    position = TICTACTOE.from_text(text)
    for drawn in TICTACTOE.moves(position):
        heading, (tile,) = learner_tiles(learner, TICTACTOE.play(position, drawn), (position, drawn))
        assert "l lilac" in heading.split("  ")
        assert tile.caption.startswith("box ")
        shown = [number for number, square in enumerate(tile.squares) if square.drawn]
        assert len(shown) == 1
        after = TICTACTOE.play(position, drawn)
        assert TICTACTOE.play(position, shown[0]) in SPACE.twins(after), "the same move, as the box shows it"
    assert learner_tiles(learner, TICTACTOE.from_text("X../.../... O")) == ("", []), "it has no box for O"


def test_a_machine_for_both_sides_shows_its_last_box_and_that_of_the_position():
    learner = Menace(TICTACTOE, "scroggs", 1)
    _, tiles = learner_tiles(learner, TICTACTOE.play(TICTACTOE.start, 4), (TICTACTOE.start, 4))
    assert [any(square.drawn for square in tile.squares) for tile in tiles] == [True, False]


def test_thoughts_stand_in_columns_that_fit():
    player = parse_player("perfect", TICTACTOE)
    for width in (20, 31, 40, 60):
        heading, *lines = thoughts_text(TICTACTOE, player.thoughts(TICTACTOE.start), width).plain.splitlines()
        assert max(map(len, lines)) <= width
        assert set(heading.split()) == {"knows", "plays"}
        assert {line.index("draws") for line in lines} == {heading.index("knows")}
        entries = " ".join(" ".join(lines).split())
        assert all(f"{TICTACTOE.move_name(move)} draws 11.1 %" in entries for move in range(9))
