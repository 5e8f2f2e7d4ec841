"""Players and learners. No disk, no screen; nothing is compiled before training starts."""

from typing import Final

from engine.game import BadText, Game, quoted
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.failures.learner import Failures
from learners.genetic.learner import Genetic
from learners.menace.learner import Menace
from learners.players.registry import PLAYERS, Offer, is_player, offers, parse_player, player_labels
from learners.q import QLearner
from learners.td import TemporalDifferences

__all__ = [
    "LEARNERS",
    "PLAYERS",
    "Offer",
    "is_player",
    "offers",
    "parse_learner",
    "parse_player",
    "player_labels",
    "revive",
]

LEARNERS: Final[tuple[type[Learner], ...]] = (Failures, Menace, Genetic, QLearner, TemporalDifferences)
"""Every learner, the default first. To add one, write its file and add it here: see `docs/extending.md`."""


def parse_learner(name: str) -> type[Learner]:
    """Return the learner of this name. Raise `BadText`, which lists the names."""
    for kind in LEARNERS:
        if kind.spec.name == name:
            return kind
    raise BadText(f"no learner {quoted(name)}; there are {', '.join(kind.spec.name for kind in LEARNERS)}")


def revive(snapshot: Snapshot, game: Game) -> Learner:
    """Return the learner of a snapshot. Raise `BadText` for an impossible snapshot, `TooLarge` for too large a game."""
    learner = parse_learner(snapshot.learner)(game, snapshot.preset, snapshot.seed, snapshot.settings)
    learner.restore(snapshot)
    return learner
