"""Whole numbers as people write them."""

import pytest

from engine.game import BadText
from lab.text.sanitise import parse_whole


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), (" 100,000 ", 100_000), ("100_000", 100_000), ("100 000 000", 100_000_000), ("007", 7)],
)
def test_a_whole_number_may_have_separators(text, number):
    assert parse_whole(text, 1, 100_000_000) == number


OTHERS = ["", "0", "-5", "+5", "1e9x", "1e6", "1.5", "½", "²", "٣", "１", "100000001", "0x10", "a", "--1"]


@pytest.mark.parametrize("text", [*OTHERS, " ", "9" * 400, "\x1b[31m"])
def test_other_texts_are_refused_with_the_range_and_quoted_safely(text):
    with pytest.raises(BadText, match="from 1 to 100,000,000") as caught:
        parse_whole(text, 1, 100_000_000)
    assert len(str(caught.value)) < 150
    assert "\x1b" not in str(caught.value)


def test_the_ends_of_the_range_are_accepted():
    assert [parse_whole(text, 0, 9) for text in ("0", "9")] == [0, 9]
    for text in ("-1", "10"):
        with pytest.raises(BadText):
            parse_whole(text, 0, 9)
