"""A training as it is asked for: what learns, by which rules, against whom; and a few such trainings ready made."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Final

from engine.game import BadText, Game, Side
from engine.games import GAMES
from lab.board.session import Seating
from learners import LEARNERS, parse_learner, revive
from learners.core.learner import PERSON, Learner
from learners.core.player import Player
from learners.core.settings import Setting, key_and_value
from learners.core.snapshot import ITSELF, Snapshot
from learners.players.plain import RandomPlayer
from saves.library.library import SAVE, Library

FRESH_SEEDS: Final = 10_000
"""A new training gets a seed below this: short enough to be told to somebody."""


def fresh_seed() -> int:
    return SystemRandom().randrange(1, FRESH_SEEDS)


@dataclass(frozen=True)
class Setup:
    """A training as it was asked for."""

    learner: type[Learner]
    game: Game
    preset: str
    rounds: int
    """How many games, or what else it is trained in."""
    seed: int
    name: str
    opponent: str = ITSELF
    """As players are written; a person learns it on from the board."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """Those that differ from the preset's."""

    def learner_for(self, library: Library, continued: Snapshot | None = None) -> Learner:
        """The learner, new or going on, with its opponent met. Raises `BadText`, `LibraryError`, `TooLarge`."""
        if continued is None:
            learner = self.learner(self.game, self.preset, self.seed, self.settings)
        else:
            learner = revive(continued, self.game)
        if self.opponent == PERSON:
            learner.record_opponent(PERSON)
        else:
            learner.set_opponent(library.opponent(self.opponent, self.game))
        return learner


def parse_settings(kind: type[Learner], texts: Iterable[str]) -> dict[str, Setting]:
    """Settings written `KEY=VALUE`. Raises `BadText`."""
    return {key: kind.spec.parse_setting(key, value) for key, value in map(key_and_value, texts)}


def settings_text(snapshot: Snapshot) -> str:
    """The settings of a save that differ from its preset's, as they are written."""
    preset = parse_learner(snapshot.learner).spec.presets[snapshot.preset]
    differing = {key: value for key, value in snapshot.settings.items() if preset[key] != value}
    return " ".join(f"{key}={str(value).lower()}" for key, value in differing.items())


def meets(learner: Learner) -> tuple[bool, bool]:
    """Whether it can train against itself, and whether against somebody else."""
    return _accepts(learner, None), _accepts(learner, RandomPlayer(learner.game))


def _accepts(learner: Learner, opponent: Player | None) -> bool:
    try:
        learner.set_opponent(opponent)
    except BadText:
        return False
    return True


def seating_of(learner: Learner, name: str) -> Seating:
    """A person at the board with the save of that name, on the side that it leaves: the first, if it plays both."""
    save = SAVE + name
    if Side.SECOND in learner.sides:
        return Seating(learner.game, PERSON, save)
    return Seating(learner.game, save, PERSON)


READY_ROUNDS: Final = 10_000
"""The most rounds of a training that is ready made."""


@dataclass(frozen=True)
class ReadyMade:
    """A training that one key starts."""

    title: str
    learner: type[Learner]
    opponent: str

    def setup(self, name: str) -> Setup:
        """It as it is asked for, under that name and with a seed of its own."""
        kind = self.learner
        rounds = min(READY_ROUNDS, kind.spec.usual_rounds)
        return Setup(kind, GAMES[0], kind.spec.quick_start_preset, rounds, fresh_seed(), name, self.opponent)


def ready_made(kind: type[Learner]) -> tuple[ReadyMade, ...]:
    """The trainings of a learner that are ready made: against a person, at random, against itself, as far as it can."""
    if not kind.spec.learns_records:
        return (ReadyMade(kind.spec.title, kind, ITSELF),)
    return (
        ReadyMade(f"You against {kind.spec.title}", kind, PERSON),
        ReadyMade(f"{kind.spec.title} against random", kind, RandomPlayer.label),
        ReadyMade(f"{kind.spec.title} against itself", kind, ITSELF),
    )


READY_MADE: Final = tuple(ready for kind in LEARNERS if kind.spec.quick_start_preset for ready in ready_made(kind))
"""Each is the key of its place."""
