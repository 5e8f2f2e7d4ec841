"""The numbers of rounds at which a training is recorded."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

STEPS: Final = (10, 12, 16, 20, 25, 32, 40, 50, 63, 80)
"""Ten marks a decade, evenly spaced on a logarithmic axis (ISO 3, series R10)."""
MARKS: Final[tuple[int, ...]] = (1, 2, 3, 4, 5, 6, 8, *(step * 10**power for power in range(12) for step in STEPS))
"""The numbers of rounds at which the history records the statistics; they include all `CHECKPOINTS` up to `LAST`."""
LAST: Final = 10**12
"""The maximum number of rounds of a learner. The marks reach a little further."""
CHECKPOINTS: Final = frozenset(step * 10**power for power in range(13) for step in (1, 2, 5))
"""The numbers of rounds at which the memory is stored as well: 1, 2, 5, 10, 20, 50 …"""


def next_mark(rounds: int, marks: Sequence[int] = MARKS) -> int:
    """Return the first of the ascending `marks` beyond a number of rounds. Raises `IndexError` if there is none."""
    return marks[bisect_right(marks, rounds)]
