"""The round of a change in a training, if it can be found in reasonable time."""

from collections.abc import Callable
from typing import Final

from engine.game import BadText
from engine.stop import Stop, never
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.tracing import Traced, traced

MAX_ROUNDS: Final = 2_000_000
"""The longest interval that is trained again to find one change, in rounds."""


def traced_if_possible(
    snapshot: Snapshot, since: int, rounds: int, has_changed: Callable[[Learner], bool], stop: Stop = never
) -> Traced:
    """Trace a change as `traced` does; return the whole interval if that takes too long or cannot be repeated."""
    if rounds - since > MAX_ROUNDS:
        return Traced(since, rounds)
    try:
        return traced(snapshot, since, rounds, has_changed, stop)
    except BadText:  # the opponent or the state of the generator is not stored
        return Traced(since, rounds)
