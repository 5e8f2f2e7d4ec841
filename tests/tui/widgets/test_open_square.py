from dataclasses import replace

import pytest

from engine.games import parse_game
from lab.memory.open_box import open_box
from learners.menace.learner import Menace
from tui.widgets.open_square import square_lines
from tui.widgets.palette import PLAIN

TICTACTOE = parse_game("tictactoe")


@pytest.mark.parametrize("beads", [(384, 3_154, 7_456), (1, 30, 1_000_000), (2, 40, 80)])
@pytest.mark.parametrize("size", [(30, 8), (60, 14)])
def test_beads_that_do_not_all_fit_lie_there_in_proportion_to_their_counts(beads, size):
    box = open_box(Menace(TICTACTOE, "michie", 1), TICTACTOE.start)
    counts = iter(sorted(beads))
    squares = [replace(each, beads=None if each.beads is None else next(counts)) for each in box.squares]
    width = (size[0] - box.columns + 1) // box.columns
    drawn = [
        sum(part.text.count(PLAIN.bead(each.look.hue)) for line in lines for part in line)
        for each in squares
        if each.beads is not None
        for lines in [square_lines(each, "", (width, 4), PLAIN, max(beads))]
    ]
    assert drawn == [max(min(1, count), round(count * drawn[-1] / max(beads))) for count in sorted(beads)]
    assert 0 < drawn[0] < drawn[-1] < max(beads)
