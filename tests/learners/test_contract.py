"""What every learner promises of its training: seeds, snapshots, statistics, history."""

from dataclasses import replace

from engine.game import Game, Outcome
from learners import revive
from learners.core.spec import COMMON_STATS
from tests.learners.cases import (
    GAMES_PLAYED,
    assert_same,
    every_case,
    every_record_case,
    fresh,
    frozen,
    replayed,
    rounds_for,
    trained,
)

ENDED = {Outcome.FIRST_WINS: "first_wins", Outcome.SECOND_WINS: "second_wins", Outcome.DRAW: "draws"}
"""The statistic that counts the games with each outcome."""


@every_case
def test_a_new_learner_knows_nothing(kind: str, preset: str, game: Game):
    learner = fresh(kind, preset, game)
    assert {learner.stats()[key] for key in COMMON_STATS} == {0}
    assert not learner.times.any()
    assert learner.history.checkpoints == {}
    assert learner.last_game == ()
    assert learner.history.statistics == ()
    assert learner.spec.parameters or learner.memory.shape == learner.space.move.shape


@every_case
def test_the_same_seed_makes_the_same_learner(kind: str, preset: str, game: Game):
    again, other = fresh(kind, preset, game), fresh(kind, preset, game, seed=2)
    again.train(rounds_for(kind, GAMES_PLAYED))
    other.train(rounds_for(kind, GAMES_PLAYED))
    assert_same(again.snapshot(), frozen(kind, preset, game))
    assert other.snapshot().generator != again.snapshot().generator


@every_case
def test_training_in_parts_equals_training_at_once(kind: str, preset: str, game: Game):
    learner, total = fresh(kind, preset, game), rounds_for(kind, GAMES_PLAYED)
    for rounds in (0, 1, 1, 3, total // 30, total // 3):
        learner.train(rounds)
    learner.train(total - learner.rounds)
    assert_same(learner.snapshot(), frozen(kind, preset, game))


@every_case
def test_a_revived_learner_continues_as_if_it_had_never_stopped(kind: str, preset: str, game: Game):
    uninterrupted = fresh(kind, preset, game)
    uninterrupted.train(2 * rounds_for(kind, GAMES_PLAYED))
    learner = trained(kind, preset, game)
    assert_same(learner.snapshot(), frozen(kind, preset, game))
    learner.train(rounds_for(kind, GAMES_PLAYED))
    assert_same(learner.snapshot(), uninterrupted.snapshot())


@every_case
def test_a_snapshot_stays_as_it_is(kind: str, preset: str, game: Game):
    learner = trained(kind, preset, game)
    snapshot = learner.snapshot()
    kept = replace(snapshot, memory=snapshot.memory.copy(), stats=dict(snapshot.stats))
    learner.train(rounds_for(kind, GAMES_PLAYED))
    learner.history.add_statistics(learner.stats())
    assert_same(snapshot, kept)
    revive(snapshot, game).train(rounds_for(kind, GAMES_PLAYED))
    assert_same(snapshot, kept)


@every_case
def test_statistics(kind: str, preset: str, game: Game):
    learner, total = fresh(kind, preset, game), 0
    for games in (1, 10, 1000):
        learner.train(rounds_for(kind, games))
        total += rounds_for(kind, games)
        stats = learner.stats()
        assert list(stats) == list(learner.spec.stat_keys)
        assert stats["games"] == stats["first_wins"] + stats["second_wins"] + stats["draws"]
        assert all(type(count) is int for count in stats.values())
        assert all(count >= 0 for key, count in stats.items() if key not in learner.spec.signed_stats)
        assert stats["games"] - stats.get("resigned", 0) <= stats["plies"]
        assert stats["plies"] <= stats["games"] * int(learner.space.ply.max())
    assert learner.rounds == learner.stats()[learner.spec.round_statistic] == total
    assert list(learner.spec.json_stats(stats)) == list(stats)
    assert learner.spec.size_statistic in stats


@every_record_case
def test_statistics_count_the_games_played(kind: str, preset: str, game: Game):
    learner = fresh(kind, preset, game)
    counted = dict.fromkeys(ENDED.values(), 0) | {"plies": 0}
    for _ in range(200):
        learner.train(1)
        counted[ENDED[replayed(learner)]] += 1
        counted["plies"] += len(learner.last_game)
    assert learner.stats().items() >= counted.items()


@every_record_case
def test_the_last_game_of_many_is_a_whole_game(kind: str, preset: str, game: Game):
    learner = fresh(kind, preset, game)
    for games in (1, 17, 500):
        learner.train(games)
        replayed(learner)


@every_case
def test_history_records_each_number_of_rounds_once(kind: str, preset: str, game: Game):
    learner = fresh(kind, preset, game)
    for games in (1, 4, 0, 5):
        learner.train(games)
        learner.history.add_statistics(learner.stats())
    assert [stats[learner.spec.round_statistic] for stats in learner.history.statistics] == [1, 5, 10]
    assert learner.history.statistics[-1] == learner.stats()
    assert revive(learner.snapshot(), game).history.statistics == learner.history.statistics
