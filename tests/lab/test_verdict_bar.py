"""The bar of the verdicts of a paper: every verdict is seen, and the parts add up."""

from hypothesis import given
from hypothesis import strategies as st

from lab.papers.report_text import verdict_bar
from learners.papers.report import COMPARED


@given(st.lists(st.integers(0, 200), min_size=4, max_size=4), st.integers(4, 40))
def test_the_parts_of_a_bar_add_up_and_none_is_lost(counts, width):
    found = dict(zip(COMPARED, counts, strict=True))
    bar = verdict_bar(found, width)
    assert [verdict for verdict, _ in bar] == [verdict for verdict in COMPARED if found[verdict]]
    assert sum(cells for _, cells in bar) == (width if any(counts) else 0)
    assert all(cells >= 1 for _, cells in bar)


def test_a_bar_is_in_proportion():
    assert [cells for _, cells in verdict_bar(dict(zip(COMPARED, (10, 5, 5, 0), strict=True)), 16)] == [8, 4, 4]
