"""Every learner keeps the contract of `noughts.testing`, with every preset on every small game."""

import re
from dataclasses import replace

import numpy as np
import pytest

from engine.game import BadText, Game
from engine.games import parse_game
from engine.solve import edge_values
from learners import LEARNERS, parse_learner
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from learners.players.plain import RandomPlayer
from learners.q import QLearner
from noughts.testing import LEARNER_CHECKS, Trial, check_learner
from noughts.testing.learners import (
    check_records_survive_a_snapshot,
    check_records_teach_the_same,
    taught_by_unfinished_games,
)
from noughts.testing.players import check_player_policy
from tests.learners.cases import CASES, KINDS, every_case, every_record_case, trial

SAMPLED = (check_records_teach_the_same, check_records_survive_a_snapshot)
"""These take so long that `make test` runs them on some cases only."""
HEXAPAWN = parse_game("hexapawn")


@pytest.mark.sample(250)
@every_case
@pytest.mark.parametrize(
    "check", [each for each in LEARNER_CHECKS if each not in SAMPLED], ids=lambda check: check.__name__
)
def test_every_learner_keeps_the_contract(check, kind: str, preset: str, game: Game):
    check(trial(kind, preset, game))


@pytest.mark.sample(8)
@every_record_case
@pytest.mark.parametrize("check", SAMPLED, ids=lambda check: check.__name__)
def test_learners_learn_from_games_of_others(check, kind: str, preset: str, game: Game):
    check(trial(kind, preset, game))


@pytest.mark.long
@every_case
def test_every_learner_keeps_the_contract_for_longer(kind: str, preset: str, game: Game):
    check_player_policy(trial(kind, preset, game).trained(), sampled=15)
    check_records_teach_the_same(trial(kind, preset, game), games=1500)


@pytest.mark.parametrize(("kind", "preset", "game"), [each for each in CASES if each.values[0] == "failures"])
def test_a_resignation_and_an_agreed_draw_prove_no_move_bad(kind: str, preset: str, game: Game):
    learner, _ = taught_by_unfinished_games(trial(kind, preset, game))
    assert np.all(edge_values(learner.space)[learner.memory > 0] == -1)


@pytest.mark.parametrize(("kind", "preset"), [("failures", "literal"), ("menace", "scroggs"), ("q", "exact")])
def test_games_of_a_resigning_opponent_end_where_it_resigns(kind: str, preset: str):
    other = Menace(HEXAPAWN, "scroggs", 1)
    other.memory[:] = 0
    learner = parse_learner(kind)(HEXAPAWN, preset, 2)
    learner.set_opponent(other)
    learner.train(10)
    stats = learner.stats()
    assert (stats["first_wins"], stats["plies"], stats.get("entries", 0)) == (10, 10, 0)
    assert len(learner.last_game) == 1


class InBatches(QLearner):
    spec = replace(QLearner.spec, learns_records=False)


def test_a_learner_that_learns_from_no_single_game_may_train_against_others():
    learner, again = (InBatches(HEXAPAWN, "exact", 1) for _ in range(2))
    learner.set_opponent(RandomPlayer(HEXAPAWN))
    learner.train(10)
    again.restore(learner.snapshot())
    assert again.opponent == "random"


class Unseeded(QLearner):
    def train(self, rounds: int) -> None:
        self.generator += np.random.default_rng().integers(100, size=2)
        super().train(rounds)


class Boastful(Menace):
    def policy(self):
        return 2 * super().policy()


class Narrow(QLearner):
    """Refuses a value with an error that does not name the game."""

    def __init__(self, game, preset, seed, settings=None) -> None:
        super().__init__(game, preset, seed, settings)
        if settings:
            raise BadText("not here")


class Learning(Failures):
    def choose(self, position, random):
        self.memory[0] += 1
        return super().choose(position, random)


class Forgetful(QLearner):
    def learn_record(self, record, sides=(0, 1)):
        self.replay(record)
        return ()


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (Unseeded, "trained twice with the same seed"),
        (Boastful, "the policy sa|the policy sums to"),
        (Narrow, "and does not say for which game: not here"),
        (Learning, "before and after playing"),
        (Forgetful, "it does not count a game of others"),
    ],
)
def test_a_violation_of_the_contract_is_reported(kind, says: str):
    with pytest.raises(AssertionError, match=says):
        check_learner(kind, HEXAPAWN)


def test_a_trial_names_learner_preset_and_game():
    assert str(Trial(QLearner, "exact", HEXAPAWN)) == "q-exact-hexapawn"


def test_learners_are_found_by_name():
    assert [parse_learner(kind.spec.name) for kind in LEARNERS] == list(LEARNERS)
    with pytest.raises(BadText, match=r"no learner 'Q': nearest q; there are"):
        parse_learner("Q")
    with pytest.raises(BadText, match=f"no learner 'deep'; there are {', '.join(KINDS)}"):
        parse_learner("deep")


@pytest.mark.parametrize(
    ("learner", "key", "texts", "says"),
    [
        ("genetic", "mutation", "-0.1 1.0001 nan inf 1e999 15% 0,5 1/2", "it is a chance from 0 to 1, such as 0.15"),
        ("genetic", "population", "0 1 -5 10001 1e3 nan 2.5", "it is a whole number from 2 to 10000"),
        ("menace", "beads", "0 4,-3 4,,3 x 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "it is up to 16 whole numbers from 1"),
        ("menace", "least", "-1 1.5", "it is a whole number from 0"),
        ("menace", "empty", "cry", "it is one of resign, refill, keep"),
    ],
)
def test_a_value_that_a_setting_does_not_have_is_refused(learner: str, key: str, texts: str, says: str):
    spec = parse_learner(learner).spec
    for text in ("", *texts.split()):
        refusal = re.escape(f"{spec.setting_name(key)} cannot be '{text}'; {says}")
        with pytest.raises(BadText, match=f"^{refusal}"):
            spec.parse_setting(key, text)


def test_the_example_in_a_hint_is_written_as_a_preset_has_to_be():
    mutation = parse_learner("genetic").spec.settings["mutation"]
    with pytest.raises(BadText) as caught:
        mutation.parse("0,15")
    example = str(caught.value).rpartition("such as ")[2]
    assert mutation.parse(example) == example == "0.15"
