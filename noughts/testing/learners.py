"""The contract of a learner, as checks of a learner with a preset in a game. A check that fails says what is wrong."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from random import Random
from typing import Final

import numpy as np

from engine.evaluate import SAME
from engine.game import BadText, Game, Outcome
from engine.games import GAMES
from engine.match import Match, Record, play_match
from engine.plugins import NAME, NAME_FORM
from learners.core.generator import LARGEST_SEED
from learners.core.learner import Learner
from learners.core.settings import Setting
from learners.core.snapshot import Snapshot
from learners.core.spec import COMMON_STATS
from noughts.testing.players import check_player_choices, check_player_policy, check_player_thoughts

GAMES_PLAYED: Final = 3000
ENDED: Final = {Outcome.FIRST_WINS: "first_wins", Outcome.SECOND_WINS: "second_wins", Outcome.DRAW: "draws"}
"""The statistic that counts the games with each outcome."""


@dataclass(frozen=True)
class Trial:
    """A learner with a preset, in a game that has a space, on which a check is run."""

    kind: type[Learner]
    preset: str
    game: Game
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """Settings that replace those of the preset, to make training quick."""

    def __str__(self) -> str:
        """Return learner, preset and game, for messages and the names of tests."""
        return f"{self.kind.spec.name}-{self.preset}-{self.game.name}"

    def fresh(self, seed: int = 1) -> Learner:
        """Return a learner that has learned nothing."""
        return self.kind(self.game, self.preset, seed, self.settings)

    def rounds(self, games: int) -> int:
        """Return the number of rounds to train: `games`, or fewer if the learner is usually trained for few rounds."""
        return min(games, max(1, self.kind.spec.usual_rounds * 3 // 50))

    @cached_property
    def frozen(self) -> Snapshot:
        """The snapshot of a trained learner."""
        learner = self.fresh()
        learner.train(self.rounds(GAMES_PLAYED))
        return learner.snapshot()

    def revived(self, snapshot: Snapshot) -> Learner:
        """Return the learner of a snapshot, also for a kind of learner that is not in the program's list."""
        learner = self.kind(self.game, snapshot.preset, snapshot.seed, snapshot.settings)
        learner.restore(snapshot)
        return learner

    def trained(self) -> Learner:
        """Return a new copy of the trained learner."""
        return self.revived(self.frozen)


def trials(kind: type[Learner], game: Game, **settings: Setting) -> list[Trial]:
    """Return a trial for each preset of a learner that fits a game."""
    return [Trial(kind, preset, game, settings) for preset in kind.spec.presets_for(game)]


def check_new(trial: Trial) -> None:
    """Check that a new learner has learned nothing."""
    learner = trial.fresh()
    stats = learner.stats()
    assert {stats[key] for key in COMMON_STATS} == {0}, f"{trial}: a new learner has counted games: {stats}"
    assert not learner.times.any(), f"{trial}: a new learner has counted choices"
    assert not learner.history.checkpoints, f"{trial}: a new learner has checkpoints"
    assert not learner.history.statistics, f"{trial}: a new learner has a history"
    assert learner.last_game == (), f"{trial}: a new learner has a last game"
    shape, edges = learner.memory.shape, learner.space.move.shape
    assert learner.spec.parameters or shape == edges, f"{trial}: the memory has shape {shape}, the edges have {edges}"


def check_seed(trial: Trial) -> None:
    """Check that the same seed makes the same learner, and another seed draws other numbers."""
    again, other = trial.fresh(), trial.fresh(seed=2)
    again.train(trial.rounds(GAMES_PLAYED))
    other.train(trial.rounds(GAMES_PLAYED))
    assert_same(again.snapshot(), trial.frozen, f"{trial}, trained twice with the same seed")
    drawn = other.snapshot().generator != again.snapshot().generator
    assert drawn, f"{trial}: seeds 1 and 2 end with the same state of the generator"


def check_training_in_parts(trial: Trial) -> None:
    """Check that training in parts gives the same as training at once."""
    learner, total = trial.fresh(), trial.rounds(GAMES_PLAYED)
    for rounds in (0, 1, 1, 3, total // 30, total // 3):
        learner.train(rounds)
    learner.train(total - learner.rounds)
    assert_same(learner.snapshot(), trial.frozen, f"{trial}, trained in parts and at once")


def check_reviving(trial: Trial) -> None:
    """Check that a learner revived from a snapshot continues as if it had never stopped."""
    uninterrupted = trial.fresh()
    uninterrupted.train(2 * trial.rounds(GAMES_PLAYED))
    learner = trial.trained()
    assert_same(learner.snapshot(), trial.frozen, f"{trial}, before and after it was restored")
    learner.train(trial.rounds(GAMES_PLAYED))
    assert_same(learner.snapshot(), uninterrupted.snapshot(), f"{trial}, trained with and without a pause")


def check_snapshot(trial: Trial) -> None:
    """Check that later training changes no snapshot."""
    learner = trial.trained()
    snapshot = learner.snapshot()
    kept = replace(snapshot, memory=snapshot.memory.copy(), stats=dict(snapshot.stats))
    learner.train(trial.rounds(GAMES_PLAYED))
    learner.history.add_statistics(learner.stats())
    assert_same(snapshot, kept, f"{trial}, a snapshot before and after more training")
    trial.revived(snapshot).train(trial.rounds(GAMES_PLAYED))
    assert_same(snapshot, kept, f"{trial}, a snapshot before and after training what was restored from it")


def check_statistics(trial: Trial) -> None:
    """Check that the statistics have the keys that the spec names, and that they add up."""
    learner, total = trial.fresh(), 0
    for games in (1, 10, 1000):
        learner.train(trial.rounds(games))
        total += trial.rounds(games)
        stats, spec = learner.stats(), learner.spec
        assert list(stats) == list(spec.stat_keys), f"{trial}: the statistics {[*stats]} are not {spec.stat_keys}"
        assert all(type(count) is int for count in stats.values()), f"{trial}: a statistic is no int: {stats}"
        negative = [key for key, count in stats.items() if count < 0 and key not in spec.signed_stats]
        assert not negative, f"{trial}: the statistic {negative[0]} is negative"
        ended = sum(stats[key] for key in ENDED.values())
        assert stats["games"] == ended, f"{trial}: {stats['games']} games have {ended} results"
        least, most = stats["games"] - stats.get("resigned", 0), stats["games"] * int(learner.space.ply.max())
        assert least <= stats["plies"] <= most, f"{trial}: {stats['games']} games cannot have {stats['plies']} plies"
        assert list(spec.json_stats(stats)) == list(stats), f"{trial}: JSON has other statistics"
        assert learner.shown.size_statistic in stats, f"{trial}: there is no statistic {learner.shown.size_statistic}"
        counted = stats[spec.round_statistic]
        assert learner.rounds == counted == total, f"{trial}: {counted} rounds are counted after {total}"


def check_games_are_counted(trial: Trial) -> None:
    """Check that a learner of single games counts each by its result, and that it and a snapshot know the last one."""
    if not trial.kind.spec.learns_records:
        return
    learner = trial.fresh()
    counted = dict.fromkeys(ENDED.values(), 0) | {"plies": 0}
    for _ in range(200):
        learner.train(1)
        counted[ENDED[last_outcome(learner)]] += 1
        counted["plies"] += len(learner.last_game)
    stats = learner.stats()
    assert stats.items() >= counted.items(), f"{trial}: the games played are {counted}, but it counts {stats}"
    for games in (17, 500):
        learner.train(games)
        last_outcome(learner)
    assert trial.revived(learner.snapshot()).last_game == learner.last_game, f"{trial}: restored, it has no last game"


def check_history(trial: Trial) -> None:
    """Check that the history has each number of rounds once, and that a snapshot keeps the history."""
    learner = trial.fresh()
    for games in (1, 4, 0, 5):
        learner.train(games)
        learner.history.add_statistics(learner.stats())
    rounds = [stats[learner.spec.round_statistic] for stats in learner.history.statistics]
    assert rounds == [1, 5, 10], f"{trial}: the history is of {rounds} rounds, not of 1, 5, 10"
    assert learner.history.statistics[-1] == learner.stats(), f"{trial}: the history ends with other statistics"
    kept = trial.revived(learner.snapshot()).history.statistics
    assert kept == learner.history.statistics, f"{trial}: a snapshot loses the history"


def check_playing(trial: Trial) -> None:
    """Check that a learner keeps the contract of a player, untrained and trained, and that playing changes nothing."""
    for learner in (trial.fresh(), trial.trained()):
        before = learner.snapshot()
        for check in (check_player_choices, check_player_thoughts, check_player_policy):
            check(learner)
        total = np.bincount(learner.space.source, learner.policy(), len(learner.space.position))
        assert np.all(np.minimum(total, abs(total - 1)) <= SAME), f"{trial}: the policy sums to neither 0 nor 1"
        assert_same(learner.snapshot(), before, f"{trial}, before and after playing")


def check_records_teach_the_same(trial: Trial, games: int = 400) -> None:
    """Check that a learner learns the same from a game of its own and from a record of such a game."""
    if not trial.kind.spec.learns_records:
        return
    teacher, pupil = trial.fresh(), trial.fresh(seed=2)
    for _ in range(games):
        teacher.train(1)
        pupil.learn_record(Record(trial.game, ("a", "b"), teacher.last_game, last_outcome(teacher)))
        assert pupil.last_game == teacher.last_game, f"{trial}: `learn_record` does not keep the last game"
    taught, stats, size = pupil.stats(), teacher.stats(), teacher.shown.size_statistic
    assert stats[size] > 0, f"{trial}: {size} is 0 after {games} games"
    assert np.array_equal(pupil.memory, teacher.memory), f"{trial}: `learn_record` learns otherwise than `train`"
    for key in (*COMMON_STATS, size):
        assert taught[key] == stats[key], f"{trial}: `learn_record` counts {key} {taught[key]}, `train` {stats[key]}"


def check_records_survive_a_snapshot(trial: Trial) -> None:
    """Check that a learner that was taught by games of others continues from a snapshot as if it had never stopped."""
    if not trial.kind.spec.learns_records:
        return
    random, game = Random(1), trial.game
    choosers = (lambda position: random.choice(game.moves(position)),) * 2
    records = [play_match(game, choosers).record(("random", "random")) for _ in range(100)]
    once, twice = trial.trained(), trial.trained()
    for record in records[:50]:
        once.learn_record(record)
        twice.learn_record(record)
    twice = trial.revived(twice.snapshot())
    for learner in (once, twice):
        for record in records[50:]:
            learner.learn_record(record)
        learner.train(100)
    assert_same(once.snapshot(), twice.snapshot(), f"{trial}, taught by games with and without a pause")


def check_wrong_records(trial: Trial) -> None:
    """Check that a learner learns only from finished games of its own game, and nothing from other records."""
    if not trial.kind.spec.learns_records:
        return
    learner = trial.trained()
    learner.train(1)
    before, last = learner.snapshot(), learner.last_game
    right = Record(trial.game, ("a", "b"), last, last_outcome(learner))
    wrong = [
        replace(right, moves=(*last[:-1], 10**6), outcome=Outcome.DRAW),
        replace(right, moves=(*last, 10**6)),
        replace(right, moves=(10**6, *last[1:])),
        replace(right, moves=(), outcome=Outcome.FIRST_WINS),  # only the side to move can resign
        replace(right, outcome=next(outcome for outcome in Outcome if outcome is not right.outcome)),
        replace(right, game=next(other for other in GAMES if other != trial.game)),
    ]
    if not trial.game.has_draws:
        wrong.append(replace(right, moves=last[:-1], outcome=Outcome.DRAW))  # then none can be agreed either
    for record in wrong:
        with refused(KeyError, "", f"{trial}: it learns from the impossible game {record}"):
            learner.learn_record(record)
    assert_same(learner.snapshot(), before, f"{trial}, before and after an impossible game")
    assert learner.last_game == last, f"{trial}: an impossible game becomes the last game"


def check_unfinished_games(trial: Trial) -> None:
    """Check that a learner learns from games that ended by a resignation or an agreed draw."""
    if not trial.kind.spec.learns_records:
        return
    learner, endings = taught_by_unfinished_games(trial)
    stats = learner.stats()
    counted, true = [stats[key] for key in ENDED.values()], [endings[each] for each in ENDED]
    assert counted == true, f"{trial}: games that were resigned or agreed drawn are counted as {counted}, not {true}"


def taught_by_unfinished_games(trial: Trial) -> tuple[Learner, Counter[Outcome]]:
    """Teach a new learner random games, many of them resigned or agreed drawn; return it and their outcomes."""
    learner, random, endings = trial.fresh(), Random(6), Counter[Outcome]()
    for _ in range(200):
        match = Match(trial.game)
        while match.outcome is None and random.random() > 0.2:
            match.play(random.choice(trial.game.moves(match.position)))
        if match.outcome is None and trial.game.has_draws and random.random() < 0.3:
            match.agree()
        elif match.outcome is None:
            match.resign()
        record = match.record(("a", "b"))
        endings[record.outcome] += 1
        learner.learn_record(record)
    return learner, endings


def check_one_record(trial: Trial) -> None:
    """Check that a learner that cannot learn from single games says so, and does not change."""
    learner = trial.trained()
    record = play_match(trial.game, (lambda position: trial.game.moves(position)[0],) * 2).record(("a", "b"))
    before = learner.snapshot()
    if learner.spec.learns_records:
        learner.learn_record(record)
        assert learner.stats()["games"] == before.stats["games"] + 1, f"{trial}: it does not count a game of others"
        return
    with refused(BadText, f"{trial.kind.spec.name} learns from ", f"{trial}: it learns from a single game"):
        learner.learn_record(record)
    assert_same(learner.snapshot(), before, f"{trial}, before and after a game that it cannot learn from")


def check_presets(trial: Trial) -> None:
    """Check the form of the name, that presets set every setting, and that an unknown one is refused with a list."""
    spec = trial.kind.spec
    assert NAME.fullmatch(spec.name), f"the name {spec.name!r} is not {NAME_FORM}"
    for preset, settings in spec.presets.items():
        assert set(settings) == set(spec.settings), f"{spec.name}: the preset {preset} does not set every setting"
        for key, value in settings.items():
            read = spec.parse_setting(key, str(value))
            assert read == value, f"{spec.name}: {key}={value} of the preset {preset} is read as {read!r}"
    known = f"no preset 'odd\\n' of {spec.name}; there are {', '.join(spec.presets)}"
    with refused(BadText, known, f"{trial}: it takes a preset that it does not have"):
        trial.kind(trial.game, "odd\n", 1)


def check_settings(trial: Trial) -> None:
    """Check that every setting can be parsed and replaces the preset's, and that a bad value is refused.

    The refusal says what the value can be. A value that does not fit the game is refused with an error that names the
    game; those of the presets fit.
    """
    kind, spec = trial.kind, trial.kind.spec
    for key, setting in spec.settings.items():
        for value in setting.samples:
            read = spec.parse_setting(key, f"{value}".upper())
            assert read == value, f"{spec.name}: {key}={value} is read as {read!r}"
            try:
                learner = kind(trial.game, trial.preset, 1, {key: value})
            except BadText as error:
                what = f"{trial}: it refuses {key}={value}"
                if trial.game.name not in str(error):
                    raise AssertionError(f"{what}, and does not say for which game: {error}") from error
                if value == spec.presets[trial.preset][key]:
                    raise AssertionError(f"{what} of its own preset: {error}") from error
                continue
            expected = {**spec.presets[trial.preset], key: value}
            assert learner.settings == expected, f"{trial}: with {key}={value} its settings are {learner.settings}"
            kept = trial.revived(learner.snapshot()).settings
            assert kept == expected, f"{trial}: a snapshot keeps the settings {kept}, not {expected}"
        with refused(BadText, f"{spec.setting_name(key)} cannot be 'red'; it is ", f"{spec.name}: {key} can be 'red'"):
            spec.parse_setting(key, "red")
        with refused(BadText, "cannot be", f"{trial}: it takes {key}=red"):
            kind(trial.game, trial.preset, 1, {key: "red"})
    known = f"no setting 'colour' of {spec.name}; there are {', '.join(spec.settings) or 'none'}"
    with refused(BadText, known, f"{spec.name}: it takes a setting that it does not have"):
        spec.parse_setting("colour", "red")


def check_seeds(trial: Trial) -> None:
    """Check that a learner trains with the largest seed, and refuses a seed out of range."""
    learner = trial.fresh(seed=LARGEST_SEED)
    learner.train(10)
    assert learner.rounds == 10, f"{trial}: with the largest seed it counts {learner.rounds} rounds after 10"
    for seed in (-1, LARGEST_SEED + 1):
        with refused(BadText, f"'{seed}' is not between 0 and {LARGEST_SEED}", f"{trial}: it takes the seed {seed}"):
            trial.fresh(seed=seed)


LEARNER_CHECKS: Final[Sequence[Callable[[Trial], None]]] = (
    *(check_presets, check_settings, check_seeds, check_new, check_seed),
    *(check_training_in_parts, check_reviving, check_snapshot),
    *(check_statistics, check_games_are_counted, check_history, check_playing),
    *(check_one_record, check_wrong_records, check_unfinished_games),
    *(check_records_teach_the_same, check_records_survive_a_snapshot),
)
"""All checks."""


def check_learner(kind: type[Learner], game: Game, **settings: Setting) -> None:
    """Raise `AssertionError` with a sentence that says what is wrong with a learner, for each preset that fits a game.

    The game needs a space, best of at most 10,000 positions. `settings` replace those of the presets, to train quickly.
    """
    fitting = trials(kind, game, **settings)
    assert fitting, f"{kind.spec.name} has no preset that fits {game.name}"
    for trial in fitting:
        for check in LEARNER_CHECKS:
            check(trial)


@contextmanager
def refused(kind: type[Exception], words: str, otherwise: str) -> Iterator[None]:
    """Require that the block raises an error of this kind whose text contains `words`.

    `otherwise` is the message if the block raises nothing.
    """
    try:
        yield
    except kind as error:
        if words not in str(error):
            raise AssertionError(f"the error is {str(error)!r}, and does not say {words!r}") from error
    else:
        raise AssertionError(otherwise)


def assert_same(one: Snapshot, two: Snapshot, what: str = "the two snapshots") -> None:
    """Check that all saved properties are the same in two snapshots."""
    saved = [each.name for each in fields(Snapshot) if each.name != "last_game"]
    differ = [name for name in saved if replace(one, **{name: getattr(two, name)}) != one]
    assert not differ, f"{what}: {', '.join(differ)} differ"


def last_outcome(learner: Learner) -> Outcome:
    """Return the outcome of the last game, by the rules. If its moves do not end it, the side to move resigned."""
    match = Match(learner.game)
    for move in learner.last_game:
        assert match.outcome is None, f"the last game {learner.last_game} of {learner.label} goes on after its end"
        match.play(move)
    if match.outcome is None:
        match.resign()
    return match.record(("a", "b")).outcome
