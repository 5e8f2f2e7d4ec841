"""What a policy is worth in numbers that a chart can show, each as one of the sides or as the mean of both.

judged   the exact results of a policy, per side, float64 of shape (2, 15): see `learners.race.exact_kernel`
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import OPPONENTS, Policy, perfect_policy
from engine.game import BadText, Side, quoted
from engine.solve import edge_values
from engine.space import Space

Floats = NDArray[np.float64]

JUDGED: Final = (
    *((opponent, chance) for opponent in OPPONENTS for chance in ("win", "draw", "loss")),
    ("moves", "decisions"),
    ("moves", "perfect"),
    ("moves", "losing"),
)
"""What the columns of `judged` hold: against whom, and what of it."""
PERCENTILES: Final = (10, 50, 90)
"""The lower end of a band, its median, and its upper end."""


@dataclass(frozen=True)
class Measure:
    """A share that is read off `judged`."""

    name: str
    """As it is written: `loss-random`."""
    title: str
    column: int


def _measure(opponent: str, chance: str) -> Measure:
    short = opponent.replace("_responder", "")
    title = {"best": "the best responder", "self": "itself"}.get(short, short)
    verb = {"loss": "lost", "win": "won"}[chance]
    return Measure(f"{chance}-{short}", f"{verb} against {title}", JUDGED.index((opponent, chance)))


MEASURES: Final = (
    *(_measure(opponent, chance) for chance in ("loss", "win") for opponent in OPPONENTS),
    Measure("perfect-moves", "perfect moves", JUDGED.index(("moves", "perfect"))),
)
"""The measures of a chart, the usual one first."""


def parse_measure(name: str) -> Measure:
    """The measure of that name. Raises `BadText` with the names there are."""
    for measure in MEASURES:
        if measure.name == name:
            return measure
    raise BadText(f"no measure {quoted(name)}; there are {', '.join(measure.name for measure in MEASURES)}")


@cache
def _perfect(space: Space) -> Policy:
    return perfect_policy(space)


def judge(space: Space, policy: Policy) -> Floats:
    """All that is known of a policy: `judged`."""
    from learners.race import exact_kernel as truth  # imports numba, so only when something is to be judged

    tables = space.first_edge, space.target, space.side, space.outcome
    judged: Floats = truth.judge(policy, _perfect(space), edge_values(space), *tables)
    return judged


def measured(judged: Floats, measure: Measure, side: Side | None, plays: Collection[Side]) -> Floats:
    """A measure of many policies, `judged` of shape (…, 2, 15), as that side; without one the mean of those it plays.

    Not a number where it does not play that side.
    """
    shares = [judged[..., each, measure.column] for each in plays if side in (None, each)]
    return sum(shares[1:], shares[0]) / len(shares) if shares else np.full(judged.shape[:-2], np.nan)


def band(shares: Floats) -> Floats:
    """The percentiles of each column, shape (3, columns), over what there is in it; not a number where nothing is."""
    ordered = np.sort(shares, axis=0)  # with what is not there at the end
    last = np.maximum(np.count_nonzero(~np.isnan(shares), axis=0) - 1, 0)
    at = np.multiply.outer(np.array(PERCENTILES) / 100, last)
    before = at.astype(np.intp)
    low, high = (np.take_along_axis(ordered, rows, axis=0) for rows in (before, np.minimum(before + 1, last)))
    found: Floats = low + (high - low) * (at - before)
    return found
