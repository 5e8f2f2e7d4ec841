"""What is known of a training: its exact results at every kept moment, and the turning points between them."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from engine.stop import Stop, never
from lab.training.exact_history import Exact
from lab.training.turning_points import Moment, TurningPoint, moment_at, turning_points
from learners.core.snapshot import Snapshot
from learners.rewind import moments


class TrainingStory:
    """The exact results and turning points of one training, brought up to date from its newest snapshot.

    `moments` and `points` are replaced as a whole, so that another thread may read them while they are updated.
    """

    def __init__(self) -> None:
        """A story without moments."""
        self.moments: tuple[Moment, ...] = ()
        """Ascending by rounds; the last is that of the snapshot seen last."""
        self.points: tuple[TurningPoint, ...] = ()
        """Ascending by rounds."""
        self._between: dict[tuple[int, int], list[TurningPoint]] = {}
        """The turning points between two moments that follow one another."""

    @property
    def known(self) -> Mapping[int, Exact]:
        """The exact results by rounds, ascending."""
        return {moment.rounds: moment.exact for moment in self.moments}

    def update(self, snapshot: Snapshot, stop: Stop = never) -> None:
        """Compute what is new in a snapshot of the training, unless `stop()` holds.

        Each moment is judged once, and each stretch between two moments is searched for turning points once.
        """
        without_bulk = replace(snapshot, bulk=b"")  # the bulk is large, and no policy depends on it
        before = {moment.rounds: moment for moment in self.moments}
        found = []
        for rounds in moments(without_bulk):
            if stop():
                return
            found.append(before.get(rounds) or moment_at(without_bulk, rounds))
        self.moments = tuple(found)
        between = {}
        for low, high in pairwise(found):
            stretch = low.rounds, high.rounds
            between[stretch] = self._between.get(stretch) or turning_points(without_bulk, (low, high), stop)
            if stop():
                return
        self._between = between
        self.points = tuple(point for points in between.values() for point in points)
