"""What can be wrong with what a player says: sentences about choices, thoughts and policies, empty if all is well."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from engine.game import Game, Position
from engine.plugin_guard import Check
from engine.spaces import space_of
from learners.core.player import Choice, Thought

MAX_REASON: Final = 200
"""The maximum length of the reason for a move."""
OVER: Final = 1e-6
"""By how much the probabilities of a position may exceed 1: a rounding error, also one of 32 bits."""


def choice_fault(game: Game, position: Position, choice: object) -> str:
    where = game.to_text(position)
    if not isinstance(choice, Choice):
        return f"its choice in {where} is not a `Choice`: {choice!r:.60}"
    if choice.move is not None and type(choice.move) is not int:
        return f"it chooses a {type(choice.move).__name__} in {where}, not an int: {choice.move!r}"
    if choice.move is not None and choice.move not in game.moves(position):
        return f"it chooses the illegal move {choice.move} in {where}"
    reason: Any = choice.reason
    if not (isinstance(reason, str) and reason.isprintable() and 0 < len(reason) <= MAX_REASON):
        return f"the reason in {where} is not a line of at most {MAX_REASON} characters: {reason!r}"
    return ""


def thoughts_fault(game: Game, position: Position, thoughts: object) -> str:
    where = game.to_text(position)
    if not (isinstance(thoughts, tuple) and all(isinstance(each, Thought) for each in thoughts)):
        return f"its thoughts in {where} are not a tuple of `Thought`"
    about = tuple(each.move for each in thoughts)
    if about != game.moves(position):
        return f"the thoughts in {where} are about the moves {about}"
    for each in thoughts:
        if not 0 <= each.chance <= 1 + OVER:
            return f"a thought in {where} has the chance {each.chance}"
        if not (1 <= len(each.symbol) <= 5 and each.symbol.isprintable() and each.words.isprintable()):
            return f"a thought in {where} cannot be drawn: {each.symbol!r}, {each.words!r}"
    return ""


def policy_fault(game: Game, policy: object) -> str:
    space = space_of(game)
    if not (isinstance(policy, np.ndarray) and policy.dtype == np.float64):
        kind = f"an array of {policy.dtype}" if isinstance(policy, np.ndarray) else f"a {type(policy).__name__}"
        return f"the policy is not an array of float64, but {kind}"
    if policy.shape != space.move.shape:
        return f"the policy has shape {policy.shape}; {game.title} has {len(space.move):,} edges"
    for edge in np.flatnonzero(~(policy >= 0)):
        where, name = game.to_text(int(space.position[space.source[edge]])), game.move_name(int(space.move[edge]))
        return f"the policy gives {name} in {where} the probability {policy[edge]}"
    total = np.bincount(space.source, policy, len(space.position))
    for row in np.flatnonzero(total > 1 + OVER):
        return f"the policy sums to {total[row]:.7g}, not 1, in {game.to_text(int(space.position[row]))}"
    return ""


PLAYER_CHECKS: Final[Mapping[str, Check]] = {
    "choose": lambda player, choice, position, _: choice_fault(player.game, position, choice),
    "thoughts": lambda player, thoughts, position: thoughts_fault(player.game, position, thoughts),
    "policy": lambda player, policy: policy_fault(player.game, policy),
}
"""What is checked, by the name of the method, each time that a player or a learner of another package is asked."""
