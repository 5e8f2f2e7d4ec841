"""Snapshots: a learner as an immutable value, to show it, to save it, and to train it further."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.game import Move
from learners.core.packed import Packed, pack
from learners.core.settings import Setting

Memory = NDArray[np.int64]
"""One number for each edge of the game's space, shape (m,).

A learner that treats symmetric edges as one stores their number at one of them, `Learner.cell`, and 0 at the others.
Where a `LearnerSpec` says `parameters`, these are parameters instead, any integers of 32 bits, and stored as such.
"""

ITSELF: Final = "self"
"""The label of the opponent in self-play."""


@dataclass(frozen=True)
class Checkpoint:
    """A learner at one moment of its training; the statistics of that moment are in its history."""

    generator: tuple[int, ...] = ()
    """The state of its generator. Empty if unknown: training cannot continue from there."""
    opponent: str = ITSELF
    """The label of the opponent in training."""
    packed_memory: Packed | None = None
    """The memory. `None` if the learner derives it from a later one."""
    packed_times: Packed | None = None
    """How often each edge had been chosen; `None` for a learner that does not count it."""

    @property
    def memory(self) -> Memory | None:
        """The memory as a new array, shape (m,). `None` if the learner derives it from a later one."""
        return None if self.packed_memory is None else self.packed_memory.array()

    @property
    def times(self) -> Memory | None:
        """How often each edge had been chosen, a new array, shape (m,); `None` if the learner does not count it."""
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
    """A learner at one moment, complete: whoever restores it can train it further as if it had never stopped."""

    learner: str
    game: str
    preset: str
    settings: Mapping[str, Setting]
    seed: int
    generator: tuple[int, ...]
    """The state of its generator, two words. Empty if unknown: it cannot be trained further."""
    stats: Mapping[str, int]
    """The statistics, in the order of `LearnerSpec.stat_keys`."""
    history: tuple[Mapping[str, int], ...]
    """The statistics after certain numbers of rounds, ascending."""
    memory: Memory
    opponent: str = ITSELF
    """The label of the last opponent in training."""
    times: Memory | None = None
    """How often training chose each edge, shape (m,); `None` for a learner that does not count it."""
    checkpoints: Mapping[int, Checkpoint] = field(default_factory=dict)
    """Earlier moments by number of rounds, ascending; the history has the statistics of each."""
    last_game: tuple[Move, ...] = ()
    """The moves of the game learned from last; empty if unknown. Not saved."""
    bulk: bytes = b""
    """What else is needed to train further, in a layout that the learner documents."""

    def __eq__(self, other: object) -> bool:
        """Whether every field is the same; arrays are the same if their numbers are."""
        if not isinstance(other, Snapshot):
            return NotImplemented
        return self is other or all(
            np.array_equal(ours, theirs) if isinstance(ours, np.ndarray) else ours == theirs
            for ours, theirs in ((getattr(self, each.name), getattr(other, each.name)) for each in fields(self))
        )
