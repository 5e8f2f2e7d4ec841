"""A learner frozen: what there is to draw it, save it, and train it on as if it had never stopped."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.game import Move
from learners.core.settings import Setting

Memory = NDArray[np.int64]
"""One number for each edge of the game's space, shape (m,). A learner that takes symmetric edges for one keeps their
number at the first of them, `Learner.cell`, and 0 at the others."""

ITSELF: Final = "self"
"""Stands for the opponent of a learner that trains by self-play."""


@dataclass(frozen=True)
class Checkpoint:
    """What is kept of a learner at one moment of its training, beside the statistics in its history."""

    generator: tuple[int, ...] = ()
    """The state of its generator; empty where that was not kept, and then it cannot be trained on from there."""
    opponent: str = ITSELF
    """Whom it trained against, as players are written."""
    memory: Memory | None = None
    """`None` where the learner tells it from a later one."""
    times: Memory | None = None
    """How often each edge had been chosen, where the learner counts that."""


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
    """The statistics as they were after chosen numbers of rounds, ascending."""
    memory: Memory
    opponent: str = ITSELF
    """Whom it trained against last, as players are written."""
    times: Memory | None = None
    """How often each edge was chosen in training, where the learner counts that; like `memory`."""
    checkpoints: Mapping[int, Checkpoint] = field(default_factory=dict)
    """It as it was after chosen numbers of rounds, ascending, all of them in the history."""
    last_game: tuple[Move, ...] = ()
    """The moves of the game learned from last, where that is known; it is not saved."""
    bulk: bytes = b""
    """What else it needs to be trained on, in a layout that the learner documents."""
