import math

import pytest

from lab.text.numbers import (
    RateMeter,
    bars,
    count_text,
    duration_text,
    percent_text,
    rate_text,
    remaining_seconds,
    short_count,
)


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0"), (862, "862"), (1_571_823, "1,571,823"), (999.6, "1,000"), (-5, "-5")]
)
def test_a_count_has_thousands_separators(count, text):
    assert count_text(count) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (999.6, "1k"),
        (1000, "1k"),
        (6409, "6.4k"),
        (999_499, "999k"),
        (16_635_566, "16.6M"),
        (999_999_999, "1G"),
        (999_600_000_000, "1T"),
        (10**15, "1000T"),
    ],
)
def test_a_short_count_is_rounded_to_three_digits(count, text):
    assert short_count(count) == text


def test_a_short_count_takes_five_characters_at_most():
    counts = {count for power in range(16) for count in range(10**power - 60, 10**power + 60)}
    texts = {short_count(count) for count in counts if count >= 0}
    assert not {text for text in texts if len(text) > 5}


@pytest.mark.parametrize(("rate", "text"), [(12.4e6, "12.4M/s"), (0.4, "0.4/s"), (10, "10/s"), (0, "–/s")])
def test_a_rate(rate, text):
    assert rate_text(rate) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0:00"),
        (0.01, "0:01"),
        (59.5, "1:00"),
        (750, "12:30"),
        (3599.1, "1:00:00"),
        (11_100, "3:05:00"),
        (math.inf, "–:––"),
    ],
)
def test_a_duration_is_rounded_up(seconds, text):
    assert duration_text(seconds) == text


@pytest.mark.parametrize(
    ("done", "total", "rate", "seconds"), [(0, 100, 0, math.inf), (50, 100, 10, 5), (100, 100, 0, 0), (101, 100, 5, 0)]
)
def test_remaining_seconds(done, total, rate, seconds):
    assert remaining_seconds(done, total, rate) == seconds


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"),
        (1, "100 %"),
        (0.0000001, "<0.1 %"),
        (0.9999999, ">99.9 %"),
        (0.93787, "93.8 %"),
        (0.5, "50 %"),
        (1 / 3, "33.3 %"),
    ],
)
def test_0_and_100_per_cent_are_exact(share, text):
    assert percent_text(share) == text


@pytest.mark.parametrize(
    ("numbers", "least", "most", "text"),
    [
        ([0, 1, 999, 1000], 0, 1000, "▁▂▇▇"),
        ([-3, -2, -1, 0, 1, 2, 3], -3, 3, "▁▂▃▄▅▆▇"),
        ([5, 6], 5, 9, "▁▃"),
        ([7, 7], 7, 7, "▁▁"),
        ([], 0, 0, ""),
    ],
)
def test_only_the_least_number_has_the_lowest_bar(numbers, least, most, text):
    assert bars(numbers, least, most) == text


def test_a_rate_needs_two_counts():
    meter = RateMeter()
    assert meter.per_second == 0
    meter.add(10.0, 100)
    assert meter.per_second == 0
    meter.add(10.0, 200)
    assert meter.per_second == 0
    meter.add(12.0, 500)
    assert meter.per_second == 200


def test_a_rate_depends_on_its_window_only():
    meter = RateMeter(window=2.0)
    for second in range(10):
        meter.add(second, 1000 * second)
    assert meter.per_second == 1000
    for second in range(10, 14):
        meter.add(second, 9000 + 5 * (second - 9))
    assert meter.per_second == 5


def test_recording_the_same_count_twice_does_not_change_the_rate():
    meter = RateMeter()
    meter.add(0.0, 0)
    meter.add(1.0, 100)
    meter.add(1.9, 100)
    assert meter.per_second == 100


def test_a_rate_names_what_it_counts():
    assert rate_text(12.4e6, "game") == "12.4M games/s"
    assert rate_text(0, "generation") == "– generations/s"
