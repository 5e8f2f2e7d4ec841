"""What every learner promises of its presets and settings."""

import pytest

from engine.game import BadText
from engine.games import GAMES
from learners import LEARNERS, parse_learner, revive
from learners.core.generator import LARGEST_SEED
from tests.learners.cases import KINDS, every_kind


@every_kind
def test_an_unknown_preset_is_refused_with_a_list_of_presets(kind: str):
    with pytest.raises(
        BadText, match=rf"no preset 'odd\\n' of {kind}; there are {', '.join(KINDS[kind].spec.presets)}"
    ):
        KINDS[kind](GAMES[0], "odd\n", 1)


@every_kind
@pytest.mark.parametrize("seed", [-1, LARGEST_SEED + 1])
def test_a_seed_out_of_range_is_refused(kind: str, seed: int):
    with pytest.raises(BadText, match=f"seed '{seed}' is not between 0 and {LARGEST_SEED}"):
        KINDS[kind](GAMES[0], next(iter(KINDS[kind].spec.presets)), seed)


@every_kind
def test_the_largest_seed_trains(kind: str):
    learner = KINDS[kind](GAMES[0], next(iter(KINDS[kind].spec.presets)), LARGEST_SEED)
    learner.train(10)
    assert learner.rounds == 10


@every_kind
def test_every_setting_can_be_parsed_and_replaces_that_of_the_preset(kind: str):
    for key, setting in KINDS[kind].spec.settings.items():
        for value in setting.samples:
            assert KINDS[kind].spec.parse_setting(key, f"{value}".upper()) == value
            for preset in KINDS[kind].spec.presets_for(GAMES[0]):
                learner = KINDS[kind](GAMES[0], preset, 1, {key: value})
                assert learner.settings == {**KINDS[kind].spec.presets[preset], key: value}
                assert revive(learner.snapshot(), GAMES[0]).settings == learner.settings


@every_kind
def test_presets_set_everything(kind: str):
    for settings in KINDS[kind].spec.presets.values():
        assert set(settings) == set(KINDS[kind].spec.settings)
        for key, value in settings.items():
            assert KINDS[kind].spec.parse_setting(key, str(value)) == value


@every_kind
def test_bad_settings_are_refused_with_a_list_of_settings(kind: str):
    learner = KINDS[kind]
    keys = ", ".join(learner.spec.settings) or "none"
    with pytest.raises(BadText, match=f"no setting 'colour' of {kind}; there are {keys}"):
        learner.spec.parse_setting("colour", "red")
    if not learner.spec.settings:
        return
    key = next(iter(learner.spec.settings))
    with pytest.raises(BadText, match=f"{key} cannot be 'red'; it is "):
        learner.spec.parse_setting(key, "red")
    with pytest.raises(BadText, match="cannot be"):
        learner(GAMES[0], next(iter(learner.spec.presets)), 1, {key: "red"})


def test_learners_are_found_by_name():
    assert [parse_learner(kind.spec.name) for kind in LEARNERS] == list(LEARNERS)
    with pytest.raises(BadText, match=f"no learner 'deep'; there are {', '.join(KINDS)}"):
        parse_learner("deep")
