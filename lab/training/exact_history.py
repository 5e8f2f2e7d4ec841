"""The truth of a training: how its learner fares exactly, now and at every earlier moment that is known."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.evaluate import Results, results
from engine.games import parse_game
from learners import revive
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.rewind import moments, rewound

Exact = Mapping[str, Results]
"""By side, `first` and `second`, of those that it plays."""


def exact_of(learner: Learner) -> Exact:
    """How a learner fares on the sides that it plays."""
    policy = learner.policy()
    return {side.name.lower(): results(learner.space, side, policy) for side in learner.sides}


class Truth:
    """What is known of one training. A moment is worked out once; the last one is that of the snapshot seen last."""

    def __init__(self) -> None:
        self.known: Mapping[int, Exact] = {}
        """By the number of rounds, ascending. It is replaced as a whole, so that other threads may look at it."""

    def find(self, snapshot: Snapshot, stop: Callable[[], bool] = lambda: False) -> None:
        """Work out the moments of a snapshot of the training that are missing, unless `stop()` holds."""
        drawn, game = replace(snapshot, bulk=b""), parse_game(snapshot.game)  # the bulk takes long to go over
        found = dict[int, Exact]()
        for rounds in moments(drawn):
            if stop():
                return
            known = self.known.get(rounds)
            found[rounds] = exact_of(revive(rewound(drawn, rounds), game)) if known is None else known
        self.known = found
