from engine.games import parse_game
from engine.spaces import space_of
from learners import revive
from learners.comparison import shifts
from learners.failures.learner import Failures
from tests.saves.brains import train
from tui.library.compare_text import bar_text, heat, moves_text
from tui.widgets.palette import PLAIN

TICTACTOE = parse_game("tictactoe")


def difference():
    one, other = (revive(train(Failures(TICTACTOE, "literal", 1), games)) for games in (1, 3000))
    return shifts(one, other)[0]


def test_each_move_has_bars_where_there_is_room_and_a_line_otherwise():
    shift = difference()
    space, count = space_of(TICTACTOE), len(shift.before)
    bars, lines = (moves_text(space, shift, None, PLAIN, 40, height).plain for height in (60, count + 1))
    assert "━" in bars
    assert "━" not in lines
    assert len(lines.splitlines()) == count + 1
    assert all(len(line) <= 40 for line in [*bars.splitlines(), *lines.splitlines()])


def test_a_bar_is_as_long_as_its_share_and_never_empty_above_0():
    assert bar_text(0, 10) == ""
    assert bar_text(0.001, 10) == "╸"
    assert bar_text(0.25, 10) == "━━╸"
    assert bar_text(1, 10) == "━" * 10


def test_heat_grows_with_a_change_and_is_full_at_the_largest():
    assert heat(0.0, 0.5) == 0
    assert 0 < heat(0.1, 0.5) < heat(0.5, 0.5) == 1
    assert heat(-0.5, 0.5) == -1
    assert abs(heat(0.01, 0.01)) < 1  # a small change has little heat, even if it is the largest
