"""What plays and what learns. No disk, no screen; nothing is compiled before training starts."""

from typing import Final

from engine.game import BadText, Game, quoted
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.failures.learner import Failures
from learners.genetic.learner import Genetic
from learners.menace.learner import Menace
from learners.players.registry import PLAYERS, Offer, is_player, offers, parse_player, player_labels

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

LEARNERS: Final[tuple[type[Learner], ...]] = (Failures, Menace, Genetic)
"""Every learner, the default first. A new one is one file, its kernel, and one entry here."""


def parse_learner(name: str) -> type[Learner]:
    """The learner of that name. Raises `BadText` with the names there are."""
    for kind in LEARNERS:
        if kind.name == name:
            return kind
    raise BadText(f"no learner {quoted(name)}; there are {', '.join(kind.name for kind in LEARNERS)}")


def revive(snapshot: Snapshot, game: Game) -> Learner:
    """The learner that a snapshot froze. Raises `BadText`, `TooLarge`."""
    learner = parse_learner(snapshot.learner)(game, snapshot.preset, snapshot.seed, snapshot.settings)
    learner.restore(snapshot)
    return learner
