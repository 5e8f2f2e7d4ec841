"""Continue a training under other settings from one moment on."""

from collections.abc import Mapping
from dataclasses import replace

from learners import revive
from learners.core.learner import Learner
from learners.core.settings import Setting
from learners.core.snapshot import Snapshot


def branched(snapshot: Snapshot, changed: Mapping[str, Setting]) -> Learner:
    """Return the learner of a snapshot with other values of some settings.

    Its earlier checkpoints can be looked at, but not trained further, since they come from the old settings. Raises
    `BadText` for settings that do not fit what was learned.
    """
    checkpoints = {rounds: replace(each, generator=()) for rounds, each in snapshot.checkpoints.items()}
    settings = {**snapshot.settings, **changed}
    return revive(replace(snapshot, settings=settings, checkpoints=checkpoints))
