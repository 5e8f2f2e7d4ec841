"""Run a training in short slices, and report its progress at regular intervals of time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from engine.game import BadText
from engine.plural import counted_noun
from learners.core.learner import Learner
from learners.core.snapshot import CHECKPOINTS, MAX_LEARNER_ROUNDS, Snapshot, next_mark

MAX_ROUNDS: Final = 100_000_000
SLICE_SECONDS: Final = 0.04
"""How long one uninterrupted slice of training should take, in seconds."""
LONGEST_SLICE_SECONDS: Final = 0.15
"""The longest slice, in seconds: in a large game, a call of `train` takes time even without any rounds."""
REPORT_MULTIPLE: Final = 4
"""The time between two reports is at least this multiple of the time that a snapshot takes: long in a large game."""
THREADS: Final = 2
"""The number of threads that train machines of a race or a paper. Kernels release the interpreter lock."""


@dataclass(frozen=True)
class TrainingPlan:
    rounds: int
    interval: float = 0.1
    """The minimum time between two reports, in seconds."""


@dataclass(frozen=True)
class Progress:
    done: int
    total: int
    seconds: float
    snapshot: Snapshot
    perfect: bool = False
    """Whether the training ended because the learner became perfect."""

    @property
    def per_second(self) -> float:
        """Rounds a second; 0 before any time has passed."""
        return self.done / self.seconds if self.seconds else 0.0

    @property
    def finished(self) -> bool:
        return self.perfect or self.done == self.total


def record_moment(learner: Learner) -> None:
    """Record statistics if the number of rounds is a history mark, and a checkpoint if it is in `CHECKPOINTS`."""
    rounds = learner.rounds
    if rounds == next_mark(rounds - 1, learner.spec.history_marks):
        learner.history.add_statistics(learner.stats())
    if rounds in CHECKPOINTS:
        learner.record_checkpoint()


def _slice_seconds(learner: Learner) -> float:
    """Return how long a slice should take: four times as long as one without rounds.

    At least `SLICE_SECONDS`, at most `LONGEST_SLICE_SECONDS`.
    """
    learner.train(0)  # loads the kernel
    start = perf_counter()
    learner.train(0)
    return min(max(SLICE_SECONDS, 4 * (perf_counter() - start)), LONGEST_SLICE_SECONDS)


def next_slice(rounds: int, seconds: float, slice_seconds: float) -> int:
    """Return how many rounds to train in `slice_seconds`, if the last slice had `rounds` and took `seconds`.

    At most four times as many as before.
    """
    return max(1, int(rounds * min(4.0, slice_seconds / max(seconds, 1e-6))))


def run(learner: Learner, plan: TrainingPlan, stop: Callable[[], bool] = lambda: False) -> Iterator[Progress]:
    """Train by `plan`. Yield at most every `interval` seconds, and once at the end, or soon after `stop()` is true.

    `stop` is called after each slice: about every `SLICE_SECONDS`, in a large game every `LONGEST_SLICE_SECONDS`. The
    seconds of a `Progress` count only the training, not what a caller does between two values. The training ends early
    when the learner becomes perfect. Raises `BadText` for a learner that cannot be trained further, or not by this many
    rounds.
    """
    spec, marks = learner.spec, learner.spec.history_marks
    seconds, reported, interval = 0.0, perf_counter(), plan.interval
    slice_rounds = 1
    begun_at = rounds = learner.rounds
    goal = begun_at + plan.rounds
    if goal > MAX_LEARNER_ROUNDS:
        trained, possible = counted_noun(rounds, spec.round_noun), max(0, MAX_LEARNER_ROUNDS - rounds)
        raise BadText(f"it has trained {trained} and can have {possible:,} more, not {plan.rounds:,}")
    was_perfect, perfect = learner.perfect, False
    learner.prepare_training(stop)
    if not rounds and learner.has_learned:  # it learned from records before its first training
        learner.history.add_statistics(learner.stats())
        learner.record_checkpoint()
    slice_seconds = SLICE_SECONDS if stop() else _slice_seconds(learner)
    while rounds < goal and not perfect and not stop():
        count = min(slice_rounds, goal - rounds, next_mark(rounds, marks) - rounds)
        start = perf_counter()
        learner.train(count)
        last_seconds = perf_counter() - start
        rounds, seconds = learner.rounds, seconds + last_seconds
        perfect = learner.perfect and not was_perfect
        record_moment(learner)
        if count == slice_rounds:
            slice_rounds = next_slice(slice_rounds, last_seconds, slice_seconds)
        if perf_counter() - reported >= interval and rounds < goal and not perfect:
            start = perf_counter()
            snapshot = learner.snapshot()
            interval = max(plan.interval, REPORT_MULTIPLE * (perf_counter() - start))
            yield Progress(rounds - begun_at, plan.rounds, seconds, snapshot)
            reported = perf_counter()
    if perfect:
        learner.history.add_statistics(learner.stats())
    yield Progress(rounds - begun_at, plan.rounds, seconds, learner.snapshot(), perfect)
