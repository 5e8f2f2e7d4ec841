"""The bars of exact results: they are as long as the shares, and their numbers stand in columns."""

from engine.games import parse_game
from lab.results.exact_results import exact_of
from learners import parse_learner
from tui.widgets.exact_bars import AIRY_ROWS, GLYPHS, SIDE_ROWS, exact_bars

STYLES = ("green", "dim", "red")


def test_a_bar_for_each_side_and_opponent_shows_what_is_won_drawn_and_lost():
    learner = parse_learner("failures")(parse_game("tictactoe"), "literal", 1)
    exact = exact_of(learner)
    lines = exact_bars(learner, exact, 76, STYLES).plain.split("\n")
    assert len(lines) == SIDE_ROWS * len(exact) - 1
    assert max(map(len, lines)) <= 76
    bars = [line for line in lines if set(line) & set(GLYPHS)]
    assert len({sum(line.count(glyph) for glyph in GLYPHS) for line in bars}) == 1
    for line, share in zip(bars, exact["first"].against.values(), strict=False):
        assert abs(line.count(GLYPHS[2]) / sum(map(line.count, GLYPHS)) - share.loss) < 0.03
    airy = exact_bars(learner, exact, 76, STYLES, airy=True).plain.split("\n")
    assert len(airy) == AIRY_ROWS * len(exact) - 1
    assert list(filter(None, airy)) == list(filter(None, lines))


def test_a_game_without_draws_has_no_column_for_them():
    learner = parse_learner("failures")(parse_game("hexapawn"), "literal", 1)
    text = exact_bars(learner, exact_of(learner), 60, STYLES)
    assert "draw" not in text.plain
