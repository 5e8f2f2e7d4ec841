"""What a game will do to a box, drawn before it is over."""

import re

import pytest

from engine.games import parse_game
from learners.menace.learner import Menace
from tui.play.outcome_boxes import GAP, outcome_boxes
from tui.widgets.palette import PLAIN

TICTACTOE = parse_game("tictactoe")
FIRST_TURN = TICTACTOE.start, 0


@pytest.mark.parametrize("width", [46, 65])
def test_the_box_is_drawn_after_each_outcome_with_its_new_count_of_beads(width):
    drawn = outcome_boxes(Menace(TICTACTOE, "michie", 1), FIRST_TURN, (width, 20), PLAIN).plain
    assert re.findall(r"(\w+): (\S+)", drawn) == [("wins", "+3"), ("draws", "+1"), ("loses", "−1")]
    assert sorted(re.findall(r"(?<![+−])\b[357]\b", drawn)) == ["3", "5", "7"]
    assert max(map(len, drawn.split("\n"))) <= width


@pytest.mark.parametrize("name", ["hexapawn", "wild"])
def test_moves_below_the_board_have_their_new_count_of_beads(name):
    game = parse_game(name)
    learner = Menace(game, "steady", 1)
    move = next(thought.move for thought in learner.thoughts(game.start) if thought.beads)
    drawn = outcome_boxes(learner, (game.start, move), (80, 20), PLAIN).plain
    assert all(count in drawn for count in ("19 beads", "15 beads")), drawn


@pytest.mark.parametrize("room", [(3 * 13 + 2 * GAP, 20), (65, 11)])
def test_nothing_is_drawn_in_too_little_room_or_before_a_move(room):
    learner = Menace(TICTACTOE, "michie", 1)
    assert not outcome_boxes(learner, FIRST_TURN, room, PLAIN)
    assert not outcome_boxes(learner, (TICTACTOE.start, None), (65, 20), PLAIN)
