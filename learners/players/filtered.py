"""A player with a filter: moves recorded as failures are removed before it chooses, unless all moves are.

J. A. Riechel closes "Failure-based reasoning" (2007) with this idea. The label is that of the player, then `~`, then
the name of the save with the failures: `minimax:2~riechel`.
"""

from collections.abc import Collection
from dataclasses import replace
from random import Random
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import SAME, Policy
from engine.game import BadText, Move, Position, quoted
from engine.plural import counted_noun
from engine.stop import Stop, never
from learners.core.learner import Learner
from learners.core.player import Choice, Player, Thought
from learners.core.save_ref import with_filter
from learners.players.searcher import Searcher, stoppable, unseeded_searcher

FAILURES: Final = "failures"
"""The name of the learner whose memory is a database of failures."""


class _RemainingThoughts:
    """The thoughts of a player about the moves that are left when failures are removed."""

    def __init__(self, player: Player, failures: Learner) -> None:
        self.player, self.failures = player, failures

    def result(self, position: Position, stop: Stop = never) -> tuple[Thought, ...]:
        """Search as in `PositionSearch`. Of a removed move, the thought is that of the failures, with no chance."""
        player, removed = stoppable(self.player, stop), removed_moves(self.failures, position)
        thoughts = player.thoughts(position)
        if not removed:
            return thoughts
        total = sum(each.chance for each in thoughts)
        remaining = {each.move: each.chance for each in thoughts if each.move not in removed}
        if total > SAME and sum(remaining.values()) <= SAME:
            best = best_among(player, position, remaining)
            remaining = {move: float(move in best) for move in remaining}
        scale = total / (sum(remaining.values()) or 1)
        about_failures = {each.move: each for each in self.failures.thoughts(position)}
        filtered = []
        for each in thoughts:
            if each.move in removed:
                filtered.append(replace(about_failures[each.move], chance=0.0))
            else:
                filtered.append(replace(each, chance=remaining[each.move] * scale))
        return tuple(filtered)


class FilteredPlayer(Searcher[tuple[Thought, ...]]):
    """Plays as another player would if the moves recorded as failures did not exist."""

    def __init__(self, player: Player, failures: Learner) -> None:
        """Put the database `failures` as a filter before a player of the same game."""
        super().__init__(player.game, _RemainingThoughts(player, failures))
        self.player, self.failures = player, failures
        self.label = with_filter(player.label, failures.label)
        self.sides, self.trained_sides = player.sides, player.trained_sides

    def with_seed(self, seed: int) -> Self:
        searcher: Searcher[Any] | None = unseeded_searcher(self.player)
        return self if searcher is None else type(self)(searcher.with_seed(seed), self.failures)

    def choose(self, position: Position, random: Random) -> Choice:
        removed = removed_moves(self.failures, position)
        if not removed:
            return stoppable(self.player, self.stop).choose(position, random)
        thoughts, draw = self.result(position), random.random()
        removal = f"{len(removed)} of {counted_noun(len(thoughts), 'move')} removed as failures"
        for each in thoughts:
            if each.chance <= SAME:
                continue
            draw -= each.chance
            if draw < SAME:
                how_often = "" if each.chance > 1 - SAME else f" in {100 * each.chance:.0f} % of games"
                name = self.game.move_name(each.move)
                return Choice(each.move, f"{removal}; of the others it plays {name}{how_often}")
        return Choice(None, f"{removal}; it has no move to play here: it resigns")

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        return self.result(position)

    def policy(self) -> Policy:
        player = stoppable(self.player, self.stop)
        return filtered_policy(player, player.policy(), self.failures)


def require_failures(player: Player | None) -> Learner:
    """Return a player as a filter. Raises `BadText` unless it is a failure-based reasoner."""
    if isinstance(player, Learner) and player.spec.name == FAILURES:
        return player
    what = "itself" if player is None else player.label
    raise BadText(f"{quoted(what)} is no filter: give a save of the learner {FAILURES}, such as riechel")


def best_among(player: Player, position: Position, moves: Collection[Move]) -> Collection[Move]:
    """Return the moves that a player would play if there were only these: all of them, unless it ranks moves."""
    return player.best_among(position, moves) if isinstance(player, Searcher | Learner) else moves


def kept_edges(failures: Learner) -> NDArray[np.bool_]:
    """Return which edges a filter keeps, shape (m,): all but failures; in a position with only failures, all."""
    space, kept = failures.space, failures.memory == 0
    kept |= (space.edges_among(kept) == 0)[space.source]
    return np.asarray(kept, np.bool_)


def removed_moves(failures: Learner, position: Position) -> frozenset[Move]:
    space = failures.space
    edges = space.edges(position)
    recorded = frozenset(int(space.move[edge]) for edge in edges if failures.memory[edge])
    return frozenset() if len(recorded) == len(edges) else recorded


def filtered_policy(player: Player, policy: Policy, failures: Learner) -> Policy:
    """Return the policy of a player with a filter, given its `policy` without one, both of shape (m,)."""
    space, kept = failures.space, kept_edges(failures)
    before, after = (np.bincount(space.source, each, len(space.position)) for each in (policy, policy * kept))
    filtered: Policy = np.where(kept, policy * (before / np.maximum(after, SAME))[space.source], 0.0)
    for row in np.flatnonzero((before > SAME) & (after <= SAME)).tolist():
        position = int(space.position[row])
        edges = {int(space.move[edge]): edge for edge in space.edges(position) if kept[edge]}
        best = best_among(player, position, edges)
        filtered[[edges[move] for move in best]] = before[row] / len(best)
    return filtered
