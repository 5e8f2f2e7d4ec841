"""Exact results of a policy: the chances of each outcome against another policy or the best responder.

    decision     a position that is not over in which the side whose policy is evaluated is to move
    faced        a decision that arises in at least one game in which that side follows its policy
    losing pair  a (position, move) pair whose move loses against best play

A policy is an array of shape (m,): the probability of each edge of a space. The probabilities of a position that is not
over sum to 1 or less; with the remaining probability, the side resigns and loses. Chances are exact: one pass over the
plies computes them, without sampling.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.game import Move, Outcome, Side
from engine.solve import PERFECT_EDGES, edge_values, perfect_edges, values
from engine.space import RUNNING, Space

Policy = NDArray[np.float64]
"""The probability of each edge of a space, shape (m,)."""

SAME: Final = 1e-12
"""Chances that differ by less than this count as equal: the difference is a rounding error."""


@dataclass(frozen=True)
class Chances:
    win: float
    draw: float
    loss: float


@dataclass(frozen=True)
class Results:
    against: Mapping[str, Chances]
    """The chances against each of `OPPONENTS`."""
    decisions: float
    """The number of decisions that the side faces; a mean over seeds may not be a whole number."""
    perfect_moves: float
    """The probability of a perfect move, averaged over the decisions that the side faces."""
    losing_pairs: float
    """The number of losing pairs that the policy plays with a positive probability in the decisions that it faces."""
    exploitability: float


OPPONENTS: Final = ("random", "perfect", "self", "best_responder")
"""The opponents of `Results.against`: uniform play, perfect play, the policy itself, and its best responder."""
SOONEST: Final = next(iter(PERFECT_EDGES))


def uniform_policy(space: Space, allowed: NDArray[np.bool_] | None = None) -> Policy:
    """Return the policy that plays all edges of a position, or all `allowed` ones, equally often, shape (m,)."""
    if allowed is None:
        return (1 / np.maximum(np.diff(space.first_edge), 1))[space.source]
    policy: Policy = (1 / np.maximum(space.edges_among(allowed), 1))[space.source]
    policy[~allowed] = 0
    return policy


def perfect_policy(space: Space, way: str = SOONEST) -> Policy:
    """Return the policy of perfect play, shape (m,): the moves of a way in `PERFECT_EDGES`, with equal probability.

    The usual way keeps the value of the position, and wins as soon or loses as late as possible.
    """
    return uniform_policy(space, PERFECT_EDGES[way](space))


def chances(space: Space, first: Policy, second: Policy) -> Chances:
    """Return the chances of the first side when the sides follow these policies."""
    policy = np.where(space.side[space.source] == Side.FIRST, first, second)
    resigning, reach = resignations(space, policy), reach_probabilities(space, policy)
    chance = {outcome: float(reach[space.outcome == outcome].sum()) for outcome in Outcome}
    for side in Side:
        chance[Outcome.won_by(side.other)] += float((reach * resigning)[space.side == side].sum())
    return Chances(
        win=_without_rounding_error(chance[Outcome.FIRST_WINS]),
        draw=_without_rounding_error(chance[Outcome.DRAW]),
        loss=_without_rounding_error(chance[Outcome.SECOND_WINS]),
    )


def reach_probabilities(space: Space, policy: Policy) -> NDArray[np.float64]:
    """Return the probability that a game in which both sides follow `policy` reaches each position, shape (n,)."""
    reach = np.zeros(len(space.position))
    reach[0] = 1.0
    for _, edges in reversed(list(space.plies())):
        reach += np.bincount(space.target[edges], reach[space.source[edges]] * policy[edges], len(reach))
    return reach


def resignations(space: Space, policy: Policy) -> NDArray[np.float64]:
    """Return the probability that the side to move resigns in each position, shape (n,)."""
    remaining = 1 - np.bincount(space.source, policy, len(space.position))
    return np.where((space.outcome == RUNNING) & (remaining > SAME), remaining, 0.0)


def _without_rounding_error(chance: float) -> float:
    """Return a chance; exactly 0 or 1 if it differs from that only by a rounding error."""
    nearest = float(round(chance))
    return nearest if abs(chance - nearest) < SAME else chance


def chances_as(space: Space, side: Side, policy: Policy, opponent: Policy) -> Chances:
    if side is Side.FIRST:
        return chances(space, policy, opponent)
    as_opponent = chances(space, opponent, policy)
    return Chances(win=as_opponent.loss, draw=as_opponent.draw, loss=as_opponent.win)


def best_response(space: Space, side: Side, policy: Policy) -> Chances:
    """Return the chances of `policy` as `side` against its best responder, which makes it lose as often as possible.

    Among replies that make it lose equally often, the best responder takes one that lets it win least.
    """
    win, loss = _worst_chances(space, side, policy)
    return Chances(
        win=_without_rounding_error(float(win[0])),
        draw=_without_rounding_error(float(1 - win[0] - loss[0])),
        loss=_without_rounding_error(float(loss[0])),
    )


def secured_worth(space: Space, side: Side, policy: Policy) -> float:
    """Return the expected worth of `policy` as `side` against its worst opponent: 1 a win, 0 a draw, −1 a loss."""
    return _without_rounding_error(float(_least_worth(space, side, policy)[0]))


def exploitability(space: Space, side: Side, policy: Policy) -> float:
    """Return how far the secured worth of `policy` as `side` falls short of the value of the game: 0 to 2.

    The sum over both sides is NashConv (Lanctot et al. 2017, "A unified game-theoretic approach to multiagent
    reinforcement learning", section 2); what OpenSpiel calls exploitability is half of that.
    """
    value = int(values(space)[0]) * (1 if side is Side.FIRST else -1)
    return _without_rounding_error(value - secured_worth(space, side, policy)) + 0.0  # never -0.0


def least_worth_replies(space: Space, side: Side, policy: Policy) -> Policy:
    """Return the other side's replies that minimise the expected worth of `policy` as `side`, shape (m,)."""
    worth = _least_worth(space, side, policy)
    return uniform_policy(space, worth[space.target] <= worth[space.source] + SAME)


def _least_worth(space: Space, side: Side, policy: Policy) -> NDArray[np.float64]:
    """Return the least expected worth for `side` from each position on, shape (n,)."""
    worth: NDArray[np.float64] = (space.outcome == Outcome.won_by(side)).astype(np.float64)
    worth -= space.outcome == Outcome.won_by(side.other)
    resigning = resignations(space, policy)
    for rows, edges, starts in space.backwards():
        after = worth[space.target[edges]]
        expected = np.add.reduceat(policy[edges] * after, starts) - resigning[rows]
        worth[rows] = np.where(space.side[rows] == side, expected, np.minimum.reduceat(after, starts))
    return worth


def best_replies(space: Space, side: Side, policy: Policy) -> Policy:
    """Return a best responder to `policy` as `side`, as a policy of the other side, shape (m,)."""
    win, loss = _worst_chances(space, side, policy)
    worst = loss[space.target] >= loss[space.source] - SAME
    return uniform_policy(space, worst & (win[space.target] <= win[space.source] + SAME))


def _worst_chances(space: Space, side: Side, policy: Policy) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the chances to win and to lose from each position on against the best responder, each of shape (n,)."""
    loss = (space.outcome == Outcome.won_by(side.other)).astype(np.float64)
    win = (space.outcome == Outcome.won_by(side)).astype(np.float64)
    resigning = resignations(space, policy)
    for rows, edges, starts in space.backwards():
        target_loss, target_win = loss[space.target[edges]], win[space.target[edges]]
        worst = np.maximum.reduceat(target_loss, starts)
        replies = np.repeat(worst, np.diff(np.append(starts, edges.stop - edges.start)))
        least_win = np.minimum.reduceat(np.where(target_loss >= replies - SAME, target_win, np.inf), starts)
        is_own = space.side[rows] == side
        expected_loss = np.add.reduceat(policy[edges] * target_loss, starts)
        loss[rows] = np.where(is_own, expected_loss + resigning[rows], worst)
        win[rows] = np.where(is_own, np.add.reduceat(policy[edges] * target_win, starts), least_win)
    return win, loss


def faced_decisions(space: Space, side: Side, policy: Policy) -> NDArray[np.bool_]:
    """Return whether each position is a decision that `side` faces, shape (n,)."""
    reached = np.zeros(len(space.position), np.bool_)
    reached[0] = True
    played = (policy > 0) | (space.side != side)[space.source]
    for _, edges in reversed(list(space.plies())):
        reached[space.target[edges][played[edges] & reached[space.source[edges]]]] = True
    decisions: NDArray[np.bool_] = reached & (space.outcome == RUNNING) & (space.side == side)
    return decisions


def results(space: Space, side: Side, policy: Policy) -> Results:
    against = {  # one policy at a time: they are large
        "random": chances_as(space, side, policy, uniform_policy(space)),
        "perfect": chances_as(space, side, policy, perfect_policy(space)),
        "self": chances_as(space, side, policy, policy),
        "best_responder": best_response(space, side, policy),
    }
    is_faced = faced_decisions(space, side, policy)
    edges = np.flatnonzero(is_faced[space.source])
    decisions, played = int(is_faced.sum()), policy[edges]
    perfect = float(played[perfect_edges(space)[edges]].sum())
    return Results(
        against=against,
        decisions=decisions,
        perfect_moves=_without_rounding_error(perfect / decisions) if decisions else 1.0,
        losing_pairs=int(((played > 0) & (edge_values(space)[edges] < 0)).sum()),
        exploitability=exploitability(space, side, policy),
    )


def scoreboard(space: Space, policy: Policy, sides: Iterable[Side] = Side) -> dict[str, Results]:
    """Return the results of `policy` as each of `sides`: `{"first": …, "second": …}`."""
    return {side.name.lower(): results(space, side, policy) for side in sides}


def losing_game(space: Space, side: Side, policy: Policy) -> tuple[Move, ...] | None:
    """Return the moves of a shortest game that `side` can lose when it follows `policy`; `None` if it never loses.

    If the last position is not over, the side resigns in it.
    """
    can_resign = (resignations(space, policy) > 0) & (space.side == side)
    is_lost = (space.outcome == Outcome.won_by(side.other)) | can_resign
    playable = (policy > 0) | (space.side != side)[space.source]
    edge_to = np.full(len(space.position), -1, np.int64)
    seen = np.zeros(len(space.position), np.bool_)
    seen[0] = True
    layer = np.array([0])
    while len(layer) and not is_lost[layer].any():
        in_layer = np.zeros(len(space.position), np.bool_)
        in_layer[layer] = True
        edges = np.flatnonzero(in_layer[space.source] & playable)
        edges = edges[~seen[space.target[edges]]]
        layer, first = np.unique(space.target[edges], return_index=True)
        edge_to[layer] = edges[first]
        seen[layer] = True
    if not len(layer):
        return None
    row, moves = int(layer[is_lost[layer]][0]), list[Move]()
    while row:
        moves.append(int(space.move[edge_to[row]]))
        row = int(space.source[edge_to[row]])
    return tuple(reversed(moves))
