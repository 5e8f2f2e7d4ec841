"""What every learner promises, on every game and with every preset."""

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from engine import GAMES
from engine.game import BadText, Game, Outcome
from engine.match import Match, Record, play_match
from engine.space import RUNNING
from learners import LEARNERS, parse_learner, revive
from learners.generator import LARGEST_SEED
from learners.player import COMMON_STATS, Learner, Snapshot, outcome_counts

KINDS = {kind.name: kind for kind in LEARNERS}
CASES = [
    pytest.param(kind.name, preset, game, id=f"{kind.name}-{preset}-{game.name}")
    for kind in LEARNERS
    for preset in kind.presets
    for game in GAMES
]
every_case = pytest.mark.parametrize(("kind", "preset", "game"), CASES)
every_kind = pytest.mark.parametrize("kind", list(KINDS))

GAMES_PLAYED = 3000


def fresh(kind: str, preset: str, game: Game, seed: int = 1) -> Learner:
    return KINDS[kind](game, preset, seed)


@cache
def frozen(kind: str, preset: str, game: Game) -> Snapshot:
    learner = fresh(kind, preset, game)
    learner.train(GAMES_PLAYED)
    return learner.snapshot()


def trained(kind: str, preset: str, game: Game) -> Learner:
    return revive(frozen(kind, preset, game), game)


def assert_same(one: Snapshot, two: Snapshot) -> None:
    assert np.array_equal(one.memory, two.memory)
    assert replace(one, memory=two.memory) == two


def running(learner: Learner) -> list[int]:
    return learner.space.position[learner.space.outcome == RUNNING].tolist()


@every_case
def test_a_new_learner_knows_nothing(kind: str, preset: str, game: Game):
    learner = fresh(kind, preset, game)
    assert not learner.memory.any()
    assert set(learner.stats().values()) == {0}
    assert learner.last_game == ()
    assert learner.history == ()
    assert learner.memory.shape == learner.space.move.shape


@every_case
def test_the_same_seed_makes_the_same_learner(kind: str, preset: str, game: Game):
    again, other = fresh(kind, preset, game), fresh(kind, preset, game, seed=2)
    again.train(GAMES_PLAYED)
    other.train(GAMES_PLAYED)
    assert_same(again.snapshot(), frozen(kind, preset, game))
    assert other.snapshot().generator != again.snapshot().generator


@every_case
def test_training_in_parts_is_training_at_once(kind: str, preset: str, game: Game):
    learner = fresh(kind, preset, game)
    for games in (0, 1, 1, 3, 95, 900, GAMES_PLAYED - 1000):
        learner.train(games)
    assert_same(learner.snapshot(), frozen(kind, preset, game))


@every_case
def test_a_revived_learner_trains_on_as_if_it_had_never_stopped(kind: str, preset: str, game: Game):
    uninterrupted = fresh(kind, preset, game)
    uninterrupted.train(2 * GAMES_PLAYED)
    learner = trained(kind, preset, game)
    assert_same(learner.snapshot(), frozen(kind, preset, game))
    learner.train(GAMES_PLAYED)
    assert_same(learner.snapshot(), uninterrupted.snapshot())


@every_case
def test_a_snapshot_stays_as_it_is(kind: str, preset: str, game: Game):
    learner = trained(kind, preset, game)
    snapshot = learner.snapshot()
    kept = replace(snapshot, memory=snapshot.memory.copy(), stats=dict(snapshot.stats))
    learner.train(GAMES_PLAYED)
    learner.mark_history()
    assert_same(snapshot, kept)
    revive(snapshot, game).train(GAMES_PLAYED)
    assert_same(snapshot, kept)


@every_case
def test_statistics(kind: str, preset: str, game: Game):
    learner = fresh(kind, preset, game)
    for games in (1, 10, 1000):
        learner.train(games)
        stats = learner.stats()
        assert list(stats) == [*COMMON_STATS, *learner.own_stats]
        assert stats["games"] == stats["first_wins"] + stats["second_wins"] + stats["draws"]
        assert sum(outcome_counts(stats).values()) == stats["games"]
        assert all(type(count) is int and count >= 0 for count in stats.values())
        assert stats["games"] <= stats["plies"] <= stats["games"] * int(learner.space.ply.max())
    assert learner.stats()["games"] == 1011
    assert learner.size_stat in learner.own_stats


@every_case
def test_statistics_count_the_games_played(kind: str, preset: str, game: Game):
    learner = fresh(kind, preset, game)
    plies, outcomes = 0, dict.fromkeys(Outcome, 0)
    for _ in range(200):
        learner.train(1)
        outcomes[replayed(learner)] += 1
        plies += len(learner.last_game)
    assert learner.stats()["plies"] == plies
    assert outcome_counts(learner.stats()) == outcomes


def replayed(learner: Learner) -> Outcome:
    """The outcome of the last game, each of its moves played by the rules."""
    match = Match(learner.game)
    for move in learner.last_game:
        assert match.outcome is None
        match.play(move)
    assert match.outcome is not None
    return match.outcome


@every_case
def test_the_last_game_of_many_is_a_whole_game(kind: str, preset: str, game: Game):
    learner = fresh(kind, preset, game)
    for games in (1, 17, 500):
        learner.train(games)
        replayed(learner)


@every_case
def test_choosing_is_legal_and_changes_nothing(kind: str, preset: str, game: Game):
    learner = trained(kind, preset, game)
    random = Random(1)
    for position in running(learner):
        choice = learner.choose(position, random)
        assert choice.move in game.moves(position)
        assert choice.reason.isprintable()
        assert 0 < len(choice.reason) <= 100
        learner.thoughts(position)
    learner.policy()
    assert_same(learner.snapshot(), frozen(kind, preset, game))


@every_case
def test_a_choice_hangs_on_the_random_numbers_alone(kind: str, preset: str, game: Game):
    learner = trained(kind, preset, game)
    positions = running(learner)[:100]
    one, two = Random(5), Random(5)
    assert [learner.choose(position, one) for position in positions] == [
        learner.choose(position, two) for position in positions
    ]


@every_case
def test_choices_fit_the_policy(kind: str, preset: str, game: Game):
    learner = trained(kind, preset, game)
    random, policy, draws = Random(2), learner.policy(), 1000
    for position in Random(3).sample(running(learner), 15):
        chosen = [learner.choose(position, random).move for _ in range(draws)]
        for edge in learner.space.edges(position):
            chance = policy[edge]
            error = (chance * (1 - chance) / draws) ** 0.5
            assert chosen.count(int(learner.space.move[edge])) / draws == pytest.approx(chance, abs=5 * error)


@every_case
def test_the_policy_is_one(kind: str, preset: str, game: Game):
    for learner in (fresh(kind, preset, game), trained(kind, preset, game)):
        policy, space = learner.policy(), learner.space
        assert policy.shape == space.move.shape
        assert np.all(policy >= 0)
        total = np.bincount(space.source, policy, len(space.position))
        assert total[space.outcome == RUNNING] == pytest.approx(1)


@every_case
def test_thoughts_fit_the_policy(kind: str, preset: str, game: Game):
    learner = trained(kind, preset, game)
    policy, space = learner.policy(), learner.space
    for position in running(learner):
        thoughts = learner.thoughts(position)
        assert tuple(thought.move for thought in thoughts) == game.moves(position)
        assert sum(thought.chance for thought in thoughts) == pytest.approx(1)
        assert [thought.chance for thought in thoughts] == pytest.approx(
            [policy[edge] for edge in space.edges(position)]
        )
        assert all(len(thought.symbol) == 1 and thought.words.isprintable() for thought in thoughts)


@every_case
def test_records_of_another_learner_teach_the_same(kind: str, preset: str, game: Game):
    teacher, pupil = fresh(kind, preset, game), fresh(kind, preset, game, seed=2)
    for _ in range(1500):
        teacher.train(1)
        outcome = replayed(teacher)
        pupil.learn_record(Record(game.name, ("a", "b"), teacher.last_game, outcome))
        assert pupil.last_game == teacher.last_game
    assert teacher.stats()[teacher.size_stat] > 0
    assert np.array_equal(pupil.memory, teacher.memory)
    for key in (*COMMON_STATS, teacher.size_stat):
        assert pupil.stats()[key] == teacher.stats()[key]


@every_case
def test_learning_from_games_of_others_goes_on_bit_by_bit(kind: str, preset: str, game: Game):
    random = Random(1)

    def choose(position: int) -> int:
        return random.choice(game.moves(position))

    records = [play_match(game, (choose, choose)).record(("random", "random")) for _ in range(100)]
    once, twice = trained(kind, preset, game), trained(kind, preset, game)
    for record in records[:50]:
        once.learn_record(record)
        twice.learn_record(record)
    twice = revive(twice.snapshot(), game)
    for learner in (once, twice):
        for record in records[50:]:
            learner.learn_record(record)
        learner.train(100)
    assert_same(once.snapshot(), twice.snapshot())


@every_case
def test_no_game_but_a_finished_one_of_its_own_is_learned_from(kind: str, preset: str, game: Game):
    learner = trained(kind, preset, game)
    learner.train(1)
    before, last = learner.snapshot(), learner.last_game
    right = Record(game.name, ("a", "b"), last, replayed(learner))
    wrong = [
        replace(right, moves=last[:-1]),
        replace(right, moves=(*last, last[0])),
        replace(right, moves=(81, *last[1:])),
        replace(right, moves=()),
        replace(right, outcome=next(outcome for outcome in Outcome if outcome is not right.outcome)),
        replace(right, game=next(other.name for other in GAMES if other is not game)),
    ]
    for record in wrong:
        with pytest.raises(KeyError):
            learner.learn_record(record)
    assert_same(learner.snapshot(), before)
    assert learner.last_game == last


@every_case
def test_history_keeps_each_moment_once(kind: str, preset: str, game: Game):
    learner = fresh(kind, preset, game)
    for games in (1, 4, 0, 5):
        learner.train(games)
        learner.mark_history()
    assert [stats["games"] for stats in learner.history] == [1, 5, 10]
    assert learner.history[-1] == learner.stats()
    assert revive(learner.snapshot(), game).history == learner.history


@every_kind
def test_an_unknown_preset_is_told_with_those_there_are(kind: str):
    with pytest.raises(BadText, match=rf"no preset 'odd\\n' of {kind}; there are {', '.join(KINDS[kind].presets)}"):
        KINDS[kind](GAMES[0], "odd\n", 1)


@every_kind
@pytest.mark.parametrize("seed", [-1, LARGEST_SEED + 1])
def test_a_seed_out_of_range_is_refused(kind: str, seed: int):
    with pytest.raises(BadText, match=f"seed '{seed}' is not between 0 and {LARGEST_SEED}"):
        KINDS[kind](GAMES[0], next(iter(KINDS[kind].presets)), seed)


@every_kind
def test_the_largest_seed_trains(kind: str):
    learner = KINDS[kind](GAMES[0], next(iter(KINDS[kind].presets)), LARGEST_SEED)
    learner.train(10)
    assert learner.stats()["games"] == 10


@every_kind
def test_every_setting_reads_back_and_replaces_that_of_the_preset(kind: str):
    for key, setting in KINDS[kind].setting_kinds.items():
        for value in setting.values:
            assert KINDS[kind].parse_setting(key, f"{value}".upper()) == value
            for preset in KINDS[kind].presets:
                learner = KINDS[kind](GAMES[0], preset, 1, {key: value})
                assert learner.settings == {**KINDS[kind].presets[preset], key: value}
                assert revive(learner.snapshot(), GAMES[0]).settings == learner.settings


@every_kind
def test_presets_set_everything(kind: str):
    for settings in KINDS[kind].presets.values():
        assert set(settings) == set(KINDS[kind].setting_kinds)
        for key, value in settings.items():
            assert value in KINDS[kind].setting_kinds[key].values


@every_kind
def test_bad_settings_are_told_with_the_good_ones(kind: str):
    learner = KINDS[kind]
    key, setting = next(iter(learner.setting_kinds.items()))
    with pytest.raises(BadText, match=f"no setting 'colour' of {kind}; there are {key}"):
        learner.parse_setting("colour", "red")
    with pytest.raises(BadText, match=f"{key} cannot be 'red'; it is one of {setting.values[0]}"):
        learner.parse_setting(key, "red")
    with pytest.raises(BadText, match="cannot be"):
        learner(GAMES[0], next(iter(learner.presets)), 1, {key: "red"})


def test_learners_are_found_by_name():
    assert [parse_learner(kind.name) for kind in LEARNERS] == list(LEARNERS)
    with pytest.raises(BadText, match=f"no learner 'deep'; there are {', '.join(KINDS)}"):
        parse_learner("deep")
