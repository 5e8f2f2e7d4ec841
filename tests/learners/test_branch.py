"""A training that continues under other settings from one moment on."""

import numpy as np
import pytest

from engine.game import BadText
from engine.games import parse_game
from learners import parse_learner, revive
from learners.comparison import Switch, narrow_switch
from learners.rewind import branch_from, moments, rewind_to
from saves.encoding.check import check_snapshot
from tests.saves.brains import train

TICTACTOE = parse_game("tictactoe")


def trained(kind, preset, rounds, settings):
    learner = parse_learner(kind)(TICTACTOE, preset, 1, settings)
    train(learner, rounds)
    return learner


CASES = [
    ("failures", "literal", {}, {"pick": "rounded"}),
    ("menace", "scroggs", {"empty": "refill"}, {"win": 5}),
    ("genetic", "hochmuth", {"population": 20, "until": "end"}, {"mutation": "0.01"}),
]
SMALLER = [
    ("menace", "steady", {}, {"win": 1}),
    ("menace", "scroggs", {"empty": "refill"}, {"win": 0, "draw": 0, "loss": 0, "least": 3}),
    ("genetic", "hochmuth-points", {"population": 20, "until": "end"}, {"fitness": "unlost"}),
]
"""Branches that could not have reached what was learned before them."""


@pytest.mark.parametrize(("kind", "preset", "settings", "changed"), CASES)
def test_a_branch_continues_from_what_was_learned_under_its_own_settings(kind, preset, settings, changed):
    base = trained(kind, preset, 50, settings)
    snapshot = base.snapshot()
    changed = {key: base.spec.parse_setting(key, str(value)) for key, value in changed.items()}
    same, branch = branch_from(snapshot, {}), branch_from(snapshot, changed)
    assert branch.settings == {**base.settings, **changed}
    assert (branch.memory == base.memory).all()
    assert branch.rounds == 50
    for learner in (base, same, branch):
        train(learner, 200)
    assert (same.memory == base.memory).all()
    assert not np.array_equal(branch.memory, base.memory)
    assert set(moments(snapshot)) <= set(moments(branch.snapshot()))


@pytest.mark.parametrize(("kind", "preset", "settings", "changed"), SMALLER)
def test_the_new_settings_of_a_branch_do_not_judge_what_was_learned_before(kind, preset, settings, changed):
    base = trained(kind, preset, 50, settings)
    branch = branch_from(base.snapshot(), changed)
    train(branch, 20)
    assert check_snapshot(branch.snapshot()).stats == branch.stats()
    assert revive(rewind_to(branch.snapshot(), 20)).rounds == 20


def test_no_checkpoint_from_before_a_branch_is_trained_further():
    base = trained("menace", "scroggs", 100, {"empty": "refill"})
    branch = branch_from(base.snapshot(), {"win": 9})
    train(branch, 100)
    snapshot = branch.snapshot()
    assert rewind_to(snapshot, 50).generator == ()
    with pytest.raises(BadText):
        narrow_switch(snapshot, Switch(edge=0, rounds=100, since=50, given_up=True))
