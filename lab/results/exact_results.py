"""The exact results of a learner, now and at the checkpoints of its training."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import fmean

from engine.evaluate import Results, scoreboard
from engine.games import parse_game
from learners import revive
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.rewind import rewound

ExactResults = Mapping[str, Results]
"""The exact results by side, `first` and `second`, for the sides that a learner plays."""


def exact_of(learner: Learner) -> ExactResults:
    """The exact results of a learner on the sides that it plays; empty in a game that is too large for them."""
    if not learner.game.learnable:
        return {}
    return scoreboard(learner.space, learner.policy(), learner.sides)


@dataclass(frozen=True)
class TimelinePoint:
    """A learner at a checkpoint, with its exact results."""

    rounds: int
    learner: Learner
    exact: ExactResults

    def loss(self, opponent: str) -> float | None:
        """The probability of losing to an opponent of the exact results, averaged over the learner's trained sides.

        `None` where there are no exact results.
        """
        if not self.exact:
            return None
        return fmean(self.exact[side.name.lower()].against[opponent].loss for side in self.learner.trained_sides)


def point_at(snapshot: Snapshot, rounds: int) -> TimelinePoint:
    """The checkpoint of a snapshot after `rounds`. Raises `BadText` if there is none."""
    without_bulk = replace(snapshot, bulk=b"")  # reading a bulk is slow, and no policy depends on it
    learner = revive(rewound(without_bulk, rounds), parse_game(snapshot.game))
    return TimelinePoint(rounds, learner, exact_of(learner))
