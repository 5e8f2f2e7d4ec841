from dataclasses import replace

import numpy as np
import pytest

from engine.game import BadText
from engine.games import parse_game
from learners.core.snapshot import MAX_LEARNER_ROUNDS, Checkpoint, checkpoint_of
from saves.encoding.check import LARGEST_COUNT, check_snapshot
from tests.saves.brains import boxed, made_up, same

BRAIN = made_up(parse_game("hexapawn"), 5)
STATS = dict(BRAIN.stats)
ONE = {**STATS, "games": 1, "draws": 1}
TWO = {**STATS, "games": 2, "draws": 2}


def kept(memories):
    return {rounds: checkpoint_of(memory, opponent="random") for rounds, memory in memories.items()}


def test_a_valid_snapshot_is_returned_unchanged():
    whole = replace(BRAIN, history=(ONE, TWO), stats=TWO, seed=2**63 - 1)
    assert same(check_snapshot(whole), whole)
    assert check_snapshot(replace(BRAIN, settings={})).settings == {"pick": "uniform", "walk_back": False}


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"learner": "oracle"}, "no learner 'oracle'"),
        ({"preset": "best"}, "no preset 'best'"),
        ({"settings": {"pick": "never"}}, "cannot be 'never'"),
        ({"settings": {"speed": 1}}, "no setting 'speed'"),
        ({"seed": -1}, "seed '-1'"),
        ({"seed": 2**63}, "seed"),
        ({"seed": 1.5}, "not a whole number"),
        ({"generator": ()}, "generator"),
        ({"generator": (1, 2, 3)}, "generator"),
        ({"generator": (0, 0)}, "generator"),
        ({"generator": (1, 2**32)}, "generator"),
        ({"stats": {}}, "missing: 'avoided', 'draws', 'entries'"),
        ({"stats": {**STATS, "luck": 1}}, "missing: 'luck'"),
        ({"stats": {**STATS, "plies": -1}}, "plies"),
        ({"stats": {**STATS, "plies": LARGEST_COUNT + 1}}, "plies"),
        ({"stats": {**STATS, "games": 1}}, "1 game, but 0"),
        ({"stats": {**STATS, "games": MAX_LEARNER_ROUNDS + 1, "draws": MAX_LEARNER_ROUNDS + 1}}, "games"),
        ({"stats": {**STATS, "entries": 4}}, "count 4 failures, the memory has 5"),
        ({"history": (ONE,)}, "ascend"),
        ({"history": (TWO, ONE), "stats": TWO}, "ascend"),
        ({"history": ({},)}, "missing"),
        ({"memory": np.zeros_like(BRAIN.memory)}, "the memory has 0"),
        ({"memory": 2 * BRAIN.memory}, "numbered 1, 2, 3"),
        ({"memory": -BRAIN.memory}, "below 0"),
        ({"memory": BRAIN.memory[:-1]}, "a memory of hexapawn has"),
        ({"times": BRAIN.memory}, "failures does not count"),
        (
            {"checkpoints": kept({1: BRAIN.memory}), "history": (ONE,), "stats": ONE},
            "failures stores no earlier memories",
        ),
    ],
)
def test_an_invalid_snapshot_is_refused(changes, what):
    with pytest.raises(BadText, match=what):
        check_snapshot(replace(BRAIN, **changes))


BOXED = boxed()


FIRST = BOXED.checkpoints[1].memory
ELSEWHERE = np.ones_like(BOXED.memory)


@pytest.mark.parametrize("label", ["self", "human", "random", "perfect", "save:a b", "save:riechel", "save:Größe"])
def test_an_opponent_is_the_label_of_a_player(label):
    assert check_snapshot(replace(BRAIN, opponent=label)).opponent == label


@pytest.mark.parametrize("label", ["", "Self", "nobody", "a b", "save", "save:", "save: a", "save:a/b", "save:save:a"])
def test_any_other_opponent_is_refused(label):
    with pytest.raises(BadText):
        check_snapshot(replace(BRAIN, opponent=label))


def test_a_valid_menace_is_returned_unchanged():
    assert same(check_snapshot(BOXED), BOXED)


def test_whether_choices_are_counted_is_up_to_the_learner():
    assert check_snapshot(replace(BRAIN, times=np.zeros_like(BRAIN.memory))).times is None
    assert not check_snapshot(replace(BOXED, times=None)).times.any()


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"times": -BOXED.times}, "below 0"),
        ({"times": BOXED.times[:1]}, "a memory of hexapawn has"),
        ({"times": ELSEWHERE}, "at a move that shares that of an earlier"),
        ({"times": BOXED.times * LARGEST_COUNT}, "times, more than"),
        ({"checkpoints": kept({2: FIRST, 1: FIRST})}, "do not ascend"),
        ({"checkpoints": {1: Checkpoint()}}, "a checkpoint has no memory"),
        ({"checkpoints": {1: checkpoint_of(FIRST, generator=(0, 0))}}, "generator"),
        ({"checkpoints": {1: checkpoint_of(FIRST, opponent="nobody")}}, "no opponent"),
        ({"checkpoints": {1: checkpoint_of(FIRST, opponent="self")}}, "her plays B only"),
        ({"checkpoints": {1: checkpoint_of(FIRST, -FIRST, opponent="random")}}, "below 0"),
        ({"checkpoints": kept({3: FIRST})}, "a checkpoint after 3 games"),
        ({"checkpoints": kept({6: BOXED.memory})}, "a checkpoint after 6 games"),
        ({"checkpoints": kept({1: ELSEWHERE})}, "at a move that shares that of an earlier"),
        ({"checkpoints": kept({1: BOXED.memory})}, "44 beads in 19 boxes, the memory has 49"),
        ({"checkpoints": kept(dict.fromkeys(range(101), FIRST))}, "more than 100"),
        ({"checkpoints": kept({1: FIRST * 2**60})}, "a move has from"),
        ({"checkpoints": kept({1: FIRST + (np.arange(len(FIRST)) == 0)})}, "beads where the machine has no box"),
    ],
)
def test_an_invalid_menace_is_refused(changes, what):
    with pytest.raises(BadText, match=what):
        check_snapshot(replace(BOXED, **changes))
