"""A save at every moment of its training that is known: itself, and how it fares exactly."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.game import BadText
from engine.games import parse_game
from engine.stop import Stop, never
from lab.training.exact_history import Exact, exact_of
from learners import revive
from learners.comparison import Switch, narrowed, switches
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.rewind import moments, rewound


@dataclass(frozen=True)
class Then:
    """A learner as it was after so many rounds."""

    rounds: int
    learner: Learner
    exact: Exact

    def loss(self, opponent: str) -> float:
        """How likely it loses to an opponent of the scoreboard, on average over the sides that it plays."""
        return sum(seen.against[opponent].loss for seen in self.exact.values()) / len(self.exact)


class Past:
    """The moments of a snapshot, each worked out when it is first asked for."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.moments = moments(snapshot)
        self._known: dict[int, Then] = {}

    @property
    def now(self) -> int:
        return self.moments[-1]

    def at(self, rounds: int) -> Then:
        """One of its moments. Raises `BadText` for another."""
        if rounds not in self._known:
            learner = revive(rewound(self.snapshot, rounds), parse_game(self.snapshot.game))
            self._known[rounds] = Then(rounds, learner, exact_of(learner))
        return self._known[rounds]

    def seen(self, rounds: int) -> Then | None:
        """One of its moments, where that is worked out already."""
        return self._known.get(rounds)

    def next_to(self, rounds: int, step: int) -> int:
        """The moment so many steps before or after another; the first or the last where there is none."""
        place = self.moments.index(rounds) + step
        return self.moments[min(max(0, place), len(self.moments) - 1)]

    def switches(self, edges: Iterable[int]) -> list[Switch]:
        """When each of those edges was given up or taken up again."""
        return switches([(rounds, self.at(rounds).learner.view.open_edges()) for rounds in self.moments], edges)

    def narrowed(self, switch: Switch, stop: Stop = never) -> Switch:
        """The same to the very round, where training can be gone over again; else as it is known."""
        try:
            return narrowed(self.snapshot, switch, stop)
        except BadText:  # whom it met, or its generator, is not to be had
            return switch
