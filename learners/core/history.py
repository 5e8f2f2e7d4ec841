"""What a training leaves behind: its statistics, and its memories at checkpoints."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from learners.core.snapshot import Checkpoint, Memory, Snapshot, checkpoint_of
from learners.core.spec import LearnerSpec


class TrainingHistory:
    """The statistics of a training at the history marks, and its checkpoints."""

    def __init__(self, spec: LearnerSpec) -> None:
        """Begin with no statistics and no checkpoints."""
        self._spec = spec
        self.statistics: tuple[Mapping[str, int], ...] = ()
        """The statistics after certain numbers of rounds, ascending."""
        self.checkpoints: dict[int, Checkpoint] = {}
        """The checkpoints by number of rounds, ascending."""

    def numbers(self, edges: NDArray[np.int32]) -> list[Memory]:
        """Return the numbers of some edges in each memory that a checkpoint stores, each of shape (len(edges),)."""
        packed = (each.packed_memory for each in self.checkpoints.values())
        return [each.numbers(edges) for each in packed if each is not None]

    def add_statistics(self, stats: Mapping[str, int]) -> None:
        """Append statistics, unless those of this number of rounds, or of more rounds, are there already."""
        key = self._spec.round_statistic
        if not self.statistics or self.statistics[-1][key] < stats[key]:
            self.statistics = (*self.statistics, stats)

    def add_checkpoint(self, snapshot: Snapshot) -> None:
        """Store the moment of a snapshot as a checkpoint. Its arrays are copied."""
        self.checkpoints[snapshot.stats[self._spec.round_statistic]] = checkpoint_of(
            snapshot.memory if self._spec.stores_memories else None,
            snapshot.times,
            generator=snapshot.generator,
            opponent=snapshot.opponent,
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Replace everything by the history of a snapshot."""
        self.statistics = snapshot.history
        self.checkpoints = dict(snapshot.checkpoints)
