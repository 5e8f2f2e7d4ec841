"""The ticks and labels of chart axes."""

import pytest

from tui.widgets.chart import Counts, Decades


def test_an_axis_of_decades_names_each_power_of_ten_that_it_has_room_for():
    axis = Decades()
    assert axis.get_labels_for_ticks(axis.get_ticks(0, 5)) == ["1", "10", "100", "1k", "10k", "100k"]
    assert axis.get_labels_for_ticks(axis.get_ticks(0, 8, 4)) == ["1", "1k", "1M"]


@pytest.mark.parametrize(
    ("top", "labels"),
    [
        (1, ["0", "1"]),
        (2, ["0", "1", "2"]),
        (70, ["0", "50"]),
        (6000, ["0", "2k", "4k", "6k"]),
        (6721, ["0", "5k"]),
        (15_000, ["0", "5k", "10k", "15k"]),
    ],
)
def test_an_axis_of_counts_has_round_numbers(top, labels):
    axis = Counts()
    assert axis.get_labels_for_ticks(axis.get_ticks(0, top)) == labels


@pytest.mark.parametrize(
    ("low", "top", "labels"),
    [
        (-70, 0, ["−50", "0"]),
        (-3, 20, ["0", "10", "20"]),
        (-15_000, 15_000, ["−10k", "0", "10k"]),
        (-6000, 0, ["−6k", "−4k", "−2k", "0"]),
    ],
)
def test_an_axis_of_counts_reaches_below_zero(low, top, labels):
    axis = Counts()
    assert axis.get_labels_for_ticks(axis.get_ticks(low, top)) == labels
