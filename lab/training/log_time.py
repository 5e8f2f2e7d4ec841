"""A pace that shows a training of any size in the same time: single games at first, then tens, thousands, millions.

On a logarithmic axis of rounds the training moves evenly. After `t` seconds of `SECONDS`, a training of `total` rounds
has done `(total + 1) ** (t / SECONDS) − 1` of them.
"""

from math import exp, log
from typing import Final

SECONDS: Final = 20.0
"""How long a training takes at this pace, in seconds, unless the learner itself is slower."""
TICK: Final = 0.1
"""Seconds between two bursts once a burst has more than one round."""


def next_burst(done: int, total: int, seconds: float = SECONDS) -> tuple[int, float]:
    """How many rounds come next, and in how many seconds.

    The answer does not depend on the time that has passed, so that a training keeps to the curve after a pause or a
    change of pace. Raises `ValueError` if no rounds are left.
    """
    if not 0 <= done < total:
        raise ValueError(f"{done} of {total} rounds are done: none are left")
    per_second = log(total + 1) / seconds  # how fast the logarithm of the rounds grows
    now = log(done + 1)
    reached = int(exp(now + per_second * TICK)) - 1
    if reached <= done + 1:
        return 1, (log(done + 2) - now) / per_second
    rounds = min(reached, total) - done
    return rounds, (log(done + rounds + 1) - now) / per_second


def seconds_left(done: int, total: int, seconds: float = SECONDS) -> float:
    """How many seconds the rest of a training takes at this pace."""
    return seconds * (1 - log(done + 1) / log(total + 1)) if done < total else 0.0
