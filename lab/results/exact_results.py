"""The exact results of a learner, at present and at each checkpoint of its training."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import fmean

from engine.evaluate import Results, scoreboard
from engine.game import BadText
from engine.stop import Stop, never
from learners import revive
from learners.comparison import Switch, narrow_switch, switches
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.rewind import moments, rewind_to

ExactResults = Mapping[str, Results]
"""The exact results by side, `first` and `second`, for the sides that a learner plays."""


def exact_of(learner: Learner) -> ExactResults:
    """Return the exact results of a learner on the sides that it plays; empty in a game that is too large for them."""
    if not learner.game.learnable:
        return {}
    return scoreboard(learner.space, learner.policy(), learner.sides)


@dataclass(frozen=True)
class TimelinePoint:
    rounds: int
    learner: Learner
    exact: ExactResults

    def loss(self, opponent: str) -> float | None:
        """Return the chance of losing to an opponent, averaged over the trained sides; `None` without exact results."""
        if not self.exact:
            return None
        return fmean(self.exact[side.name.lower()].against[opponent].loss for side in self.learner.trained_sides)


def learner_at(snapshot: Snapshot, rounds: int) -> Learner:
    """Return the learner of a snapshot as it was after `rounds`. Raises `BadText` if there is no such checkpoint."""
    without_bulk = replace(snapshot, bulk=b"")  # reading a bulk is slow, and no policy depends on it
    return revive(rewind_to(without_bulk, rounds))


def point_at(snapshot: Snapshot, rounds: int) -> TimelinePoint:
    """Return the checkpoint of a snapshot after `rounds`. Raises `BadText` if there is no such checkpoint."""
    learner = learner_at(snapshot, rounds)
    return TimelinePoint(rounds, learner, exact_of(learner))


class Timeline:
    """The checkpoints of a snapshot. Each is computed when it is first used."""

    def __init__(self, snapshot: Snapshot) -> None:
        """List the checkpoints of a snapshot by their rounds, without computing anything else."""
        self.snapshot = snapshot
        self.moments = moments(snapshot)
        """The number of rounds at each checkpoint, ascending; the last one is that of the snapshot itself."""
        self._learners: dict[int, Learner] = {}
        self._computed: dict[int, TimelinePoint] = {}

    @property
    def now(self) -> int:
        return self.moments[-1]

    def learner(self, rounds: int) -> Learner:
        """Return the learner as it was after `rounds`, without exact results, which may take long. Raises `BadText`."""
        if rounds not in self._learners:
            self._learners[rounds] = learner_at(self.snapshot, rounds)
        return self._learners[rounds]

    def at(self, rounds: int) -> TimelinePoint:
        """Return the checkpoint after `rounds`. Raises `BadText` if there is no such checkpoint."""
        if rounds not in self._computed:
            learner = self.learner(rounds)
            self._computed[rounds] = TimelinePoint(rounds, learner, exact_of(learner))
        return self._computed[rounds]

    def computed_at(self, rounds: int) -> TimelinePoint | None:
        """Return the checkpoint after `rounds` if it has already been computed, else `None`."""
        return self._computed.get(rounds)

    def next_to(self, rounds: int, step: int) -> int:
        """Return the rounds of the checkpoint `step` places after the one at `rounds`, within the time line."""
        place = self.moments.index(rounds) + step
        return self.moments[min(max(0, place), len(self.moments) - 1)]

    def switches(self, edges: Iterable[int]) -> list[Switch]:
        """Return each change at which the learner gave up one of these edges, or played it again."""
        return switches([(rounds, self.at(rounds).learner.view.open_edges()) for rounds in self.moments], edges)

    def narrow(self, switch: Switch, stop: Stop = never) -> Switch:
        """Return a switch with its exact round, if the training can be repeated; otherwise return it unchanged."""
        try:
            return narrow_switch(self.snapshot, switch, stop)
        except BadText:  # the opponent or the state of the generator is not stored
            return switch
