"""What plays and what learns: a player chooses moves and never learns from choosing; a learner can be trained too."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy
from engine.game import BadText, Game, Move, Outcome, Position, quoted
from engine.match import Record
from engine.space import Space, space_of
from learners.generator import LARGEST_SEED, seed_words

Setting = str | int | bool
Memory = NDArray[np.int64]
"""One number for each edge of the game's space, shape (m,)."""


@dataclass(frozen=True)
class Choice:
    """A chosen move and the reason for it, in words."""

    move: Move
    reason: str


@dataclass(frozen=True)
class Thought:
    """What a mind holds of one legal move."""

    move: Move
    chance: float
    """How likely it plays the move."""
    symbol: str
    """One character, to be drawn on the move's square."""
    words: str
    shut: bool = False
    """Whether its memory rules the move out."""


class Player(Protocol):
    """Plays a game; never changes by playing."""

    @property
    def label(self) -> str:
        """How the player is written: `random`, `save:NAME`."""

    @property
    def game(self) -> Game: ...

    def choose(self, position: Position, random: Random) -> Choice:
        """A legal move in a position that is not over, all chance drawn from `random`."""

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        """What it holds of each legal move, in the order of the moves."""

    def policy(self) -> Policy:
        """How likely it plays each edge of the game's space, shape (m,). Raises `TooLarge`."""


@dataclass(frozen=True)
class Snapshot:
    """A learner frozen at one moment: all there is to draw it, save it, or train it on as if it had never stopped."""

    learner: str
    game: str
    preset: str
    settings: Mapping[str, Setting]
    seed: int
    generator: tuple[int, ...]
    stats: Mapping[str, int]
    """The running statistics: `games plies first_wins second_wins draws`, then the learner's own."""
    history: tuple[Mapping[str, int], ...]
    """The statistics as they were after chosen numbers of games, ascending."""
    memory: Memory


@dataclass(frozen=True)
class SettingKind:
    """A setting of a learner: its values, and what it decides."""

    values: tuple[Setting, ...]
    summary: str


class Learner(ABC):
    """A memory over the edges of a game's space, and the rules that change it."""

    name: ClassVar[str]
    """The word for the learner on the command line and in files."""
    title: ClassVar[str]
    summary: ClassVar[str]
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]]
    """Every preset's settings, the default first."""
    setting_kinds: ClassVar[Mapping[str, SettingKind]]
    own_stats: ClassVar[Mapping[str, str]]
    """The learner's own statistics, in order, each with its label on the screen."""
    legend: ClassVar[Mapping[str, str]]
    """What each symbol of its thoughts means."""
    size_stat: ClassVar[str]
    """The one of them that tells how large the memory has grown."""

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        """A learner that knows nothing. `settings` replace those of the preset. Raises `BadText`, `TooLarge`."""
        if preset not in self.presets:
            raise BadText(f"no preset {quoted(preset)} of {self.name}; there are {', '.join(self.presets)}")
        if not 0 <= seed <= LARGEST_SEED:
            raise BadText(f"seed {quoted(str(seed))} is not between 0 and {LARGEST_SEED}")
        self.game = game
        self.space: Space = space_of(game)
        self.preset = preset
        self.settings: dict[str, Setting] = dict(self.presets[preset])
        for key, value in (settings or {}).items():
            self.settings[key] = self.parse_setting(key, str(value))
        self.seed = seed
        self.generator = np.array(seed_words(seed), np.int64)
        self.memory: Memory = np.zeros(len(self.space.move), np.int64)
        self.history: tuple[Mapping[str, int], ...] = ()
        self.label = self.name

    @classmethod
    def parse_setting(cls, key: str, text: str) -> Setting:
        """The value that `text` means for a setting. Raises `BadText`."""
        if key not in cls.setting_kinds:
            raise BadText(f"no setting {quoted(key)} of {cls.name}; there are {', '.join(cls.setting_kinds)}")
        written = {str(value).lower(): value for value in cls.setting_kinds[key].values}
        if text.lower() not in written:
            raise BadText(f"{key} cannot be {quoted(text)}; it is one of {', '.join(written)}")
        return written[text.lower()]

    @abstractmethod
    def train(self, games: int) -> None:
        """Play and learn from `games` games of self-play, without a pause."""

    @abstractmethod
    def learn_record(self, record: Record) -> None:
        """Learn from a finished game, whoever played it. Raises `KeyError` for a game that is not of this space."""

    @property
    @abstractmethod
    def last_game(self) -> tuple[Move, ...]:
        """The moves of the game learned from last; none before the first."""

    @abstractmethod
    def stats(self) -> dict[str, int]:
        """The running statistics, `games plies first_wins second_wins draws` first and then `own_stats`."""

    @abstractmethod
    def policy(self) -> Policy:
        """How likely it plays each edge, shape (m,)."""

    @abstractmethod
    def choose(self, position: Position, random: Random) -> Choice: ...

    @abstractmethod
    def thoughts(self, position: Position) -> tuple[Thought, ...]: ...

    @abstractmethod
    def restore(self, snapshot: Snapshot) -> None:
        """Become the learner that was frozen. Raises `BadText` where its numbers cannot be a memory of this kind."""

    def snapshot(self) -> Snapshot:
        return Snapshot(
            learner=self.name,
            game=self.game.name,
            preset=self.preset,
            settings=dict(self.settings),
            seed=self.seed,
            generator=tuple(self.generator.tolist()),
            stats=self.stats(),
            history=self.history,
            memory=self.memory.copy(),
        )

    def mark_history(self) -> None:
        """Add the statistics of this moment to the history."""
        stats = self.stats()
        if not self.history or self.history[-1]["games"] < stats["games"]:
            self.history = (*self.history, stats)


COMMON_STATS = ("games", "plies", "first_wins", "second_wins", "draws")


def outcome_counts(stats: Mapping[str, int]) -> dict[Outcome, int]:
    """How many games ended each way."""
    return dict(zip(Outcome, (stats["first_wins"], stats["second_wins"], stats["draws"]), strict=True))
