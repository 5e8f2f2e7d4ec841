"""A save at each of its checkpoints: the learner, and its exact results."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from engine.game import BadText
from engine.games import parse_game
from engine.stop import Stop, never
from lab.training.exact_history import ExactResults, exact_of
from learners import revive
from learners.comparison import Switch, narrowed, switches
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.rewind import moments, rewound


@dataclass(frozen=True)
class TimelinePoint:
    """A learner at a checkpoint, with its exact results."""

    rounds: int
    learner: Learner
    exact: ExactResults

    def loss(self, opponent: str) -> float:
        """The probability of a loss to an opponent of the exact results, the mean over the sides that it trained."""
        return fmean(self.exact[side.name.lower()].against[opponent].loss for side in self.learner.trained_sides)


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
            learner = revive(rewound(self.snapshot, rounds), parse_game(self.snapshot.game))
            self._computed[rounds] = TimelinePoint(rounds, learner, exact_of(learner))
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
