"""What the verdict on a figure is, on cases small enough to be worked out by hand."""

import pytest

from learners.papers.figures import UNEXPLAINED, UNPRINTED, Figure, Finding, Report, Source, Table, Verdict, number


def finding(printed, measured, **more):
    figure = printed if isinstance(printed, Figure) else number(printed, "Figure 1")
    return Finding("what", figure, measured, **more)


@pytest.mark.parametrize(
    ("printed", "value"), [("3,824", 3824), (".3354", 0.3354), ("−1", -1), ("8.400775", 8.400775), ("2480", 2480)]
)
def test_a_printed_number_is_read(printed, value):
    assert (number(printed, "x").low, number(printed, "x").high) == (value, value)


@pytest.mark.parametrize(
    ("printed", "measured", "decimals", "verdict"),
    [
        ("3,824", (3824,), 0, Verdict.EXACT),
        ("3,824", (3825,), 0, Verdict.DIFFERS),
        (".3354", (0.33542,), 4, Verdict.EXACT),
        (".3354", (0.33546,), 4, Verdict.DIFFERS),
        ("0", (0, 0, 0), 0, Verdict.EXACT),
        ("0", (0, 0, 3), 0, Verdict.WITHIN),  # 1 ± 1.73
        ("10", (8, 9, 10), 0, Verdict.WITHIN),  # 9 ± 1
        ("11", (8, 9, 10), 0, Verdict.WITHIN),  # two deviations off
        ("7", (8, 9, 10), 0, Verdict.WITHIN),
        ("12", (8, 9, 10), 0, Verdict.DIFFERS),
        ("6", (8, 9, 10), 0, Verdict.DIFFERS),
        ("9", (8, 8, 8), 0, Verdict.DIFFERS),  # no spread at all
        ("9", (), 0, Verdict.DIFFERS),  # it never came about
    ],
)
def test_the_verdict_on_a_number(printed, measured, decimals, verdict):
    assert finding(printed, measured, decimals=decimals).verdict is verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(3, 5, Verdict.DIFFERS), (3, 7, Verdict.WITHIN), (9, 9.5, Verdict.WITHIN), (11.1, 20, Verdict.DIFFERS)],
)
def test_a_printed_range_must_overlap_the_spread(low, high, verdict):
    assert finding(Figure("some", "x", low, high), (8, 9, 10)).verdict is verdict


def test_words_are_the_same_or_differ():
    assert finding(Figure("1, −1", "x"), "1, −1").verdict is Verdict.EXACT
    assert finding(Figure("1, −1", "x"), "1, 1").verdict is Verdict.DIFFERS


def test_there_is_no_verdict_without_a_printed_number():
    assert finding(UNPRINTED, (3,)).verdict is None
    assert finding(UNPRINTED, "1, 12").verdict is None
    assert finding(Figure("346 s", "x"), (0.1,)).verdict is None


def test_a_reason_is_given_only_if_the_figure_differs():
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
def test_a_measurement_is_written(measured, decimals, text):
    assert finding("1", measured, decimals=decimals).text == text


def test_a_report_counts_its_verdicts():
    findings = (finding("9", (9,)), finding("8", (9,)), finding("9", (8, 9, 10)), finding(UNPRINTED, (1,)))
    report = Report(
        Source("name", "title", "by", "about"), 1, 0.0, (Table("a", "", findings), Table("b", "", findings))
    )
    assert report.counts == {Verdict.EXACT: 2, Verdict.WITHIN: 2, Verdict.DIFFERS: 2}
