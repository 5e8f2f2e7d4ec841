"""Finds the round of a training in which something changed, by training again."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.stop import Stop, never
from learners import revive
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.core.training import TrainingPlan, run
from learners.rewind import rewound


@dataclass(frozen=True)
class Traced:
    """The rounds between which a change happened: after `since`, and not later than `rounds`."""

    since: int
    """The last known number of rounds before the change."""
    rounds: int
    """The first known number of rounds after it."""
    learner: Learner | None = None
    """The learner after `rounds`, if it was trained again up to there."""

    @property
    def exact(self) -> bool:
        return self.rounds - self.since == 1


def traced(
    snapshot: Snapshot, since: int, rounds: int, has_changed: Callable[[Learner], bool], stop: Stop = never
) -> Traced:
    """Narrow a change between two checkpoints down to its round, by training again with bisection.

    If there were several changes, the result is one of them. Once `stop()` is true, the change is returned as far as it
    is narrowed down. Raises `BadText` for a learner that cannot be trained further from the first checkpoint.
    """
    found = Traced(since, rounds)
    if found.exact:
        return found
    learner = revive(rewound(snapshot, since))
    learner.prepare_training(stop)
    before = learner.snapshot()
    while not found.exact and not stop():
        middle = (found.since + found.rounds) // 2
        learner = revive(before)
        *_, last = run(learner, TrainingPlan(middle - found.since), stop)
        if learner.rounds < middle:
            break
        if has_changed(learner):
            found = Traced(found.since, middle, learner)
        else:
            before, found = last.snapshot, Traced(middle, found.rounds, found.learner)
    return found
