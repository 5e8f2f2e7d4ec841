from engine import parse_game
from tui.cli.text import beside, board, cells, columns, cut


def test_columns_line_up_and_lines_end_without_spaces():
    lines = columns([("a", "1", "x"), ("long", "1,000", "")], "<><")
    assert lines == ["a         1  x", "long  1,000"]


def test_columns_count_wide_letters_and_marks_as_the_terminal_draws_them():
    assert cells("日本") == 4
    assert cells("é") == 1
    assert columns([("日本", "1"), ("abcd", "1")], "<<") == ["日本  1", "abcd  1"]


def test_cut_text_fits_and_shows_that_it_was_cut():
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdefg", 6) == "abcde…"
    assert cells(cut("日本日本", 6)) <= 6


def test_board_is_drawn_with_its_coordinates():
    game = parse_game("tictactoe")
    assert board(game, game.from_text("X../.O./..X O")) == ["3  X . .", "2  . O .", "1  . . X", "   a b c"]


def test_blocks_stand_beside_each_other():
    assert beside([["ab", "c"], ["d"]], gap=1) == ["ab d", "c"]
    assert beside([]) == []
