"""What the verdict on a figure is, on cases small enough to be worked out by hand."""

import pytest

from lab.words.papers import headline, reason_texts, reproduced, table_verdict, verdict_text
from learners.papers.figures import (
    UNEXPLAINED,
    UNPRINTED,
    Figure,
    Finding,
    Report,
    Source,
    Table,
    Verdict,
    number,
    share_figure,
)


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
        ("0", (0, 0, 3), 0, Verdict.WITHIN),
        ("8", (8, 9, 10), 0, Verdict.WITHIN),
        ("10", (8, 9, 10), 0, Verdict.WITHIN),
        ("11", (8, 9, 10), 0, Verdict.DIFFERS),  # two deviations off, but no seed came so far
        ("7", (8, 9, 10), 0, Verdict.DIFFERS),
        ("400", (40, 50, 60, 70, 80, 491), 0, Verdict.WITHIN),  # far above the mean of a skewed distribution
        ("3", (*range(1, 101),), 0, Verdict.WITHIN),  # the 2.5th percentile of 100 seeds
        ("2", (*range(1, 101),), 0, Verdict.DIFFERS),
        ("98", (*range(1, 101),), 0, Verdict.WITHIN),
        ("99", (*range(1, 101),), 0, Verdict.DIFFERS),
        ("9", (8, 8, 8), 0, Verdict.DIFFERS),  # no spread at all
        ("9", (), 0, Verdict.DIFFERS),  # it never came about
    ],
)
def test_the_verdict_on_a_number(printed, measured, decimals, verdict):
    assert finding(printed, measured, decimals=decimals).verdict is verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(3, 7, Verdict.DIFFERS), (3, 8, Verdict.WITHIN), (9, 9.5, Verdict.WITHIN), (10.1, 20, Verdict.DIFFERS)],
)
def test_a_printed_range_must_overlap_the_spread(low, high, verdict):
    assert finding(Figure("some", "x", low, high), (8, 9, 10)).verdict is verdict


def test_seeds_in_which_it_never_happened_count_as_above():
    assert finding("9", (8,), never=39).verdict is Verdict.WITHIN
    assert finding("9", (8,), never=40).verdict is Verdict.DIFFERS, "39 in 40 of the seeds are above it"
    assert finding("7", (8,), never=39).verdict is Verdict.DIFFERS
    assert finding("9", (9,), never=1).verdict is Verdict.WITHIN


@pytest.mark.parametrize(
    ("successes", "runs", "low", "high"),
    [(1, 1, 2.5, 100), (0, 1, 0, 97.5), (1, 3, 0.840, 90.57), (5, 10, 18.71, 81.29)],
)
def test_a_few_successes_stand_for_an_interval_of_shares(successes, runs, low, high):
    """The bounds are those of tables of Clopper and Pearson."""
    figure = share_figure("some", "x", successes, runs)
    assert (figure.low, figure.high) == pytest.approx((low, high), abs=0.01)


@pytest.mark.parametrize(("perfect", "verdict"), [(20, Verdict.WITHIN), (38, Verdict.DIFFERS), (0, Verdict.DIFFERS)])
def test_one_of_several_is_compared_with_the_share_of_the_seeds(perfect, verdict):
    shares = (100.0,) * perfect + (0.0,) * (40 - perfect)
    found = finding(share_figure("one of several", "x", 1, 3), shares, average=True)
    assert (found.verdict, found.text, found.few) == (verdict, f"{2.5 * perfect:.0f}", False)


@pytest.mark.parametrize(("count", "verdict"), [(19, Verdict.WITHIN), (20, Verdict.DIFFERS)])
def test_a_printed_average_is_compared_with_the_mean_of_enough_seeds(count, verdict):
    assert finding(Figure("3 to 5", "x", 3, 5), (4, *[8] * (count - 1)), average=True).verdict is verdict


@pytest.mark.parametrize(
    ("measured", "more", "few"),
    [
        ((8, 9), {}, True),
        ((9,), {"never": 1}, True),
        ((9,), {}, False),  # no chance
        ((9, 9), {}, False),  # exact
        ((*range(20),), {}, False),
        ((*range(19),), {}, True),
        ((8, 9), {"another_board": True}, False),  # nothing to rest on seeds
        ("8", {}, False),
    ],
)
def test_a_verdict_on_fewer_than_twenty_seeds_says_so(measured, more, few):
    found = finding("9", measured, **more)
    assert found.few is few
    assert verdict_text(found).endswith(" seeds") is few


def test_a_figure_for_another_board_is_not_compared():
    found = finding("9", (8, 9), another_board=True, known="it is larger")
    assert (found.verdict, found.why) == (Verdict.ANOTHER_BOARD, "it is larger")
    report = Report(Source("name", "title", "by", "about"), 1, 0.0, (Table("a", "", (found, finding("8", (8,)))),))
    assert reproduced(report) == (1, 1)
    assert headline(report) == "1 of 1 printed figure is reproduced (1 exactly). 1 figure is for another board."
    assert table_verdict(report.tables[0]) == (Verdict.EXACT, "= exact")
    assert reason_texts(report.tables[0]) == ["it is larger"]


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
    assert report.counts == {Verdict.EXACT: 2, Verdict.WITHIN: 2, Verdict.DIFFERS: 2, Verdict.ANOTHER_BOARD: 0}
