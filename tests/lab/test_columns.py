from lab.text.columns import cells, columns, cut


def test_columns_are_aligned_without_trailing_spaces():
    lines = columns([("a", "1", "x"), ("long", "1,000", "")], "<><")
    assert lines == ["a         1  x", "long  1,000"]


def test_columns_count_wide_letters_and_marks_as_the_terminal_draws_them():
    assert cells("日本") == 4
    assert cells("é") == 1
    assert columns([("日本", "1"), ("abcd", "1")], "<<") == ["日本  1", "abcd  1"]


def test_cut_text_fits_and_is_marked():
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdefg", 6) == "abcde…"
    assert cells(cut("日本日本", 6)) <= 6
    assert [cut("abc", width) for width in (1, 0, -3)] == ["…", "", ""]
