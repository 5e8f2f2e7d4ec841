"""After how many rounds of training something is noted down."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

STEPS: Final = (10, 12, 16, 20, 25, 32, 40, 50, 63, 80)
"""The marks of a decade, ten to a decade and evenly apart on a logarithmic axis (ISO 3, series R10)."""
MARKS: Final[tuple[int, ...]] = (1, 2, 3, 4, 5, 6, 8, *(step * 10**power for power in range(12) for step in STEPS))
"""The numbers of rounds after which the statistics go into the history: all of 1, 2, 5, 10, 20, 50 … among them."""
LAST: Final = 10**12
"""The most rounds that a learner may have had: the marks reach a little farther."""
CHECKPOINTS: Final = frozenset(step * 10**power for power in range(13) for step in (1, 2, 5))
"""Those of them after which the memory is kept as well."""


def next_mark(rounds: int, marks: Sequence[int] = MARKS) -> int:
    """The first mark after so many rounds."""
    return marks[bisect_right(marks, rounds)]
