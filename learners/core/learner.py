"""Learners: players that can be trained, and whose memory can be frozen and restored."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from itertools import accumulate
from random import Random
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import SAME, Policy
from engine.game import BadText, Game, Move, Outcome, Position, Side, quoted
from engine.match import Match, Record, replay_record
from engine.plugin_guard import Check
from engine.plural import counted_noun
from engine.space import Space
from engine.spaces import space_of
from learners.core.generator import LARGEST_SEED, seed_words
from learners.core.player import PLAYER_CHECKS, Choice, Player, Thought
from learners.core.settings import Setting
from learners.core.snapshot import ITSELF, Memory, Snapshot, TrainingHistory, checkpoint_of
from learners.core.spec import LearnerSpec
from learners.core.view import Change, MemoryView, Presentation, number_text

PERSON: Final = "human"
"""The label of a person."""
BOTH: Final = (Side.FIRST, Side.SECOND)
OUTCOME_STATISTIC: Final = {Outcome.FIRST_WINS: "first_wins", Outcome.SECOND_WINS: "second_wins", Outcome.DRAW: "draws"}
"""The key of the statistic that counts games with each outcome."""
NO_GENERATOR: Final = (0, 0)
"""Stands for an unknown state of the generator. No generator has this state."""


class Learner(ABC):
    """A player with a memory, and the rules that change it.

    The memory is a table over the edges of a game's space. If the `spec` says so, it is parameters instead, and the
    learner works in games without a space as well.

    A learner must define `spec`, `train` and `policy`; one that learns from single games also `learn_record`.
    Everything else has a default. A learner that counts more than `COMMON_STATS`, or whose tables have further parts,
    overrides `stats` and `restore_memory` together.
    """

    spec: ClassVar[LearnerSpec]
    """The names of the learner, its settings, and what it counts."""
    shown: ClassVar[Presentation] = Presentation()
    """How screens offer the learner."""
    view_type: ClassVar[type[MemoryView[Any]]] = MemoryView
    """The view by which screens show the memory."""
    only_itself: ClassVar[str] = ""
    """Why nobody else can be its opponent, after its name; empty if somebody can."""

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        """Make a learner that has learned nothing. `settings` replace those of the preset.

        Raises `BadText` for an unknown preset, seed or setting, and `BadText` or `TooLarge` for a game that the learner
        cannot learn.
        """
        self.spec.require_game(game)
        self.spec.require_preset(preset, game)
        if not 0 <= seed <= LARGEST_SEED:
            raise BadText(f"seed {quoted(str(seed))} is not between 0 and {LARGEST_SEED}")
        self.game = game
        self.preset = preset
        self.settings: dict[str, Setting] = dict(self.spec.presets[preset])
        for key, value in (settings or {}).items():
            self.settings[key] = self.spec.parse_setting(key, str(value))
        self.seed = seed
        self.generator = np.array(seed_words(seed), np.int64)
        """The state of the generator of all random draws of the training, shape (2,)."""
        self.memory: Memory = self.new_memory()
        """The memory: one number for each edge, shape (m,), or parameters."""
        self.times: Memory = np.zeros_like(self.memory)
        """How often training chose each edge, shape (m,); 0 if that is not counted."""
        self.counts = dict.fromkeys(self.spec.stat_keys, 0)
        """The statistics so far: `count_game` adds to them, `stats` returns them."""
        self.history = TrainingHistory(self.spec.round_statistic)
        self.last_game: tuple[Move, ...] = ()
        """The moves of the game learned from last; empty before the first."""
        self.last_gains: tuple[int, ...] = ()
        """What the number of each of these moves gained by that game; empty if unknown."""
        self.opponent = ITSELF
        """The label of the opponent in training."""
        self.sides: tuple[Side, ...] = BOTH
        self.label = self.spec.name

    @cached_property
    def space(self) -> Space:
        """The space of the game, n positions with m edges. Raises `TooLarge` for a game that has none."""
        return space_of(self.game)

    @property
    def view(self) -> MemoryView[Any]:
        """What screens show of the memory, always in its present state."""
        return self.view_type(self)

    @property
    def cell(self) -> NDArray[np.int32]:
        """For each edge, the edge whose place in the memory has its number, shape (m,): itself unless shared."""
        return np.arange(len(self.space.move), dtype=np.int32)

    # What training needs.

    @abstractmethod
    def train(self, rounds: int) -> None:
        """Train this many rounds, or fewer if the learner becomes perfect before. 0 only loads what training needs."""

    def learn_record(self, record: Record, sides: Collection[Side] = BOTH) -> tuple[Change, ...]:
        """Learn from a finished game, and return the changes of the memory. `sides` are those that the learner played.

        Raises `KeyError` for a record of another game, `BadText` for a learner that never learns from single games.
        """
        raise BadText(f"{self.spec.name} learns from many games at once, not from one: train it")

    def stats(self) -> dict[str, int]:
        """Return the statistics, in the order of `LearnerSpec.stat_keys`."""
        return dict(self.counts)

    @property
    def rounds(self) -> int:
        """The number of rounds that the learner was trained."""
        return self.stats()[self.spec.round_statistic]

    @property
    def perfect(self) -> bool:
        """Whether the learner is known never to lose. A training ends when this becomes true."""
        return False

    @property
    def training_sides(self) -> tuple[Side, ...]:
        """The sides that the learner plays in training against its opponent: by default all that it can play."""
        return self.sides

    @property
    def trained_sides(self) -> tuple[Side, ...]:
        """The sides that training has taught the learner, as `times` counts them.

        Before any training, or without such counts, all sides that it can play.
        """
        counted = self.times > 0
        if not counted.any():
            return self.sides
        played = self.space.side[self.space.source[counted]]
        return tuple(side for side in self.sides if side in played)

    @property
    def has_learned(self) -> bool:
        """Whether the memory differs from that of a new learner."""
        return bool(self.memory.any())

    def set_opponent(self, opponent: Player | None) -> None:
        """Train against this player from now on; `None` is self-play, the only possibility by default.

        Raises `BadText` if that is impossible.
        """
        if opponent is not None:
            raise BadText(f"{self.spec.name} {self.only_itself or 'trains against itself only'}")
        self.record_opponent(ITSELF)

    def record_opponent(self, opponent: str) -> None:
        """Set only the label of the opponent, whose games are played elsewhere, for `learn_record`.

        Raises `BadText` if that is impossible.
        """
        if self.only_itself and opponent != ITSELF:
            raise BadText(f"{self.spec.name} {self.only_itself}")
        self.opponent = opponent

    def drop_tables(self) -> None:  # noqa: B027  most learners keep nothing
        """Free the tables kept between calls of `train`, which take much memory in a large game."""

    def prepare_training(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Compute what training needs and a snapshot does not hold. Return early once `stop()` is true.

        Raises `BadText` if the learner cannot be trained further.
        """
        if self.is_generator_unknown:
            raise BadText("its random generator is unknown at this checkpoint: it can play, but not be trained further")

    @property
    def is_generator_unknown(self) -> bool:
        """Whether the learner cannot be trained further, because the state of its generator is unknown."""
        return not self.generator.any()

    # How it plays.

    @abstractmethod
    def policy(self) -> Policy:
        """Return the policy, as in `Player`."""

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        """Return the thoughts, as in `Player`: by default the probability of each move and its number in the memory."""
        policy, cell, thoughts = self.policy(), self.cell, []
        for edge in self.space.edges(position):
            number, chance = self.memory[cell[edge]].item(), float(policy[edge])
            move = int(self.space.move[edge])
            thoughts.append(Thought(move, chance, number_text(number), f"{number:,}", excluded=chance == 0))
        return tuple(thoughts)

    def choose(self, position: Position, random: Random) -> Choice:
        """Choose a move, as in `Player`: by default by a draw with the chances of `thoughts`."""
        thoughts = self.thoughts(position)
        bounds = list(accumulate(thought.chance for thought in thoughts))
        draw = random.random()
        if draw >= bounds[-1] and bounds[-1] < 1 - SAME:
            return Choice(None, f"{self.spec.title} has no move to play here: it resigns")
        thought = thoughts[min(bisect_right(bounds, draw), len(thoughts) - 1)]
        how_often = "always" if thought.chance == 1 else f"{100 * thought.chance:.0f} % of the time"
        return Choice(thought.move, f"{self.game.move_name(thought.move)} is what it plays here {how_often}")

    def best_among(self, position: Position, moves: Collection[Move]) -> Collection[Move]:
        """Return the moves that the learner would play if there were only these: by default all of them."""
        return moves

    # How it is stored.

    def snapshot(self) -> Snapshot:
        """Return the learner as an immutable value. Its arrays are copies."""
        return Snapshot(
            learner=self.spec.name,
            game=self.game,
            preset=self.preset,
            settings=dict(self.settings),
            seed=self.seed,
            generator=() if self.is_generator_unknown else tuple(self.generator.tolist()),
            stats=self.stats(),
            history=self.history.statistics,
            memory=self.memory.copy(),
            opponent=self.opponent,
            times=self.times.copy() if self.spec.counts_choices else None,
            checkpoints=dict(self.history.checkpoints),
            last_game=self.last_game,
        )

    def record_checkpoint(self) -> None:
        """Add the present state to the history as a checkpoint."""
        self.history.checkpoints[self.rounds] = checkpoint_of(
            self.memory if self.spec.stores_memories else None,
            self.times if self.spec.counts_choices else None,
            generator=() if self.is_generator_unknown else tuple(self.generator.tolist()),
            opponent=self.opponent,
            before=next(reversed(self.history.checkpoints.values()), None),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Become the learner of a snapshot of the same game, preset, settings and seed.

        Raises `BadText` if the numbers of the snapshot are impossible for this learner.
        """
        self.restore_memory(snapshot)
        self.generator[:] = snapshot.generator or NO_GENERATOR
        self.history.restore(snapshot)
        self.record_opponent(snapshot.opponent)
        self.last_game = snapshot.last_game

    def restore_memory(self, snapshot: Snapshot) -> None:
        """Restore the memory, the counts of choices and the statistics, half of `restore`. Raises `BadText`."""
        require_possible(snapshot.stats, {"plies": snapshot.stats["games"] * self.game.longest})
        self.memory[:] = snapshot.memory
        if snapshot.times is not None:
            self.times[:] = snapshot.times
        self.counts = dict(snapshot.stats)

    @classmethod
    def memory_at(cls, memory: Memory, stats: Mapping[str, int]) -> Memory | None:  # noqa: ARG003  only some learners can
        """Return the memory after the rounds in `stats`, derived from a later `memory`, both of shape (m,).

        `None` if the learner cannot derive it; then checkpoints store the memory.
        """
        return None

    # What the rules of a learner are built from.

    def new_memory(self) -> Memory:
        """Return the memory of a learner that has learned nothing: zeros, shape (m,)."""
        return np.zeros(len(self.space.move), np.int64)

    def replay(self, record: Record) -> Match:
        """Return the match of a record. Raises `KeyError` if it is not of this game."""
        if record.game != self.game:
            raise KeyError(record)
        try:
            return replay_record(record)
        except ValueError as error:
            raise KeyError(record) from error

    def count_game(self, record: Record) -> None:
        """Add a game to `COMMON_STATS` in `counts`, and keep its moves as the last game."""
        self.last_game = record.moves
        self.counts["games"] += 1
        self.counts["plies"] += len(record.moves)
        self.counts[OUTCOME_STATISTIC[record.outcome]] += 1


def require_possible(stats: Mapping[str, int], limits: Mapping[str, int]) -> None:
    """Raise `BadText` for a statistic whose absolute value is above its limit."""
    for key, limit in limits.items():
        if abs(stats[key]) > limit:
            raise BadText(f"the statistic {key} is {stats[key]:,}: it cannot be more than {limit:,} here")


def changes(before: Memory, after: Memory) -> tuple[Change, ...]:
    """Return where two memories of shape (m,) differ, by ascending edge."""
    return tuple(
        Change(int(edge), int(before[edge]), int(after[edge])) for edge in np.flatnonzero(before != after).tolist()
    )


def memory_fault(learner: Learner, numbers: Memory) -> str:
    """Return what is wrong with the numbers of a memory, in words; empty if they are possible."""
    if numbers.dtype.kind != "i":
        return f"its memory holds numbers of the type {numbers.dtype}, not integers"
    if learner.spec.parameters:
        first = learner.times  # has the shape of the first memory; another one may be drawn anew
        count = counted_noun(first.size, "parameter")
        return "" if numbers.shape == first.shape else f"its memory has {count}, not {numbers.size:,}"
    cell, space = learner.cell, learner.space
    if numbers.shape != cell.shape:
        return f"a memory of {learner.game.name} has {counted_noun(len(cell), 'number')}, not {numbers.size:,}"
    for edge in np.flatnonzero(numbers < 0):
        where, name = int(space.position[space.source[edge]]), learner.game.move_name(int(space.move[edge]))
        return f"the number of {name} in {learner.game.to_text(where)} is {numbers[edge]}, below 0"
    if numbers[cell != np.arange(len(cell))].any():
        return "the memory has a number at a move that shares that of an earlier, symmetric move"
    return ""


LEARNER_CHECKS: Final[Mapping[str, Check]] = {
    **PLAYER_CHECKS,
    **dict.fromkeys(("train", "snapshot"), lambda learner, *_: memory_fault(learner, learner.memory)),
}
"""What is checked, by the name of the method, each time that a learner of another package is called."""
