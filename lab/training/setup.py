"""The choices for a training: learner, game, settings, opponent; ready-made trainings; averages over its games."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Final

from engine.game import BadText, Game
from engine.games import GAMES
from engine.plural import counted_noun
from lab.text.numbers import percent_text
from learners import LEARNERS, kind_of, revive
from learners.core.learner import PERSON, Learner
from learners.core.player import Player
from learners.core.settings import Setting, key_and_value
from learners.core.snapshot import ITSELF, Snapshot
from learners.players.plain import RandomPlayer
from saves.library.library import Library

TEACHER: Final = "teacher"
"""The opponent that chooses its own moves and the learner's luck, so that the learner needs as few games as
possible.
"""
FRESH_SEEDS: Final = 10_000
"""The seeds of new trainings lie below this number, so that they are easy to write down."""


def fresh_seed() -> int:
    return SystemRandom().randrange(1, FRESH_SEEDS)


@dataclass(frozen=True)
class Setup:
    learner: type[Learner]
    game: Game
    preset: str
    rounds: int
    seed: int
    name: str
    opponent: str = ITSELF
    """The label of the opponent. With a person, the learner learns from games at the board."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """The settings that differ from those of the preset."""

    def learner_for(self, library: Library, continued: Snapshot | None = None) -> Learner:
        """Return a learner, new or `continued`, with its opponent. Raises `BadText`, `LibraryError`, `TooLarge`."""
        if continued is None:
            learner = self.learner(self.game, self.preset, self.seed, self.settings)
        else:
            learner = revive(continued)
        if self.opponent == TEACHER and learner.rounds:
            raise BadText("a course begins with a machine that knows nothing: press Escape for a new training")
        if self.opponent in (PERSON, TEACHER):
            learner.record_opponent(PERSON)
        else:
            learner.set_opponent(library.opponent(self.opponent, self.game))
        return learner


def parse_settings(kind: type[Learner], texts: Iterable[str]) -> dict[str, Setting]:
    """Parse settings in the form `KEY=VALUE`. Raises `BadText`."""
    return {key: kind.spec.parse_setting(key, value) for key, value in map(key_and_value, texts)}


def settings_text(snapshot: Snapshot) -> str:
    """Return the settings of a save that differ from those of its preset, in the form `KEY=VALUE KEY=VALUE`."""
    preset = kind_of(snapshot).spec.presets[snapshot.preset]
    return settings_as_text({key: value for key, value in snapshot.settings.items() if preset[key] != value})


def settings_as_text(settings: Mapping[str, Setting]) -> str:
    """Return settings in the form `KEY=VALUE KEY=VALUE`."""
    return " ".join(f"{key}={str(value).lower()}" for key, value in settings.items())


def accepted_opponents(learner: Learner) -> tuple[bool, bool]:
    """Return whether a learner can train against itself, and whether against other players. Changes its opponent."""
    return _accepts(learner, None), _accepts(learner, RandomPlayer(learner.game))


def _accepts(learner: Learner, opponent: Player | None) -> bool:
    try:
        learner.set_opponent(opponent)
    except BadText:
        return False
    return True


@dataclass(frozen=True)
class ReadyMade:
    title: str
    learner: type[Learner]
    opponent: str

    @property
    def summary(self) -> str:
        spec, preset = self.learner.spec, self.learner.shown.quick_start_preset
        rounds = counted_noun(spec.rounds_for(preset), spec.round_noun)
        return f"{preset}, {'your games' if self.opponent == PERSON else rounds}"

    def setup(self, name: str) -> Setup:
        kind, preset = self.learner, self.learner.shown.quick_start_preset
        return Setup(kind, GAMES[0], preset, kind.spec.rounds_for(preset), fresh_seed(), name, self.opponent)


def ready_made(kind: type[Learner]) -> tuple[ReadyMade, ...]:
    """Return the ready-made trainings of a learner: one against each opponent that its spec names."""
    title, opponents = kind.spec.title, kind.shown.quick_start_opponents
    titles = {PERSON: f"You against {title}", ITSELF: title if len(opponents) == 1 else f"{title} against itself"}
    return tuple(
        ReadyMade(titles.get(opponent, f"{title} against {opponent}"), kind, opponent) for opponent in opponents
    )


READY_MADE: Final = tuple(ready for kind in LEARNERS if kind.shown.quick_start_preset for ready in ready_made(kind))
"""All ready-made trainings. The key of each is its place, from 1."""


RESIGNED: Final = "resigned"
"""The key of the statistic for resigned games, which some learners have."""


def averages_per_game(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, float]:
    """Return means over the games of a run: the number of plies, and the share of resigned games if they are counted.

    `before` and `after` are the statistics at the start and at the end of the run. Both means influence how many games
    a second a learner trains.
    """
    games = max(1, after["games"] - before["games"])
    averages = {"plies_per_game": round((after["plies"] - before["plies"]) / games, 4)}
    if RESIGNED in after:
        averages["resigned_share"] = round((after[RESIGNED] - before[RESIGNED]) / games, 6)
    return averages


def averages_text(averages: Mapping[str, float]) -> str:
    moves = f"{averages['plies_per_game']:.2f} moves per game"
    resigned = averages.get("resigned_share", 0.0)
    return f"{moves}, {percent_text(resigned)} resigned" if resigned else moves
