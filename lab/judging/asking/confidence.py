"""Intervals for the results of an agent that is known only by samples: it was asked n times in each position.

    V        the chance of an event, such as a loss, when the agent meets an opponent that is fixed before
    V_j      the same chance, if the agent plays its answer number j in every position
    W        the same chance, if it plays its answers in the proportions in which they were given

No game meets a position twice, and answers are independent. So V_1 … V_n are independent, between 0 and 1, and have the
mean V; and W is the average of their mean over all ways to number the answers. This gives two bounds, each with half of
the permitted risk, whose intersection is used:

- P(W is as far from V as it is) ≤ exp(−n KL(W, V)) on either side (Hoeffding 1963, theorem 1 and section 5);
- the interval by betting of Waudby-Smith and Ramdas (2024, "Estimating means of bounded random variables by betting",
  theorem 3) for the mean of V_1 … V_n. If this mean is m, then neither somebody who bets fairly, on each V_j in turn,
  that the mean is above m, nor somebody who bets that it is below m, is likely to become rich. So the interval excludes
  every m for which one of them would have become rich.

The best responder depends on the samples. For the opponent that is best against the agent itself, W is at most what the
best responder to the samples reaches, so the upper bound for that is an upper bound here. As a lower bound, the best
responder to one half of the answers, which is then fixed, is evaluated against the other half.
"""

from collections.abc import Callable
from math import log
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy, best_replies, chances_as, least_worth_replies
from engine.game import Outcome, Side
from engine.space import RUNNING, Space

CONFIDENCE: Final = 0.95
"""The minimum probability that an interval contains the true number."""
RISK: Final = 1 - CONFIDENCE
MAX_CELLS: Final = 2**21
"""The maximum number of numbers in each of a few arrays that are held at once."""
MOST_STAKED: Final = 0.75
"""The maximum share of the capital that a bet may lose."""
SEED: Final = 0

Floats = NDArray[np.float64]


class Interval(NamedTuple):
    """The range in which a number lies, with probability `CONFIDENCE`."""

    low: float
    high: float


class Samples(NamedTuple):
    """The answers of an agent in a space with m edges."""

    fixed: Policy
    """The probability of each edge in positions in which the agent was not sampled, else 0, shape (m,)."""
    rows: NDArray[np.int64]
    """The positions in which the agent was sampled, shape (k,)."""
    given: NDArray[np.int64]
    """The edges of the n answers in each of `rows`, in random order; m for an illegal or missing one; shape (k, n)."""

    @property
    def policy(self) -> Policy:
        """The policy in which each answer is as likely as it was frequent, shape (m,)."""
        edges = len(self.fixed)
        counted = np.bincount(self.given.ravel(), minlength=edges + 1)[:edges]
        policy: Policy = self.fixed + counted / self.given.shape[1]
        return policy

    def halves(self) -> tuple["Samples", "Samples"]:
        one, other = np.array_split(self.given, 2, axis=1)
        return self._replace(given=one), self._replace(given=other)


def samples_of(space: Space, policy: Policy, counts: dict[int, NDArray[np.int64]]) -> Samples:
    """Return the answers of an agent in random order. `counts` are those of `lab.judging.asking.answers.Answers`."""
    rows = np.array([*counts], np.int64)
    fixed = policy.copy()
    fixed[np.isin(space.source, rows)] = 0
    given = [np.repeat([*space.edges_from(row), len(fixed)], count) for row, count in counts.items()]
    return Samples(fixed, rows, np.random.default_rng(SEED).permuted(np.array(given, np.int64), axis=1))


def fixed_interval(space: Space, side: Side, samples: Samples, opponent: Policy | None) -> dict[str, Interval]:
    """Return the intervals of the chances to win, draw and lose against an opponent, by default the agent itself."""
    policy = samples.policy
    seen = chances_as(space, side, policy, policy if opponent is None else opponent)
    win, loss = chances_of_each(space, side, samples, opponent)
    count = samples.given.shape[1]
    return {
        "win": around(seen.win, count, win),
        "draw": around(seen.draw, count, 1 - win - loss),
        "loss": around(seen.loss, count, loss),
    }


def responder_interval(space: Space, side: Side, samples: Samples, seen: float) -> Interval:
    """Return the interval of the chance to lose to the best responder; `seen` is this chance for all answers."""
    loss = _held_out(space, side, samples, best_replies)[1]
    return Interval(min(seen, _lowest(loss)), chernoff(seen, samples.given.shape[1], RISK)[1])


def worth_interval(space: Space, side: Side, samples: Samples, seen: float) -> Interval:
    """Return the interval of the least expected worth against any opponent, from −1 to 1: see `secured_worth`."""
    win, loss = _held_out(space, side, samples, least_worth_replies)
    # an expected loss between 0 and 1: (1 - worth) / 2
    low, high = _lowest((1 - win + loss) / 2), chernoff((1 - seen) / 2, samples.given.shape[1], RISK)[1]
    return Interval(1 - 2 * high, max(seen, 1 - 2 * low))


def _held_out(
    space: Space, side: Side, samples: Samples, replies: Callable[[Space, Side, Policy], Policy]
) -> tuple[Floats, Floats]:
    """Return the chances to win and to lose of each answer in one half, against the best replies to the other half."""
    if samples.given.shape[1] < 2:  # no half to hold out
        return np.ones(1), np.zeros(1)
    one, other = samples.halves()
    return chances_of_each(space, side, one, replies(space, side, other.policy))


def _lowest(each: Floats) -> float:
    return around(float(each.mean()), len(each), each).low


def around(share: float, count: int, each: Floats) -> Interval:
    """Return the interval of a chance, given W, n, and V_1 … V_n."""
    low, high = chernoff(share, count, RISK / 2)
    below, above = by_betting(each, RISK / 2)
    return Interval(min(share, max(low, below)), max(share, min(high, above)))


def chernoff(share: float, count: int, risk: float) -> Interval:
    """Return the interval of all p with n KL(share, p) ≤ ln(2 / risk)."""
    limit = log(2 / risk) / count
    return Interval(1 - _highest(1 - share, limit), _highest(share, limit))


def _highest(share: float, limit: float) -> float:
    """Return the largest p with KL(share, p) ≤ limit, by bisection, rounded up."""
    low, high = min(max(share, 0.0), 1.0), 1.0
    share = low
    for _ in range(60):
        middle = (low + high) / 2
        if _divergence(share, middle) <= limit:
            low = middle
        else:
            high = middle
    return high


def _divergence(one: float, other: float) -> float:
    """Return the Kullback–Leibler divergence of two coins with these probabilities, in nats."""
    parts = ((one, other), (1 - one, 1 - other))
    return sum(p * log(p / q) if q else float("inf") for p, q in parts if p)


def by_betting(each: Floats, risk: float) -> Interval:
    """Return the interval of the mean of independent numbers from 0 to 1 whose means are the same."""
    each = np.clip(each, 0.0, 1.0)  # without rounding errors
    return Interval(_least_by_betting(each, risk), 1 - _least_by_betting(1 - each, risk))


def _least_by_betting(each: Floats, risk: float) -> float:
    """Return a lower bound of the mean: the bets against each smaller mean win 2 / risk or more."""
    seen = np.arange(2, len(each) + 2)
    mean = (0.5 + np.cumsum(each)) / seen
    variance = (0.25 + np.cumsum((each - mean) ** 2)) / seen
    stake = np.sqrt(2 * log(2 / risk) / (len(each) * np.append(0.25, variance[:-1])))
    low, high = 0.0, float(each.mean())
    for _ in range(40):
        middle = (low + high) / 2
        won = np.log1p(np.minimum(stake, MOST_STAKED / middle) * (each - middle)).sum() if middle else np.inf
        low, high = (middle, high) if won >= log(2 / risk) else (low, middle)
    return low


def chances_of_each(space: Space, side: Side, samples: Samples, opponent: Policy | None) -> tuple[Floats, Floats]:
    """Return the chances to win and to lose by answer number, shape (n,) each; `None` stands for the agent itself."""
    count, positions = samples.given.shape[1], len(space.position)
    chunk = max(1, MAX_CELLS // positions)
    parts = [
        _chances(space, side, samples._replace(given=samples.given[:, start : start + chunk]), opponent)
        for start in range(0, count, chunk)
    ]
    win, loss = (np.concatenate(each) for each in zip(*parts, strict=True))
    return win, loss


def _chances(space: Space, side: Side, samples: Samples, opponent: Policy | None) -> tuple[Floats, Floats]:
    """Do the same as `chances_of_each`. The last two rows of the values stand for a lost and for a won game."""
    positions, count = len(space.position), samples.given.shape[1]
    mine = space.side == side
    policy = samples.fixed if opponent is None else np.where(mine[space.source], samples.fixed, opponent)
    chosen = np.ones(len(samples.rows), np.bool_) if opponent is None else mine[samples.rows]
    rows, given = samples.rows[chosen], samples.given[chosen]
    order = np.argsort(rows)
    rows, given = rows[order], given[order]
    resigned = np.where(mine[rows], positions, positions + 1)
    targets = np.where(given < len(policy), np.append(space.target, 0)[given], resigned[:, None])
    left = 1 - np.bincount(space.source, policy, positions)
    left[rows] = 0
    values = []
    for outcome, mark in ((Outcome.won_by(side), 1), (Outcome.won_by(side.other), 0)):
        value = np.zeros((positions + 2, count))
        value[:positions][space.outcome == outcome] = 1
        value[positions + mark] = 1
        resigning = np.where((space.outcome == RUNNING) & (mine != mark) & (left > 1e-12), left, 0.0)
        for place, edges in space.plies():
            inner = np.flatnonzero(space.outcome[place] == RUNNING) + place.start
            if not len(inner):
                continue
            mean = policy[edges, None] * value[space.target[edges]]
            value[inner] = np.add.reduceat(mean, space.first_edge[inner] - edges.start, axis=0)
            value[inner] += resigning[inner, None]
            here = slice(*np.searchsorted(rows, (place.start, place.stop)))
            value[rows[here]] = np.take_along_axis(value, targets[here], axis=0)
        values.append(value[0])
    return values[0], values[1]
