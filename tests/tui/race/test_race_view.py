"""The list of entrants: one form of names for all."""

import pytest

from tui.race.race_view import names_in

NAMES = [("Q-learner, exact", "q:exact"), ("MENACE, steady, win 5", "menace:steady+win=5")]
WORDS, WRITTEN = 21, 19


@pytest.mark.parametrize(
    ("room", "shown"),
    [
        (
            WORDS + WRITTEN + 3,
            [("Q-learner, exact       ", "q:exact"), ("MENACE, steady, win 5  ", "menace:steady+win=5")],
        ),
        (WORDS + WRITTEN + 2, [("Q-learner, exact", ""), ("MENACE, steady, win 5", "")]),
        (WORDS + 1, [("Q-learner, exact", ""), ("MENACE, steady, win 5", "")]),
        (WORDS, [("q:exact", ""), ("menace:steady+win=5", "")]),
        (WRITTEN + 1, [("q:exact", ""), ("menace:steady+win=5", "")]),
        (12, [("q:exact", ""), ("menace:ste…", "")]),
    ],
)
def test_all_entrants_are_named_in_the_same_form(room, shown):
    assert names_in(NAMES, room) == shown


@pytest.mark.parametrize("room", [0, 1, 2])
def test_a_name_takes_no_more_than_its_room(room):
    assert all(len(name) <= max(1, room - 1) for name, _ in names_in(NAMES, room))


def test_no_entrants_have_no_names():
    assert names_in([], 20) == []
