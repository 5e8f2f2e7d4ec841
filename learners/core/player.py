"""Players: what chooses moves and gives reasons for them."""

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Protocol

from engine.evaluate import Policy
from engine.game import Game, Move, Position, Side


@dataclass(frozen=True)
class Choice:
    """A chosen move with the reason for it."""

    move: Move | None
    """`None` to resign."""
    reason: str
    """One printable line of at most 200 characters."""


class Depiction(StrEnum):
    """What the square of a move shows on a small board."""

    SHARE = "share"
    """A bar: a share of the beads, of the population, or of the games."""
    VALUE = "value"
    """A bar on the scale from loss to win."""
    STRUCK = "struck"
    """The square is struck: the move is ruled out for good."""


@dataclass(frozen=True)
class Thought:
    """What a player knows about one legal move."""

    move: Move
    chance: float
    """The probability with which it plays the move."""
    symbol: str
    """What is drawn on the square of the move: 1 to 4 characters, or 5 from 100,000 beads on."""
    words: str
    """What is known, in a few words."""
    excluded: bool = False
    """Whether the memory excludes the move."""
    hue: int = 0
    """The number of the colour of its beads, from 1; 0 for no colour."""
    drawing: Depiction = Depiction.SHARE
    """What its square shows."""
    level: float | None = None
    """What the drawing says, from 0 to 1: the share, the value, or how late the move was ruled out.

    `None` for the probability in place of a share, and for an unknown value.
    """
    beads: int | None = None
    """How many beads the box holds for it; `None` for a player without beads."""


class Player(Protocol):
    """What plays a game. Playing never changes it."""

    @property
    def label(self) -> str:
        """The player as it is written on the command line: `random`, `save:NAME`."""

    @property
    def game(self) -> Game:
        """The game that it plays."""

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides that it can play."""

    @property
    def trained_sides(self) -> tuple[Side, ...]:
        """The sides that training has taught it; all that it can play if it needs no training."""

    def choose(self, position: Position, random: Random) -> Choice:
        """Choose a legal move in a position that is not over, or resign. All chance comes from `random`."""

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        """Return what it knows about each legal move, by ascending move."""

    def policy(self) -> Policy:
        """Return the probability of each edge of the game's space, shape (m,). Raises `TooLarge`.

        Where the edges of a position sum to less than 1, the player resigns with the remaining probability.
        """


class ListedPlayer(Player, Protocol):
    """A player that needs no training, in the list that menus, commands and labels find it by."""

    label: str
    title: str
    """The name on screens."""
    summary: str
    """What it does, in one line without a full stop."""

    def __init__(self, game: Game) -> None:
        """Play this game. Raises `TooLarge`."""

    @classmethod
    def fits(cls, game: Game) -> bool:
        """Return whether it can play a game."""
