"""Players, which choose moves and give reasons for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any, Final, Protocol

import numpy as np

from engine.evaluate import Policy
from engine.game import Game, Move, Position, Side
from engine.plugin_guard import Check
from engine.spaces import space_of


@dataclass(frozen=True)
class Choice:
    """A chosen move, and the reason for it."""

    move: Move | None
    """The move; `None` to resign."""
    reason: str
    """The reason, one printable line of at most 200 characters."""


class Depiction(StrEnum):
    """How a move is drawn on a square of a small board."""

    SHARE = "share"
    """A bar: a share of the beads, of the population, or of the games."""
    VALUE = "value"
    """A bar on the scale from loss to win."""
    STRUCK = "struck"
    """The square is struck: the move is ruled out for good."""


@dataclass(frozen=True)
class Thought:
    """What a player knows about a legal move."""

    move: Move
    chance: float
    """The probability with which the player plays the move."""
    symbol: str
    """The symbol on the square of the move: 1 to 4 characters, or 5 from 100,000 beads on."""
    words: str
    """The thought in a few words."""
    excluded: bool = False
    """Whether the memory excludes the move."""
    hue: int = 0
    """The number of the colour of the move's beads, from 1; 0 for no colour."""
    drawing: Depiction = Depiction.SHARE
    """How the square of the move is drawn."""
    level: float | None = None
    """The level of the drawing, from 0 to 1: the share, the value, or how late the move was ruled out.

    `None` for the probability in place of a share, and for an unknown value."""
    beads: int | None = None
    """The number of beads of the move in the box; `None` for a player without beads."""


class Player(Protocol):
    """A player of a game. Playing never changes it."""

    @property
    def label(self) -> str:
        """The label of the player, as on the command line: `random`, `save:NAME`."""

    @property
    def game(self) -> Game:
        """The game that the player plays."""

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides that the player can play."""

    @property
    def trained_sides(self) -> tuple[Side, ...]:
        """The sides that training has taught the player; all that it can play if it needs no training."""

    def choose(self, position: Position, random: Random) -> Choice:
        """Choose a legal move in a position that is not over, or resign. All chance comes from `random`."""

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        """Return what the player knows about each legal move, by ascending move."""

    def policy(self) -> Policy:
        """Return the probability of each edge of the game's space, shape (m,). Raises `TooLarge`.

        Where the edges of a position sum to less than 1, the player resigns with the remaining probability.
        """


class ListedPlayer(Player, Protocol):
    """A player that needs no training, as a class in the list from which menus, commands and labels take players."""

    label: str
    title: str
    """The name on screens."""
    summary: str
    """What the player does, in one line without a full stop."""

    def __init__(self, game: Game) -> None:
        """Make a player of this game. Raises `TooLarge`."""

    @classmethod
    def fits(cls, game: Game) -> bool:
        """Return whether the player can play a game."""


MAX_REASON: Final = 200
"""The maximum length of the reason for a move."""
CHANCE_TOLERANCE: Final = 1e-6
"""The tolerance by which the probabilities of a position may exceed 1: a rounding error, also of 32 bits."""


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
        if not 0 <= each.chance <= 1 + CHANCE_TOLERANCE:
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
    for row in np.flatnonzero(total > 1 + CHANCE_TOLERANCE):
        return f"the policy sums to {total[row]:.7g}, not 1, in {game.to_text(int(space.position[row]))}"
    return ""


PLAYER_CHECKS: Final[Mapping[str, Check]] = {
    "choose": lambda player, choice, position, _: choice_fault(player.game, position, choice),
    "thoughts": lambda player, thoughts, position: thoughts_fault(player.game, position, thoughts),
    "policy": lambda player, policy: policy_fault(player.game, policy),
}
"""What is checked, by the name of the method, each time that a player or a learner of another package is asked."""
