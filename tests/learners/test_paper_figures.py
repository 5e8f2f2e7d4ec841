"""What a mark comes to, on cases small enough to be worked out by hand."""

import pytest

from learners.papers.figures import UNEXPLAINED, UNPRINTED, Figure, Finding, Mark, Report, Source, Table, number


def finding(printed, measured, **more):
    figure = printed if isinstance(printed, Figure) else number(printed, "Figure 1")
    return Finding("what", figure, measured, **more)


@pytest.mark.parametrize(
    ("printed", "value"), [("3,824", 3824), (".3354", 0.3354), ("−1", -1), ("8.400775", 8.400775), ("2480", 2480)]
)
def test_a_printed_number_is_read(printed, value):
    assert (number(printed, "x").low, number(printed, "x").high) == (value, value)


@pytest.mark.parametrize(
    ("printed", "measured", "decimals", "mark"),
    [
        ("3,824", (3824,), 0, Mark.EXACT),
        ("3,824", (3825,), 0, Mark.DIFFERS),
        (".3354", (0.33542,), 4, Mark.EXACT),
        (".3354", (0.33546,), 4, Mark.DIFFERS),
        ("0", (0, 0, 0), 0, Mark.EXACT),
        ("0", (0, 0, 3), 0, Mark.WITHIN),  # 1 ± 1.73
        ("10", (8, 9, 10), 0, Mark.WITHIN),  # 9 ± 1
        ("11", (8, 9, 10), 0, Mark.WITHIN),  # two deviations off
        ("7", (8, 9, 10), 0, Mark.WITHIN),
        ("12", (8, 9, 10), 0, Mark.DIFFERS),
        ("6", (8, 9, 10), 0, Mark.DIFFERS),
        ("9", (8, 8, 8), 0, Mark.DIFFERS),  # no spread at all
        ("9", (), 0, Mark.DIFFERS),  # it never came about
    ],
)
def test_the_mark_of_a_number(printed, measured, decimals, mark):
    assert finding(printed, measured, decimals=decimals).mark is mark


@pytest.mark.parametrize(
    ("low", "high", "mark"),
    [(3, 5, Mark.DIFFERS), (3, 7, Mark.WITHIN), (9, 9.5, Mark.WITHIN), (11.1, 20, Mark.DIFFERS)],
)
def test_of_a_printed_range_some_must_be_within_the_spread(low, high, mark):
    assert finding(Figure("some", "x", low, high), (8, 9, 10)).mark is mark


def test_words_are_the_same_or_differ():
    assert finding(Figure("1, −1", "x"), "1, −1").mark is Mark.EXACT
    assert finding(Figure("1, −1", "x"), "1, 1").mark is Mark.DIFFERS


def test_nothing_is_held_against_what_was_not_printed():
    assert finding(UNPRINTED, (3,)).mark is None
    assert finding(UNPRINTED, "1, 12").mark is None
    assert finding(Figure("346 s", "x"), (0.1,)).mark is None


def test_a_reason_is_told_only_where_the_figure_does_differ():
    assert finding("9", (9,), known="a slip").why == ""
    assert finding("9", (8, 9, 10), known="a slip").why == ""
    assert finding("9", (8,), known="a slip").why == "a slip"
    assert finding("9", (8,)).why == UNEXPLAINED
    assert finding(UNPRINTED, (8,), known="a slip").why == ""


@pytest.mark.parametrize(
    ("measured", "decimals", "text"),
    [
        ((1234,), 0, "1,234"),
        ((8, 9, 10), 0, "9 ± 1"),
        ((0.25,), 4, "0.2500"),
        ((-1,), 0, "−1"),
        ((), 0, "never"),
        ("OX-", 0, "OX-"),
    ],
)
def test_what_was_measured_is_written(measured, decimals, text):
    assert finding("1", measured, decimals=decimals).text == text


def test_a_report_counts_its_marks():
    findings = (finding("9", (9,)), finding("8", (9,)), finding("9", (8, 9, 10)), finding(UNPRINTED, (1,)))
    report = Report(
        Source("name", "title", "by", "about"), 1, 0.0, (Table("a", "", findings), Table("b", "", findings))
    )
    assert report.counts == {Mark.EXACT: 2, Mark.WITHIN: 2, Mark.DIFFERS: 2}
