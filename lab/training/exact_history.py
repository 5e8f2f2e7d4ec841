"""The exact results of a learner, now and at the checkpoints of its training."""

from collections.abc import Mapping
from dataclasses import replace

from engine.evaluate import Results, scoreboard
from engine.games import parse_game
from engine.stop import Stop, never
from learners import revive
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.rewind import moments, rewound

ExactResults = Mapping[str, Results]
"""The exact results by side, `first` and `second`, for the sides that a learner plays."""


def exact_of(learner: Learner) -> ExactResults:
    """The exact results of a learner on the sides that it plays."""
    return scoreboard(learner.space, learner.policy(), learner.sides)


class ExactHistory:
    """The exact results of one training at its checkpoints. Each is computed once."""

    def __init__(self) -> None:
        """Begin without results."""
        self.known: Mapping[int, ExactResults] = {}
        """By the number of rounds, ascending. The mapping is replaced, never changed, so that threads may share it."""

    def find(self, snapshot: Snapshot, stop: Stop = never) -> None:
        """Compute the missing results for a snapshot of the training. Does nothing if `stop` ends it early."""
        without_bulk, game = replace(snapshot, bulk=b""), parse_game(snapshot.game)  # reading a bulk is slow
        found = dict[int, ExactResults]()
        for rounds in moments(without_bulk):
            if stop():
                return
            known = self.known.get(rounds)
            found[rounds] = exact_of(revive(rewound(without_bulk, rounds), game)) if known is None else known
        self.known = found
