import re
from dataclasses import replace

import pytest

from engine.games import parse_game
from lab.memory.open_box import open_box
from learners import parse_player
from learners.menace.learner import Menace
from tui.widgets.open_box import open_box_lines

TICTACTOE = parse_game("tictactoe")
OPENING = TICTACTOE.play(TICTACTOE.play(TICTACTOE.start, 4), 0)


@pytest.mark.parametrize("size", [(48, 30), (33, 13), (20, 9)])
def test_words_that_fit_into_no_square_stand_in_lines_of_their_own(size):
    game = parse_game("connectfour")
    lines = open_box_lines(open_box(parse_player("alphabeta:4", game), game.play(game.start, 3)), *size)
    told = ["".join(segment.text for segment in line) for line in lines]
    assert [line[0] for line in told if "value" in line] == [*"abcdefg"]


def test_moves_that_are_all_alike_have_one_line():
    game = parse_game("connectfour")
    (line,) = open_box_lines(open_box(parse_player("random", game), game.start), 40, 20)
    said = "".join(segment.text for segment in line)
    assert (said[:7], said[-17:]) == ("7 moves", "each 1 of 7  14 %")


def test_no_board_stands_above_the_moves_if_nothing_but_moves_is_on_it():
    game = parse_game("nim:3,4,5")
    told = [
        "".join(part.text for part in line)
        for line in open_box_lines(open_box(parse_player("perfect", game), game.start), 28, 20)
    ]
    assert [line.split()[0] for line in told if line] == ["2", "11"]  # one wins, 11 lose


@pytest.mark.parametrize("size", [(38, 11), (52, 16), (29, 8), (12, 3), (90, 40)])
@pytest.mark.parametrize("beads", [0, 1, 14, 12_345])
def test_an_open_box_fills_its_room_and_says_the_count_of_beads_where_they_do_not_fit(size, beads):
    learner = Menace(TICTACTOE, "michie", 1)
    learner.memory[learner.boxes.cells] = beads
    lines = open_box_lines(open_box(learner, OPENING, 1), *size)
    assert max(sum(len(segment.text) for segment in line) for line in lines) <= size[0]
    text = "\n".join("".join(segment.text for segment in line) for line in lines)
    assert len(lines) <= size[1]
    if size[0] >= 29 and size[1] >= 8:
        assert f"{beads:,}" in text if beads else re.search("no beads| – ", text)


@pytest.mark.parametrize(("size", "beside"), [((41, 11), False), ((34, 9), True)])
def test_the_history_of_a_number_stands_below_it_or_where_a_square_is_low_behind_it(size, beside):
    box = open_box(Menace(TICTACTOE, "michie", 1), TICTACTOE.start, before={0: (4, 2, 7), 1: (4, 4, 1), 4: (4, 0, 0)})
    lines = ["".join(part.text for part in line) for line in open_box_lines(box, *size)]
    told = [line for line in lines if set(line) & set("▁▂▃▄▅▆▇")]
    assert "".join(re.findall("[▁▂▃▄▅▆▇·]+", " ".join(told))) == "▄▂▇▄▄▁▄··"
    assert len(told) == 2
    assert all(bool(re.search(r"\d", line)) == beside for line in told)


@pytest.mark.parametrize("size", [(30, 9), (24, 9), (20, 9)])
def test_a_history_leaves_room_for_a_large_count(size):
    learner = Menace(TICTACTOE, "michie", 1)
    learner.memory[learner.boxes.cells] = 12_345
    box = open_box(learner, TICTACTOE.start, before={0: (4, 2, 7), 1: (4, 4, 1), 4: (4, 0, 0)})
    text = " ".join("".join(part.text for part in line) for line in open_box_lines(box, *size))
    assert text.count("12,345") == 3


@pytest.mark.parametrize("width", range(17, 50))
def test_the_beads_of_all_squares_are_counted_in_the_same_way(width):
    learner = Menace(TICTACTOE, "michie", 1)
    box = open_box(learner, TICTACTOE.start, None)
    first, *others = (square for square in box.squares if square.beads is not None)
    squares = [replace(square, beads=1 if square is first else square.beads) for square in box.squares]
    lines = open_box_lines(replace(box, squares=tuple(squares)), width, 8)
    text = "".join(segment.text for line in lines for segment in line)
    assert ("1 bead " in text) == (f"{others[0].beads} beads" in text)
