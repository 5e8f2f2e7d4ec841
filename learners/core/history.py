"""What a training leaves behind: its statistics, and its memories at checkpoints."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from learners.core.snapshot import Checkpoint, Memory, Snapshot
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

    @property
    def last_checkpoint(self) -> Checkpoint | None:
        """The latest checkpoint; `None` if there is none."""
        return next(reversed(self.checkpoints.values()), None)

    def restore(self, snapshot: Snapshot) -> None:
        """Replace everything by the history of a snapshot."""
        self.statistics = snapshot.history
        self.checkpoints = dict(snapshot.checkpoints)
