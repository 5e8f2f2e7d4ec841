"""A save at each of its checkpoints: the learner, and its exact results."""

from collections.abc import Iterable

from engine.game import BadText
from engine.stop import Stop, never
from lab.results.exact_results import TimelinePoint, point_at
from learners.comparison import Switch, narrowed, switches
from learners.core.snapshot import Snapshot
from learners.rewind import moments


class Timeline:
    """The checkpoints of a snapshot. Each is computed when it is first used."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Compute the numbers of rounds only."""
        self.snapshot = snapshot
        self.moments = moments(snapshot)
        """The rounds of training at each checkpoint, ascending; the last one is the snapshot itself."""
        self._computed: dict[int, TimelinePoint] = {}

    @property
    def now(self) -> int:
        """The rounds of the snapshot itself."""
        return self.moments[-1]

    def at(self, rounds: int) -> TimelinePoint:
        """The checkpoint after `rounds`. Raises `BadText` if there is none."""
        if rounds not in self._computed:
            self._computed[rounds] = point_at(self.snapshot, rounds)
        return self._computed[rounds]

    def seen(self, rounds: int) -> TimelinePoint | None:
        """The checkpoint after `rounds` if it has been computed already."""
        return self._computed.get(rounds)

    def next_to(self, rounds: int, step: int) -> int:
        """The rounds of the checkpoint `step` places after that of `rounds`, within the time line."""
        place = self.moments.index(rounds) + step
        return self.moments[min(max(0, place), len(self.moments) - 1)]

    def switches(self, edges: Iterable[int]) -> list[Switch]:
        """The changes at which the learner gave up one of these edges, or took it up again."""
        return switches([(rounds, self.at(rounds).learner.view.open_edges()) for rounds in self.moments], edges)

    def narrowed(self, switch: Switch, stop: Stop = never) -> Switch:
        """The same switch with its exact round, if the training can be repeated; otherwise unchanged."""
        try:
            return narrowed(self.snapshot, switch, stop)
        except BadText:  # the opponent or the state of the generator is not stored
            return switch
