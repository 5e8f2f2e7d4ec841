"""Snapshots: learners as immutable values, to show them, to save them, and to train them further.

A snapshot also has the history of the training: statistics and memories at certain numbers of rounds.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.game import Game, Move
from learners.core.packed import Packed, pack
from learners.core.settings import Setting

DECADE_STEPS: Final = (10, 12, 16, 20, 25, 32, 40, 50, 63, 80)
"""Ten marks a decade, evenly spaced on a logarithmic axis (ISO 3, series R10)."""
MARKS: Final[tuple[int, ...]] = (
    1,
    2,
    3,
    4,
    5,
    6,
    8,
    *(step * 10**power for power in range(12) for step in DECADE_STEPS),
)
"""The numbers of rounds at which the history records the statistics; they include all `CHECKPOINTS`."""
MAX_LEARNER_ROUNDS: Final = 10**12
"""The maximum number of rounds of a learner. The marks reach a little further."""
CHECKPOINTS: Final = frozenset(step * 10**power for power in range(13) for step in (1, 2, 5))
"""The numbers of rounds at which the memory is stored as well: 1, 2, 5, 10, 20, 50 …"""


def next_mark(rounds: int, marks: Sequence[int]) -> int:
    """Return the first of the ascending `marks` beyond a number of rounds. Raises `IndexError` if there is none."""
    return marks[bisect_right(marks, rounds)]


Memory = NDArray[np.int64]
"""One number for each edge of the game's space, shape (m,).

A learner that treats symmetric edges as one stores their number at one of them, `Learner.cell`, and 0 at the others.
Where a `LearnerSpec` says `parameters`, these are parameters instead, any integers of 32 bits, and stored as such."""

ITSELF: Final = "self"


@dataclass(frozen=True)
class Checkpoint:
    """A learner at one moment of its training; the statistics of that moment are in its history."""

    generator: tuple[int, ...] = ()
    """The state of the learner's generator; empty if unknown, so that training cannot continue from there."""
    opponent: str = ITSELF
    """The label of the opponent in training."""
    packed_memory: Packed | None = None
    """The memory. `None` if the learner derives it from a later one."""
    packed_times: Packed | None = None
    """How often each edge had been chosen; `None` for a learner that does not count that."""

    @property
    def memory(self) -> Memory | None:
        """The memory as a new array, shape (m,); `None` if the learner derives it from a later memory."""
        return None if self.packed_memory is None else self.packed_memory.array()

    @property
    def times(self) -> Memory | None:
        """How often each edge had been chosen, a new array, shape (m,); `None` if the learner does not count that."""
        return None if self.packed_times is None else self.packed_times.array()


def checkpoint_of(
    memory: Memory | None,
    times: Memory | None = None,
    *,
    generator: tuple[int, ...] = (),
    opponent: str = ITSELF,
    before: Checkpoint | None = None,
) -> Checkpoint:
    """Return a checkpoint that holds packed copies of these arrays, both of shape (m,).

    An array that differs little from that of the checkpoint `before` is stored as a difference.
    """
    earlier = Checkpoint() if before is None else before
    return Checkpoint(
        generator,
        opponent,
        None if memory is None else pack(memory, earlier.packed_memory),
        None if times is None else pack(times, earlier.packed_times),
    )


@dataclass(frozen=True, eq=False)
class Snapshot:  # noqa: PLW1641  mappings and arrays have no hash either
    """The complete state of a learner: a learner restored from it trains further as if it had never stopped."""

    learner: str
    game: Game
    preset: str
    settings: Mapping[str, Setting]
    seed: int
    generator: tuple[int, ...]
    """The state of the learner's generator, two words; empty if unknown, so that it cannot be trained further."""
    stats: Mapping[str, int]
    """The statistics, in the order of `LearnerSpec.stat_keys`."""
    history: tuple[Mapping[str, int], ...]
    """The statistics after certain numbers of rounds, ascending."""
    memory: Memory
    opponent: str = ITSELF
    """The label of the last opponent in training."""
    times: Memory | None = None
    """How often training chose each edge, shape (m,); `None` for a learner that does not count that."""
    checkpoints: Mapping[int, Checkpoint] = field(default_factory=dict)
    """Earlier moments by number of rounds, ascending; the history has the statistics of each."""
    last_game: tuple[Move, ...] = ()
    """The moves of the game learned from last; empty if unknown. Not saved."""
    bulk: bytes = b""
    """The other data that further training needs, in a layout that the learner documents."""

    def __eq__(self, other: object) -> bool:
        """Return whether every field is the same; arrays are the same if their numbers are."""
        if not isinstance(other, Snapshot):
            return NotImplemented
        if self is other:
            return True
        for each in fields(self):
            ours, theirs = getattr(self, each.name), getattr(other, each.name)
            is_same = np.array_equal(ours, theirs) if isinstance(ours, np.ndarray) else ours == theirs
            if not is_same:
                return False
        return True


class TrainingHistory:
    def __init__(self, round_statistic: str) -> None:
        """Begin with no statistics and no checkpoints. `round_statistic` is the key of the number of rounds."""
        self._round_statistic = round_statistic
        self.statistics: tuple[Mapping[str, int], ...] = ()
        """The statistics after certain numbers of rounds, ascending."""
        self.checkpoints: dict[int, Checkpoint] = {}
        """The checkpoints by number of rounds, ascending."""

    def numbers(self, edges: NDArray[np.int32]) -> list[Memory]:
        """Return the numbers of some edges in each memory that a checkpoint stores, each of shape (len(edges),)."""
        packed = (each.packed_memory for each in self.checkpoints.values())
        return [each.numbers(edges) for each in packed if each is not None]

    def add_statistics(self, stats: Mapping[str, int]) -> None:
        """Append statistics, unless there are already some of this number of rounds or more."""
        key = self._round_statistic
        if not self.statistics or self.statistics[-1][key] < stats[key]:
            self.statistics = (*self.statistics, stats)

    def restore(self, snapshot: Snapshot) -> None:
        self.statistics = snapshot.history
        self.checkpoints = dict(snapshot.checkpoints)
