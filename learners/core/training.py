"""Runs a plan of training in short slices, and tells by time how it goes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from engine.game import BadText
from learners.core.checkpoint_marks import CHECKPOINTS, LAST, next_mark
from learners.core.learner import Learner
from learners.core.plural import counted_noun
from learners.core.snapshot import Snapshot

MOST_ROUNDS: Final = 100_000_000
"""The most rounds of one plan."""
SLICE: Final = 0.04
"""The seconds that one uninterrupted slice of training aims at."""


THREADS: Final = 2
"""How many threads train side by side where there is much to train: the kernels release the interpreter lock."""


@dataclass(frozen=True)
class Plan:
    """How many rounds to train, and how often at most to tell of it, in seconds."""

    rounds: int
    interval: float = 0.1


@dataclass(frozen=True)
class Progress:
    """How far a plan has come."""

    done: int
    total: int
    seconds: float
    snapshot: Snapshot
    perfect: bool = False
    """Whether it has come to its end because there is nothing left to learn."""

    @property
    def per_second(self) -> float:
        return self.done / self.seconds if self.seconds else 0.0

    @property
    def finished(self) -> bool:
        return self.perfect or self.done == self.total


def note(learner: Learner) -> None:
    """Put this moment into the history where its number of rounds is a mark, and keep it where it is a checkpoint."""
    rounds = learner.rounds
    if rounds == next_mark(rounds - 1, learner.marks):
        learner.mark_history()
    if rounds in CHECKPOINTS:
        learner.keep_checkpoint()


def run(learner: Learner, plan: Plan, stop: Callable[[], bool] = lambda: False) -> Iterator[Progress]:
    """Train by `plan`; yields at most every `interval` seconds, and once at the end or soon after `stop()` holds.

    The time between two looks at `stop` is about 50 ms, whatever the speed. Only the time spent training counts as
    seconds: a caller may take its time between two values. A learner that becomes perfect has come to the end. Raises
    `BadText` for one that cannot be trained on, or not by so much.
    """
    seconds, told = 0.0, perf_counter()
    slice_rounds = 1
    begun_at = rounds = learner.rounds
    if rounds + plan.rounds > LAST:
        raise BadText(
            f"it has trained {counted_noun(rounds, learner.round_noun)} and can have {max(0, LAST - rounds):,} more, "
            f"not {plan.rounds:,}"
        )
    was_perfect, perfect = learner.perfect, False
    learner.catch_up(stop)
    if not rounds and learner.knows_something:
        learner.mark_history()
        learner.keep_checkpoint()
    while (done := rounds - begun_at) < plan.rounds and not perfect and not stop():
        count = min(slice_rounds, plan.rounds - done, next_mark(rounds, learner.marks) - rounds)
        begun = perf_counter()
        learner.train(count)
        took = perf_counter() - begun
        rounds, seconds = learner.rounds, seconds + took
        perfect = learner.perfect and not was_perfect
        note(learner)
        if count == slice_rounds:
            slice_rounds = max(1, int(slice_rounds * min(4.0, SLICE / max(took, 1e-6))))
        if perf_counter() - told >= plan.interval and rounds - begun_at < plan.rounds and not perfect:
            yield Progress(rounds - begun_at, plan.rounds, seconds, learner.snapshot())
            told = perf_counter()
    if perfect:
        learner.mark_history()
    yield Progress(done, plan.rounds, seconds, learner.snapshot(), perfect)
