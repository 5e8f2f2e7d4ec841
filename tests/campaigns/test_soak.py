"""In very long trainings memory does not grow, the rate stays steady, and every counter is right.

The trainings run as in the app, and are saved repeatedly.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from mmap import mmap
from time import sleep, thread_time
from typing import Any

import pytest

from engine.game import BadText
from engine.games import parse_game
from engine.space import RUNNING
from lab.jobs import JobState
from lab.training import training_job as jobs
from lab.training.training_job import PACES, TrainingJob
from learners import parse_learner, parse_player
from learners.core import training
from learners.core.learner import Learner
from learners.core.settings import Setting
from learners.core.snapshot import CHECKPOINTS
from learners.core.training import TrainingPlan, run
from learners.failures.learner import Failures
from saves.encoding.check import check_snapshot
from saves.library.library import Library
from tests.campaigns.watching import resident_memory
from tests.saves.brains import same

HEXAPAWN, TICTACTOE = parse_game("hexapawn"), parse_game("tictactoe")
MAX_MEGABYTES_OF_GROWTH = 5


@dataclass(frozen=True)
class Soak:
    kind: str
    preset: str
    rounds: int
    opponent: str | None = None
    settings: dict[str, Setting] = field(default_factory=dict)

    def begin(self) -> Learner:
        learner = parse_learner(self.kind)(TICTACTOE, self.preset, 1, self.settings)
        learner.set_opponent(self.opponent and parse_player(self.opponent, TICTACTOE))
        learner.train(0)  # loads the kernel
        return learner


UNTIL_END: dict[str, Setting] = {"until": "end"}
"""The setting that continues the training of a population after it has become perfect."""
SOAKS = (
    Soak("failures", "literal", 35_000_000),
    Soak("failures", "riechel-2007", 15_000_000),
    Soak("menace", "blog-fixed", 10_000_000),
    Soak("menace", "scroggs", 6_000_000),
    Soak("menace", "michie", 4_000_000, opponent="perfect"),
    Soak("genetic", "hochmuth", 15_000, settings=UNTIL_END),
    Soak("genetic", "swift", 10_000, settings={**UNTIL_END, "population": 60}),
)


def train(learner: Learner, rounds: int, library: Library) -> None:
    """Train as in the app, with saves and ten updates a second, and check the save at the end."""
    job = TrainingJob(learner, rounds, "soak", PACES[0], lambda kept: library.save("soak", kept, replace=True))
    job.start()
    while job.running:
        view = job.view
        assert view.snapshot.stats[learner.spec.round_statistic] == view.done, "the snapshot is consistent"
        sleep(0.1)
    assert (job.view.state, job.view.done, job.save_error) == (JobState.FINISHED, rounds, ""), job.view.error
    assert same(library.load("soak"), job.view.snapshot)


class TrainingWatch:
    """Records the rounds, the processor time of the thread and the memory after slices of a training."""

    WARM_UP = 0.2
    """The share of a training in which memory may grow: first saves, and caches of numpy and SQLite."""
    MEASUREMENTS = 1000
    """About how often a training is measured at most, since the measurements need memory themselves."""

    def __init__(self, learner: Learner, rounds: int) -> None:
        self.measured = [(0, 0.0, resident_memory())]
        self._interval = rounds // self.MEASUREMENTS
        self._trained = learner.train
        self._learner = learner
        learner.train = self._train  # type: ignore[method-assign]

    def _train(self, rounds: int) -> None:
        self._trained(rounds)
        if self._learner.rounds - self.measured[-1][0] > self._interval:
            self.measured.append((self._learner.rounds, thread_time(), resident_memory()))

    def _rate(self, tenth: int) -> float:
        """Return the upper quartile of the rates of the slices in a tenth of the training, in rounds per second.

        The time of a slice includes the work since the last one. A busy machine slows down most slices, so the upper
        quartile is compared. Slices that a mark has cut short are left out, since their overhead dominates.
        """
        begin, end = (part * self.measured[-1][0] / 10 for part in (tenth, tenth + 1))
        slices = [
            (after - rounds, ended - begun)
            for (rounds, begun, _), (after, ended, _) in pairwise(self.measured)
            if begin < after and rounds < end
        ]
        longest, _ = max(slices)
        rates = sorted(rounds / max(took, 1e-9) for rounds, took in slices if 2 * rounds >= longest)
        return rates[3 * len(rates) // 4]

    @property
    def steadiness(self) -> float:
        """The rate of the last tenth, divided by that of the second tenth."""
        return self._rate(9) / self._rate(1)

    @property
    def growth(self) -> float:
        """The growth of the peak memory after the warm-up, in MB."""
        warm = self.WARM_UP * self.measured[-1][0]
        return max(m for n, _, m in self.measured if n > warm) - max(m for n, _, m in self.measured if n <= warm)


def wrong_counters(learner: Learner, rounds: int) -> list[str]:
    """All errors in the statistics, the memory and the history of a learner that was trained from the beginning."""
    stats, space, spec = learner.stats(), learner.space, learner.spec
    over = space.ply[space.outcome != RUNNING]
    played, shortest = stats["games"], int(over.min()) * (stats["games"] - stats.get("resigned", 0))
    noted = [each[spec.round_statistic] for each in learner.history.statistics]
    games = [each[spec.games_statistic] for each in (*learner.history.statistics, stats)]
    counters = {
        spec.round_statistic: (stats[spec.round_statistic], rounds),
        "plies": (shortest <= stats["plies"] <= int(over.max()) * played, True),
        "history": (noted, [mark for mark in spec.history_marks if mark <= rounds]),
        "games of the history": (games, sorted(games)),
        "checkpoints": (sorted(learner.history.checkpoints), [mark for mark in sorted(CHECKPOINTS) if mark <= rounds]),
    }
    wrong = [
        f"{what}: {have} where it should be {wanted}" for what, (have, wanted) in counters.items() if have != wanted
    ]
    try:
        check_snapshot(learner.snapshot())  # of what a save must fulfil, such as as many ends as games
    except BadText as error:
        wrong.append(str(error))
    return [f"{spec.name} {learner.preset} after {rounds:,}: {each} {stats}" for each in wrong]


@pytest.fixture
def library(tmp_path, monkeypatch):
    """Let slices be short, so that there are many rates: a short run would end before the first usual slice does."""
    monkeypatch.setattr(training, "SLICE_SECONDS", 0.001)
    monkeypatch.setattr(jobs, "SAVE_EVERY", 2.0)
    return Library(tmp_path / "library.sqlite")


@pytest.mark.long
@pytest.mark.parametrize(
    ("part", "steady"), [(50, 0.0), pytest.param(1, 0.6, marks=pytest.mark.campaign(minutes=5))], ids=["short", "full"]
)
@pytest.mark.parametrize("soak", SOAKS, ids=lambda soak: soak.preset)
def test_a_long_training_keeps_memory_rate_and_counters(soak, part, steady, library, report_line):
    rounds = soak.rounds // part
    train(soak.begin(), rounds // 20, library)  # creates everything that is created once
    for _ in range(3):  # a defect slows every training down, but a busy machine only some
        learner = soak.begin()
        watch = TrainingWatch(learner, rounds)
        train(learner, rounds, library)
        if watch.steadiness > steady:
            break
    wrong = wrong_counters(learner, rounds)
    report_line(
        f"{rounds:,} rounds of {soak.kind}, {soak.preset}: memory grew by {max(0.0, watch.growth):.1f} MB, "
        f"the last tenth ran at {watch.steadiness:.0%} of the second's rate, {len(wrong)} counters wrong"
    )
    assert wrong == []
    assert watch.growth < MAX_MEGABYTES_OF_GROWTH
    assert watch.steadiness > steady


class LeakingLearner(Failures):
    def train(self, games: int) -> None:
        super().train(games)
        more = mmap(-1, 128_000)  # new pages, not freed memory
        more.write(bytes(128_000))
        self.held = [*getattr(self, "held", []), more]


class SlowingLearner(Failures):
    """Takes time in each slice that grows with the square of its rounds, unlike any load of other programs."""

    def train(self, games: int) -> None:
        super().train(games)
        sum(range(self.rounds**2 // 100_000))


def watch_training(kind: type[Learner], rounds: int) -> TrainingWatch:
    learner = kind(HEXAPAWN, next(iter(kind.spec.presets)), 1)
    learner.train(0)
    watch = TrainingWatch(learner, rounds)
    for _ in range(100):
        learner.train(rounds // 100)
    return watch


def test_a_leak_is_detected():
    assert watch_training(LeakingLearner, 10_000).growth > MAX_MEGABYTES_OF_GROWTH
    assert watch_training(Failures, 10_000).growth < MAX_MEGABYTES_OF_GROWTH


@pytest.mark.long
def test_a_falling_rate_is_detected():
    assert watch_training(SlowingLearner, 400_000).steadiness < 0.3


def test_all_counters_of_a_short_training_are_right():
    for soak in SOAKS:
        learner = soak.begin()
        for progress in run(learner, TrainingPlan(30)):
            assert progress.snapshot.stats[learner.spec.round_statistic] == progress.done
        assert progress.finished
        assert wrong_counters(learner, 30) == []


WRONG_COUNTERS: list[tuple[int, str, Callable[[Any], None]]] = [
    (0, "plies: ", lambda it: it.tally.__setitem__(3, it.tally[3] % 16)),
    (0, "the statistics count", lambda it: it.memory.__imul__(2)),
    (0, "checkpoints: ", lambda it: it.history.checkpoints.popitem()),
    (2, "beads in 627 boxes", lambda it: it.memory.__iadd__(it.memory > 0)),
    (5, "votes of a situation", lambda it: it.memory.__iadd__(it.memory > 0)),
]


@pytest.mark.parametrize(("which", "what", "damage"), WRONG_COUNTERS, ids=[what for _, what, _ in WRONG_COUNTERS])
def test_a_wrong_counter_is_detected(which, what, damage):
    learner = SOAKS[which].begin()
    list(run(learner, TrainingPlan(30)))
    damage(learner)
    assert any(what in fault for fault in wrong_counters(learner, 30))
