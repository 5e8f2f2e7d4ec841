"""The names of learners as people read them."""

import pytest

from lab.text.names import learner_name


@pytest.mark.parametrize(
    ("room", "name"),
    [
        (40, "Failure-based reasoner, literal, win 5"),
        (37, "Failure-based, literal, win 5"),
        (28, "Failure-based, literal"),
        (21, "Failure-based"),
        (12, "Failure-bas…"),
    ],
)
def test_a_learner_is_named_with_what_fits(room, name):
    assert learner_name("Failure-based reasoner", "literal", "win 5", room=room) == name


def test_a_learner_without_a_title_has_an_empty_name():
    assert learner_name("") == ""


def test_without_a_limit_no_fact_is_left_out():
    facts = [f"setting {number}" for number in range(12)]
    assert learner_name("Failure-based reasoner", *facts) == ", ".join(["Failure-based reasoner", *facts])
