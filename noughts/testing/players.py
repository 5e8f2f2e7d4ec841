"""The contract of a player, as checks of a player of a game. A check that fails says what is wrong."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

import numpy as np

from engine.evaluate import SAME
from engine.game import Game, Position
from engine.plugins import NAME, NAME_FORM
from engine.spaces import space_of
from learners.core.learner import BOTH
from learners.core.player import ListedPlayer, Player, choice_fault, policy_fault, thoughts_fault
from noughts.testing.games import positions

MAX_POSITIONS: Final = 700
"""In a game with more positions, only some are checked."""
DRAWS: Final = 300
"""The number of moves drawn in a position, to compare frequencies with probabilities."""


def check_player_description(player: ListedPlayer) -> None:
    """Check that label, title and summary of a player have the right form, and that it fits its game."""
    kind = type(player)
    assert NAME.fullmatch(kind.label), f"the label {kind.label!r} is not {NAME_FORM}"
    assert player.label.partition(":")[0] == kind.label, f"{kind.label}: a player of it has the label {player.label!r}"
    for what, text in (("title", kind.title), ("summary", kind.summary)):
        line = text.isprintable() and text and "[" not in text
        assert line, f"{kind.label}: its {what} is not a line of plain text without brackets: {text!r}"
    assert not kind.summary.endswith("."), f"{kind.label}: its summary ends with a full stop: {kind.summary!r}"
    assert kind.fits(player.game) is True, f"{kind.label}: it plays {player.game.name}, but its `fits` says otherwise"
    assert sides_of(player), f"{kind.label}: it plays no side"


def check_player_choices(player: Player) -> None:
    """Check that choices are legal, have a reason, and depend only on the position and the random numbers."""
    asked = running(player)
    first = [player.choose(position, Random(number)) for number, position in enumerate(asked)]
    for position, choice in zip(asked, first, strict=True):
        fault = choice_fault(player.game, position, choice)
        assert not fault, f"{player.label}: {fault}"
    again = [player.choose(position, Random(number)) for number, position in reversed([*enumerate(asked)])][::-1]
    for position, one, other in zip(asked, first, again, strict=True):
        where = player.game.to_text(position)
        assert one == other, f"{player.label}: with the same random numbers it chooses {one} and {other} in {where}"


def check_player_thoughts(player: Player) -> None:
    """Check that a player has thoughts about each legal move, with the chances of its policy, if it has one."""
    policy = policy_of(player)
    for position in running(player):
        thoughts, where = player.thoughts(position), player.game.to_text(position)
        fault = thoughts_fault(player.game, position, thoughts)
        assert not fault, f"{player.label}: {fault}"
        if policy is not None:
            said, true = [each.chance for each in thoughts], policy[edges(player.game, position)].tolist()
            assert np.allclose(said, true, rtol=1e-6), (
                f"{player.label}: the chances in {where} are {said}; the policy says {true}"
            )


def check_player_policy(player: Player, sampled: int = 5) -> None:
    """Check that the policy sums to 1 unless the player resigns, and that moves are as frequent as the policy says."""
    policy = policy_of(player)
    if policy is None:
        return
    fault = policy_fault(player.game, policy)
    assert not fault, f"{player.label}: {fault}"
    random, space = Random(1), space_of(player.game)
    for position in running(player):
        total, where = float(policy[edges(player.game, position)].sum()), player.game.to_text(position)
        resigns = abs(total - 1) <= SAME or any(player.choose(position, random).move is None for _ in range(DRAWS))
        assert resigns, f"{player.label}: the policy sums to {total}, not 1, in {where}, and it does not resign there"
    asked = running(player)
    for position in Random(2).sample(asked, min(sampled, len(asked))):
        chosen = [player.choose(position, random).move for _ in range(DRAWS)]
        for chance, move in zip(
            policy[edges(player.game, position)], space.move[edges(player.game, position)].tolist(), strict=True
        ):
            share, error = chosen.count(move) / DRAWS, (chance * (1 - chance) / DRAWS) ** 0.5
            assert abs(share - chance) <= 5 * error + SAME, (
                f"{player.label}: {player.game.move_name(move)} in {player.game.to_text(position)} is chosen with a "
                f"frequency of {share:.3f}, but the policy says {chance:.3f}"
            )


PLAYER_CHECKS: Final[Sequence[Callable[[ListedPlayer], None]]] = (
    check_player_description,
    check_player_choices,
    check_player_thoughts,
    check_player_policy,
)
"""All checks."""


def check_player(player: ListedPlayer) -> None:
    """Raise `AssertionError` with a sentence that says what is wrong with a player, such as `FirstMove(game)`."""
    for check in PLAYER_CHECKS:
        check(player)


def running(player: Player) -> list[Position]:
    """Return unfinished positions in which the player may have to move: all, or every n-th in a large game."""
    game, sides = player.game, sides_of(player)
    found = [each for each in positions(game) if game.outcome(each) is None and game.side(each) in sides]
    return found[:: 1 + len(found) // MAX_POSITIONS]


def sides_of(player: Player) -> Sequence[int]:
    """Return the sides that a player plays: both, unless it says otherwise."""
    return getattr(player, "sides", BOTH)


def policy_of(player: Player) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
    """Return the policy of a player; `None` in a game without a space, which has no policies."""
    return player.policy() if player.game.numbered else None


def edges(game: Game, position: Position) -> slice:
    """Return the slice of a policy that holds the edges of a position."""
    found = space_of(game).edges(position)
    return slice(found.start, found.stop)
