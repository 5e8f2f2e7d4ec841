"""The window of a node as a bracket."""

import pytest

from engine.search import INFINITY
from tui.tree.search_text import bracket_text


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (-INFINITY, INFINITY, "[━━━━━━━]"),
        (-INFINITY, -1, "[━]······"),
        (-1, 0, "··[━]····"),
        (0, 1, "····[━]··"),
        (0, 0, "····[]···"),
    ],
)
def test_a_window_begins_and_ends_at_its_values(low, high, shown):
    assert bracket_text(low, high, 9) == shown
