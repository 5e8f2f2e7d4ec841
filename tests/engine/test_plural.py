import pytest

from engine.plural import counted_label


@pytest.mark.parametrize(
    ("count", "label", "text"),
    [
        (1, "games resigned", "1 game resigned"),
        (0, "games resigned", "0 games resigned"),
        (1, "boxes refilled", "1 box refilled"),
        (1_234, "failures avoided", "1,234 failures avoided"),
        (1, "beads", "1 bead"),
    ],
)
def test_a_label_follows_its_count_in_singular_or_plural(count, label, text):
    assert counted_label(count, label) == text
