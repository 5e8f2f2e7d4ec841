"""What learns: a memory over the edges of a game's space, and the rules that change it."""

from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy
from engine.game import BadText, Game, IllegalMove, Move, Position, Side, quoted
from engine.match import Match, Record, replayed
from engine.space import Space, space_of
from learners.core.cards import Card, Words
from learners.core.checkpoint_marks import MARKS
from learners.core.generator import LARGEST_SEED, seed_words
from learners.core.player import Choice, Player, Thought
from learners.core.settings import Setting, SettingKind
from learners.core.snapshot import ITSELF, Checkpoint, Memory, Snapshot
from learners.core.view import Shown

PERSON: Final = "human"
"""Stands for a person among players and opponents."""
BOTH: Final = (Side.FIRST, Side.SECOND)
NO_GENERATOR: Final = (0, 0)
"""A state that no generator has."""
COMMON_STATS: Final = ("games", "plies", "first_wins", "second_wins", "draws")


@dataclass(frozen=True)
class Change:
    """A number of a memory that a game changed, at the first of its edges."""

    edge: int
    before: int
    after: int


class Learner(Shown):
    """A memory over the edges of a game's space, and the rules that change it."""

    name: ClassVar[str]
    """The word for the learner on the command line and in files."""
    title: ClassVar[str]
    summary: ClassVar[str]
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]]
    """Every preset's settings, the default first."""
    preset_games: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The games of the presets that do not fit every game."""
    ready_preset: ClassVar[str] = ""
    """The one whose trainings are ready made, each started by one key; without one there are none."""
    setting_kinds: ClassVar[Mapping[str, SettingKind]]
    own_stats: ClassVar[Mapping[str, str]]
    """The learner's own statistics, in order, each with its label on the screen; without one, a chart tells it."""
    signed_stats: ClassVar[tuple[str, ...]] = ()
    """Those of them that may fall below 0."""
    size_stat: ClassVar[str]
    """The one of them that tells how large the memory has grown."""
    counted: ClassVar[str] = "games"
    """The statistic that counts its rounds: what its training is counted in."""
    round_noun: ClassVar[str] = "game"
    """What a round is called; an s makes the plural."""
    games_stat: ClassVar[str] = "games"
    """The statistic that counts the games of its training."""
    usual_rounds: ClassVar[int] = 100_000
    """How many rounds to train if nobody says."""
    marks: ClassVar[Sequence[int]] = MARKS
    """The numbers of rounds after which the statistics go into the history, ascending."""
    learns_records: ClassVar[bool] = True
    """Whether it learns from single games as well."""
    keeps_memories: ClassVar[bool] = True
    """Whether an earlier memory has to be kept, since it could not be told from a later one: see `earlier`."""
    words: ClassVar[Words]

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        """A learner that knows nothing. `settings` replace those of the preset. Raises `BadText`, `TooLarge`."""
        self.require_preset(preset, game)
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
        self.times: Memory | None = None
        self.history: tuple[Mapping[str, int], ...] = ()
        self.checkpoints: dict[int, Checkpoint] = {}
        self.last_game: tuple[Move, ...] = ()
        """The moves of the game learned from last; none before the first."""
        self.opponent = ITSELF
        self.sides: tuple[Side, ...] = BOTH
        """The sides that it can play."""
        self.label = self.name

    @classmethod
    def presets_for(cls, game: Game) -> list[str]:
        """The presets that fit a game, the default first."""
        return [preset for preset in cls.presets if game.name in cls.preset_games.get(preset, (game.name,))]

    @classmethod
    def require_preset(cls, preset: str, game: Game) -> None:
        """Raise `BadText` for a preset that there is not, or that does not fit the game."""
        if preset not in cls.presets:
            raise BadText(f"no preset {quoted(preset)} of {cls.name}; there are {', '.join(cls.presets)}")
        if preset not in cls.presets_for(game):
            fits = ", ".join(cls.preset_games[preset])
            raise BadText(f"the preset {preset} fits {fits}, not {game.name}: choose another game or another preset")

    @classmethod
    def parse_setting(cls, key: str, text: str) -> Setting:
        """The value that `text` means for a setting. Raises `BadText`."""
        if key not in cls.setting_kinds:
            raise BadText(f"no setting {quoted(key)} of {cls.name}; there are {', '.join(cls.setting_kinds)}")
        try:
            return cls.setting_kinds[key].parse(text)
        except BadText as error:
            raise BadText(f"{key} {error}") from error

    @property
    def cell(self) -> NDArray[np.int32]:
        """The edge at which the number of each edge stands, shape (m,)."""
        return np.arange(len(self.memory), dtype=np.int32)

    def meet(self, opponent: Player | None) -> None:
        """Train against that player from now on; `None` is self-play. Raises `BadText` where that cannot be."""
        if opponent is not None:
            raise BadText(f"{self.name} trains against itself, or learns from the games of a person")
        self.turn_to(ITSELF)

    def turn_to(self, opponent: str) -> None:
        """Take note of whom it plays from now on, as players are written: its games with them are played elsewhere.

        Raises `BadText` where that cannot be.
        """
        self.opponent = opponent

    @property
    def rounds(self) -> int:
        """How many rounds it has trained: games, if not told otherwise."""
        return self.stats()[self.counted]

    @property
    def perfect(self) -> bool:
        """Whether it knows itself to lose to nobody; a training ends when that comes about."""
        return False

    @abstractmethod
    def train(self, rounds: int) -> None:
        """Train so many rounds, without a pause; fewer where it becomes perfect before."""

    @abstractmethod
    def learn_record(self, record: Record, sides: Collection[Side] = BOTH) -> tuple[Change, ...]:
        """Learn from a finished game, whoever played it; returns what that changed.

        `sides` are those that the learner played. Raises `KeyError` for a game that is not of this space, `BadText`
        where it does not learn from records at all.
        """

    def match_of(self, record: Record) -> Match:
        """The game that a record tells of. Raises `KeyError` for one that is not of this space."""
        try:
            return replayed(self.game, record)
        except (IllegalMove, ValueError) as error:
            raise KeyError(record) from error

    @abstractmethod
    def tell(self, change: Change) -> str:
        """A change of the memory, in words."""

    @abstractmethod
    def stats(self) -> dict[str, int]:
        """The running statistics, `games plies first_wins second_wins draws` first and then `own_stats`."""

    @classmethod
    def told(cls, stats: Mapping[str, int]) -> dict[str, int | float | bool]:
        """The statistics as they are told to a program: where whole numbers stand for something else, that."""
        return dict(stats)

    @abstractmethod
    def cards(self) -> NDArray[np.int32]:
        """An edge for each thing that the memory holds, in the order in which they are shown."""

    @abstractmethod
    def card(self, edge: int) -> Card:
        """The thing of that edge, one of `cards()`."""

    @abstractmethod
    def newest(self, count: int) -> list[int]:
        """At most that many of `cards()`, those that changed last first."""

    @abstractmethod
    def policy(self) -> Policy:
        """How likely it plays each edge, shape (m,)."""

    @abstractmethod
    def choose(self, position: Position, random: Random) -> Choice: ...

    @abstractmethod
    def thoughts(self, position: Position) -> tuple[Thought, ...]: ...

    @abstractmethod
    def _take(self, snapshot: Snapshot) -> None:
        """Take the memory and the statistics of a snapshot. Raises `BadText` where they cannot be of this kind."""

    def restore(self, snapshot: Snapshot) -> None:
        """Become the learner that was frozen. Raises `BadText` where its numbers cannot be a memory of this kind."""
        self._take(snapshot)
        self.generator[:] = snapshot.generator or NO_GENERATOR
        self.history = snapshot.history
        self.checkpoints = dict(snapshot.checkpoints)
        self.turn_to(snapshot.opponent)
        self.last_game = snapshot.last_game

    def snapshot(self) -> Snapshot:
        return Snapshot(
            learner=self.name,
            game=self.game.name,
            preset=self.preset,
            settings=dict(self.settings),
            seed=self.seed,
            generator=() if self.stuck else tuple(self.generator.tolist()),
            stats=self.stats(),
            history=self.history,
            memory=self.memory.copy(),
            opponent=self.opponent,
            times=None if self.times is None else self.times.copy(),
            checkpoints=dict(self.checkpoints),
            last_game=self.last_game,
        )

    def mark_history(self) -> None:
        """Add the statistics of this moment to the history."""
        stats = self.stats()
        if not self.history or self.history[-1][self.counted] < stats[self.counted]:
            self.history = (*self.history, stats)

    @property
    def knows_something(self) -> bool:
        """Whether its memory is no longer that with which a new one begins."""
        return bool(self.memory.any())

    @property
    def memories(self) -> dict[int, Memory]:
        """The memory at its checkpoints, where that is kept."""
        return {rounds: each.memory for rounds, each in self.checkpoints.items() if each.memory is not None}

    def keep_checkpoint(self) -> None:
        """Keep this moment."""
        self.checkpoints[self.rounds] = Checkpoint(
            generator=() if self.stuck else tuple(self.generator.tolist()),
            opponent=self.opponent,
            memory=self.memory.copy() if self.keeps_memories else None,
            times=None if self.times is None else self.times.copy(),
        )

    @classmethod
    def earlier(cls, memory: Memory, stats: Mapping[str, int]) -> Memory | None:  # noqa: ARG003  few can tell it
        """The memory at the moment of those statistics, told from a later one; `None` where it cannot be told."""
        return None

    def kept_open(self) -> NDArray[np.bool_]:
        """Which edges its memory leaves open, shape (m,): those not given up, which it plays at times."""
        return self.policy() > 0

    @property
    def stuck(self) -> bool:
        """Whether it cannot be trained on, since the generator of its moment was not kept."""
        return not self.generator.any()

    def catch_up(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Get ready to be trained on what takes long to do so, unless `stop()` holds. Raises `BadText` if it cannot.

        It is then as it was, but for what its moment had not kept.
        """
        if self.stuck:
            raise BadText("no generator was kept of this moment: it can be played against, not trained on")


def require_possible(stats: Mapping[str, int], most: Mapping[str, int]) -> None:
    """Raise `BadText` for a statistic that is farther from 0 than it can have come."""
    for key, limit in most.items():
        if abs(stats[key]) > limit:
            raise BadText(f"the statistic {key} is {stats[key]:,}: it cannot be more than {limit:,} here")


def changes(before: Memory, after: Memory) -> tuple[Change, ...]:
    """Where two memories differ."""
    return tuple(
        Change(int(edge), int(before[edge]), int(after[edge])) for edge in np.flatnonzero(before != after).tolist()
    )
