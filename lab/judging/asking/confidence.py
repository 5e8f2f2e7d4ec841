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
from math import inf, log
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

ChanceArray = NDArray[np.float64]


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
    answer_edges: NDArray[np.int64]
    """The edges of the n answers in each of `rows`, in random order; m for an illegal or missing one; shape (k, n)."""

    @property
    def answer_count(self) -> int:
        """The number n of answers in each of `rows`."""
        return int(self.answer_edges.shape[1])

    @property
    def policy(self) -> Policy:
        """The policy in which each answer is as likely as it was frequent, shape (m,)."""
        edges = len(self.fixed)
        times = np.bincount(self.answer_edges.ravel(), minlength=edges + 1)[:edges]
        policy: Policy = self.fixed + times / self.answer_count
        return policy

    def halves(self) -> tuple["Samples", "Samples"]:
        one, other = np.array_split(self.answer_edges, 2, axis=1)
        return self._replace(answer_edges=one), self._replace(answer_edges=other)


def shuffle_samples(space: Space, policy: Policy, counts: dict[int, NDArray[np.int64]]) -> Samples:
    """Return the answers of an agent in random order. `counts` are those of `lab.judging.asking.answers.Answers`."""
    rows = np.array([*counts], np.int64)
    fixed = policy.copy()
    fixed[np.isin(space.source, rows)] = 0
    answer_edges = [np.repeat([*space.edges_from(row), len(fixed)], count) for row, count in counts.items()]
    return Samples(fixed, rows, np.random.default_rng(SEED).permuted(np.array(answer_edges, np.int64), axis=1))


def fixed_interval(space: Space, side: Side, samples: Samples, opponent: Policy | None) -> dict[str, Interval]:
    """Return the intervals of the chances to win, draw and lose against an opponent, by default the agent itself."""
    policy = samples.policy
    chances = chances_as(space, side, policy, policy if opponent is None else opponent)
    win, loss = chances_of_each(space, side, samples, opponent)
    return {
        "win": chance_interval(chances.win, samples.answer_count, win),
        "draw": chance_interval(chances.draw, samples.answer_count, 1 - win - loss),
        "loss": chance_interval(chances.loss, samples.answer_count, loss),
    }


def responder_interval(space: Space, side: Side, samples: Samples, seen: float) -> Interval:
    """Return the interval of the chance to lose to the best responder; `seen` is this chance for all answers."""
    _, loss = _held_out_chances(space, side, samples, best_replies)
    return Interval(min(seen, _lower_bound(loss)), chernoff_interval(seen, samples.answer_count, RISK).high)


def worth_interval(space: Space, side: Side, samples: Samples, seen: float) -> Interval:
    """Return the interval of the least expected worth against any opponent, from −1 to 1: see `secured_worth`."""
    win, loss = _held_out_chances(space, side, samples, least_worth_replies)
    # the bounds of an expected loss between 0 and 1: (1 - worth) / 2
    low, high = _lower_bound((1 - win + loss) / 2), chernoff_interval((1 - seen) / 2, samples.answer_count, RISK).high
    return Interval(1 - 2 * high, max(seen, 1 - 2 * low))


def _held_out_chances(
    space: Space, side: Side, samples: Samples, find_replies: Callable[[Space, Side, Policy], Policy]
) -> tuple[ChanceArray, ChanceArray]:
    """Return the chances to win and to lose of each answer in one half, against the best replies to the other half."""
    if samples.answer_count < 2:  # no half to hold out
        return np.ones(1), np.zeros(1)
    one, other = samples.halves()
    return chances_of_each(space, side, one, find_replies(space, side, other.policy))


def _lower_bound(chances: ChanceArray) -> float:
    return chance_interval(float(chances.mean()), len(chances), chances).low


def chance_interval(share: float, count: int, chances: ChanceArray) -> Interval:
    """Return the interval of a chance V, given W, n, and V_1 … V_n."""
    by_chernoff = chernoff_interval(share, count, RISK / 2)
    by_betting = betting_interval(chances, RISK / 2)
    low, high = max(by_chernoff.low, by_betting.low), min(by_chernoff.high, by_betting.high)
    return Interval(min(share, low), max(share, high))


def chernoff_interval(share: float, count: int, risk: float) -> Interval:
    """Return the interval of all p with n KL(share, p) ≤ ln(2 / risk)."""
    limit = log(2 / risk) / count
    return Interval(1 - _chernoff_upper_bound(1 - share, limit), _chernoff_upper_bound(share, limit))


def _chernoff_upper_bound(share: float, limit: float) -> float:
    """Return the largest p with KL(share, p) ≤ limit, by bisection, rounded up."""
    share = min(max(share, 0.0), 1.0)
    low, high = share, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _divergence(share, middle) <= limit:
            low = middle
        else:
            high = middle
    return high


def _divergence(one: float, other: float) -> float:
    """Return the Kullback–Leibler divergence of two coins with these probabilities, in nats."""
    pairs = ((one, other), (1 - one, 1 - other))
    return sum(p * log(p / q) if q else inf for p, q in pairs if p)


def betting_interval(numbers: ChanceArray, risk: float) -> Interval:
    """Return the interval of the mean of independent numbers from 0 to 1 whose means are the same."""
    numbers = np.clip(numbers, 0.0, 1.0)  # without rounding errors
    return Interval(_betting_lower_bound(numbers, risk), 1 - _betting_lower_bound(1 - numbers, risk))


def _betting_lower_bound(numbers: ChanceArray, risk: float) -> float:
    """Return a lower bound of the mean: the bets against each smaller mean win 2 / risk or more."""
    count, needed = len(numbers), log(2 / risk)
    divisor = np.arange(2, count + 2)
    mean = (0.5 + np.cumsum(numbers)) / divisor
    variance = (0.25 + np.cumsum((numbers - mean) ** 2)) / divisor
    stake = np.sqrt(2 * needed / (count * np.append(0.25, variance[:-1])))
    low, high = 0.0, float(numbers.mean())
    for _ in range(40):
        middle = (low + high) / 2
        gain = inf
        if middle:
            gain = np.log1p(np.minimum(stake, MOST_STAKED / middle) * (numbers - middle)).sum()
        if gain >= needed:
            low = middle
        else:
            high = middle
    return low


def chances_of_each(
    space: Space, side: Side, samples: Samples, opponent: Policy | None
) -> tuple[ChanceArray, ChanceArray]:
    """Return the chances to win and to lose by answer number, shape (n,) each; `None` stands for the agent itself."""
    chunk = max(1, MAX_CELLS // len(space.position))
    parts = [
        _chances(space, side, samples._replace(answer_edges=samples.answer_edges[:, start : start + chunk]), opponent)
        for start in range(0, samples.answer_count, chunk)
    ]
    return np.concatenate([win for win, _ in parts]), np.concatenate([loss for _, loss in parts])


def _chances(space: Space, side: Side, samples: Samples, opponent: Policy | None) -> tuple[ChanceArray, ChanceArray]:
    """Do the same as `chances_of_each`, for answers that fit into memory at once."""
    is_own = space.side == side
    if opponent is None:
        policy, is_played = samples.fixed, np.ones(len(samples.rows), np.bool_)
    else:
        policy = np.where(is_own[space.source], samples.fixed, opponent)
        is_played = is_own[samples.rows]
    rows, answer_edges = samples.rows[is_played], samples.answer_edges[is_played]
    order = np.argsort(rows)
    played = samples._replace(fixed=policy, rows=rows[order], answer_edges=answer_edges[order])
    return _expected(space, side, played, won=True), _expected(space, side, played, won=False)


def _expected(space: Space, side: Side, samples: Samples, *, won: bool) -> ChanceArray:
    """Return the chance that a side wins, or that it loses, by answer number, shape (n,).

    `samples` has the moves of both sides, and its rows in ascending order. Two more positions after those of the space
    are the game that the side has lost by resigning, and the one that it has won since the opponent resigned.
    """
    positions, is_own, policy = len(space.position), space.side == side, samples.fixed
    lost_position, won_position = positions, positions + 1
    after_resigning = np.where(is_own[samples.rows], lost_position, won_position)
    targets = np.where(
        samples.answer_edges < len(policy), np.append(space.target, 0)[samples.answer_edges], after_resigning[:, None]
    )
    resigning = 1 - np.bincount(space.source, policy, positions)
    resigning[samples.rows] = 0
    is_running, is_loser_to_move = space.outcome == RUNNING, is_own != won
    gain_by_resigning = np.where(is_running & is_loser_to_move & (resigning > 1e-12), resigning, 0.0)
    value: ChanceArray = np.zeros((positions + 2, samples.answer_count))
    value[:positions][space.outcome == Outcome.won_by(side if won else side.other)] = 1
    value[won_position if won else lost_position] = 1
    for place, edges in space.plies():
        inner = np.flatnonzero(is_running[place]) + place.start
        if not len(inner):
            continue
        mean = policy[edges, None] * value[space.target[edges]]
        value[inner] = np.add.reduceat(mean, space.first_edge[inner] - edges.start, axis=0)
        value[inner] += gain_by_resigning[inner, None]
        sampled = slice(*np.searchsorted(samples.rows, (place.start, place.stop)))
        value[samples.rows[sampled]] = np.take_along_axis(value, targets[sampled], axis=0)
    chances: ChanceArray = value[0]
    return chances
