"""What the verdict on a figure is, on cases small enough to be worked out by hand."""

from itertools import product
from random import Random

import pytest

from lab.papers.report_text import count_reproduced, headline, reason_texts, table_verdict, verdict_text
from learners.papers.report import (
    UNEXPLAINED,
    UNPRINTED,
    Figure,
    Finding,
    FindingTable,
    Report,
    Source,
    Verdict,
    number_figure,
)


def finding(printed, measured, **more):
    figure = printed if isinstance(printed, Figure) else number_figure(printed, "Figure 1")
    return Finding("what", figure, measured, **more)


@pytest.mark.parametrize(
    ("printed", "value"), [("3,824", 3824), ("0.3354", 0.3354), ("−1", -1), ("8.400775", 8.400775)]
)
def test_a_printed_number_is_read(printed, value):
    assert (number_figure(printed, "x").low, number_figure(printed, "x").high) == (value, value)


@pytest.mark.parametrize(
    ("printed", "measured", "decimals", "verdict"),
    [
        ("3,824", (3825,), 0, Verdict.DIFFERS),
        ("0.3354", (0.33542,), 4, Verdict.EXACT),
        ("0.3354", (0.33546,), 4, Verdict.DIFFERS),
        ("0", (0,) * 19, 0, Verdict.UNDECIDED),
        ("0", (*[0] * 17, 3, 3, 3), 0, Verdict.WITHIN),
        ("8", (*[8] * 3, *[9] * 14, *[10] * 3), 0, Verdict.WITHIN),
        ("8", (*[8] * 2, *[9] * 15, *[10] * 3), 0, Verdict.UNDECIDED),
        ("400", (*[60] * 56, *[491] * 5), 0, Verdict.WITHIN),  # far above the mean of a skewed distribution
        ("11", (*[8, 9, 10] * 87,), 0, Verdict.UNDECIDED),  # of 261 seeds none came so far; of others, one in 40 may
        ("11", (*[8, 9, 10] * 88,), 0, Verdict.DIFFERS),
        ("12", (*range(1, 1001),), 0, Verdict.DIFFERS),  # 25 of 1,000 are one in 40, with a standard error of 5
        ("13", (*range(1, 1001),), 0, Verdict.UNDECIDED),
        ("38", (*range(1, 1001),), 0, Verdict.WITHIN),
        ("989", (*range(1, 1001),), 0, Verdict.DIFFERS),
        ("9", (), 0, Verdict.UNDECIDED),  # there was nothing to measure
    ],
)
def test_the_verdict_on_a_number(printed, measured, decimals, verdict):
    assert finding(printed, measured, decimals=decimals).verdict is verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(3, 7, Verdict.DIFFERS), (3, 8, Verdict.WITHIN), (9, 9.5, Verdict.WITHIN), (10.1, 20, Verdict.DIFFERS)],
)
def test_a_printed_range_must_overlap_the_spread(low, high, verdict):
    assert finding(Figure("some", "x", low, high), (8, 9, 10) * 88).verdict is verdict


def test_seeds_in_which_it_never_happened_count_as_above():
    assert finding("9", (8, 8, 8), never=17).verdict is Verdict.WITHIN
    assert finding("9", (8,), never=600).verdict is Verdict.DIFFERS, "39 in 40 of the seeds are above it"
    assert finding("9", (), never=300).verdict is Verdict.DIFFERS
    assert finding("9", (9,), never=1).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("perfect", "verdict"), [(0, Verdict.DIFFERS), (20, Verdict.WITHIN), (35, Verdict.UNDECIDED), (40, Verdict.DIFFERS)]
)
def test_one_of_several_is_compared_with_the_share_of_the_seeds(perfect, verdict):
    shares = (100.0,) * perfect + (0.0,) * (40 - perfect)
    found = finding(Figure("one of several", "x", 0.84, 90.57), shares, average=True)
    assert (found.verdict, found.text) == (verdict, f"{2.5 * perfect:.0f}")


@pytest.mark.parametrize(
    ("measured", "verdict"),
    [
        ([4, *[8] * 18], Verdict.UNDECIDED),  # 19 seeds
        ([4, *[8] * 19], Verdict.DIFFERS),
        ([3, 6] * 10, Verdict.UNDECIDED),  # 4.5 with a standard error of 0.34
        ([3, 6] * 20, Verdict.UNDECIDED),  # 0.24
        ([3, 6] * 40, Verdict.WITHIN),  # 0.17
    ],
)
def test_a_printed_average_is_compared_with_the_mean_of_enough_seeds(measured, verdict):
    assert finding(Figure("3 to 5", "x", 3, 5), tuple(measured), average=True).verdict is verdict


@pytest.mark.parametrize(
    ("measured", "more", "said"),
    [
        ((8, 9), {}, "? undecided, 2 seeds"),
        ((9, 9), {}, "? undecided, 2 seeds"),
        ((8,), {"never": 18}, "? undecided, 19 seeds"),
        ((8,), {"never": 59}, "? undecided"),  # the table says how many
        ((9,), {}, "= exact"),  # no chance
        ((*range(20),), {}, "≈ within spread"),
        ((8, 9), {"another_board": True}, "another board"),
        ("8", {}, "≠ differs"),
    ],
)
def test_where_seeds_are_too_few_for_a_verdict_it_says_how_many(measured, more, said):
    assert verdict_text(finding("9", measured, **more)) == said


def test_undecided_figures_are_counted_apart():
    found = FindingTable("a", "", (finding("9", (8, 9)), finding("8", (8,)), finding("9", "8")))
    report = Report(Source("name", "title", "by", "about"), 1, 0.0, (found,))
    assert count_reproduced(report) == (1, 3)
    assert headline(report) == "1 of 3 printed figures is reproduced (1 exactly), 1 differs, 1 is undecided."
    assert table_verdict(found) == (Verdict.DIFFERS, "≠ 1 of 3 differs")
    assert table_verdict(FindingTable("a", "", found.findings[:2])) == (Verdict.UNDECIDED, "? 1 of 2 undecided")


def test_a_correction_does_not_count():
    published, corrected = (
        FindingTable(title, "", (finding("9", "9"), finding("8", measured)), correction=title == "Corrected")
        for title, measured in (("As published", "8"), ("Corrected", "7"))
    )
    report = Report(Source("name", "title", "by", "about"), 1, 0.0, (published, corrected))
    assert headline(report) == "2 of 2 printed figures are reproduced (2 exactly)."
    assert table_verdict(corrected) == (None, "not counted above")
    assert verdict_text(corrected.findings[1]) == "≠ differs"


def test_a_figure_for_another_board_is_not_compared():
    found = finding("9", (8, 9), another_board=True, known="it is larger")
    assert (found.verdict, found.why) == (Verdict.ANOTHER_BOARD, "it is larger")
    report = Report(
        Source("name", "title", "by", "about"), 1, 0.0, (FindingTable("a", "", (found, finding("8", (8,)))),)
    )
    assert count_reproduced(report) == (1, 1)
    assert headline(report) == "1 of 1 printed figure is reproduced (1 exactly). 1 figure is for another board."
    only = Report(report.source, 1, 0.0, (FindingTable("a", "", (found,)),))
    assert headline(only) == "1 figure is for another board."
    assert table_verdict(report.tables[0]) == (Verdict.EXACT, "= exact")
    assert reason_texts(report) == [["It is larger."]]


def test_a_reason_is_given_only_if_the_figure_differs_or_may_differ():
    assert finding("9", (9,), known="a slip").why == ""
    assert finding("9", (8, 9, 10) * 20, known="a slip").why == ""
    assert finding("9", (8, 9, 10), known="a slip").why == "a slip"
    assert finding("9", (8, 9, 10)).why == ""
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


def test_a_share_of_successes_has_no_seeds_beyond_all():
    found = finding(Figure("the first run", "x", 2.5, 100), (*[100.0] * 57, 0.0, 0.0, 0.0), average=True)
    assert found.verdict is Verdict.WITHIN


def test_of_a_thousand_sets_of_seeds_none_contradicts_another():
    """Wherever in the distribution the figure lies, so too at the limit, and however many seeds there are."""
    random = Random(1)
    for percentile, seeds in product((0.5, 1.5, 2.5, 3.5, 6, 50, 97.5), (20, 60, 300)):
        found = {
            finding(f"{percentile}", [random.uniform(0, 100) for _ in range(seeds)], decimals=9).verdict
            for _ in range(50)
        }
        assert not {Verdict.WITHIN, Verdict.DIFFERS} <= found, (percentile, seeds)


def test_there_is_no_verdict_without_a_printed_number():
    assert finding(UNPRINTED, (3,)).verdict is None
    assert finding(UNPRINTED, "1, 12").verdict is None
    assert finding(Figure("346 s", "x"), (0.1,)).verdict is None
