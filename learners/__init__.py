"""Players and learners. No saves, no screen; kernels are imported and compiled only when they are needed."""

from typing import Final

from engine.game import BadText, Game, quoted
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.failures.learner import Failures
from learners.fixed import FixedPolicy
from learners.genetic.learner import Genetic
from learners.menace.learner import Menace
from learners.ntuple.learner import NTuple
from learners.players.registry import PLAYERS, Offer, is_player, offers, parse_player, player_labels
from learners.q import QLearner
from learners.td import TemporalDifferences

__all__ = [
    "LEARNERS",
    "PLAYERS",
    "Offer",
    "find_kind",
    "is_player",
    "kind_of",
    "kinds",
    "offers",
    "parse_learner",
    "parse_player",
    "player_labels",
    "revive",
]

LEARNERS: Final[tuple[type[Learner], ...]] = (Failures, Menace, Genetic, QLearner, TemporalDifferences, NTuple)
"""Every learner, the default first. To add one, write its file and add it here: see `docs/extending.md`."""


def parse_learner(name: str) -> type[Learner]:
    """Return the learner of this name, to be trained. Raises `BadText`, which lists the names."""
    return _named(name, LEARNERS)


def kinds() -> tuple[type[Learner], ...]:
    """Return everything that a save can hold: the learners, and policies that do not learn."""
    return (*LEARNERS, FixedPolicy)


def kind_of(snapshot: Snapshot) -> type[Learner]:
    """Return the kind of a snapshot. Raises `BadText` for a name that is unknown."""
    return _named(snapshot.learner, kinds())


def find_kind(name: str) -> type[Learner] | None:
    """Return the kind of this name among those that a save can hold; `None` if there is none."""
    return _first(name, kinds())


def _first(name: str, known: tuple[type[Learner], ...]) -> type[Learner] | None:
    return next((kind for kind in known if kind.spec.name == name), None)


def _named(name: str, known: tuple[type[Learner], ...]) -> type[Learner]:
    kind = _first(name, known)
    if kind is not None:
        return kind
    raise BadText(f"no learner {quoted(name)}; there are {', '.join(kind.spec.name for kind in known)}")


def revive(snapshot: Snapshot, game: Game) -> Learner:
    """Return the learner of a snapshot. Raises `BadText` for an impossible one, `TooLarge` for too large a game."""
    learner = kind_of(snapshot)(game, snapshot.preset, snapshot.seed, snapshot.settings)
    learner.restore(snapshot)
    return learner
