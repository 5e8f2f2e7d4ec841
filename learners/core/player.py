"""What plays: a player chooses moves, tells why, and never changes by playing."""

from dataclasses import dataclass
from random import Random
from typing import Protocol

from engine.evaluate import Policy
from engine.game import Game, Move, Position


@dataclass(frozen=True)
class Choice:
    """A chosen move and the reason for it, in words."""

    move: Move | None
    """`None`: it resigns."""
    reason: str


@dataclass(frozen=True)
class Thought:
    """What a mind holds of one legal move."""

    move: Move
    chance: float
    """How likely it plays the move."""
    symbol: str
    """What to draw on the move's square: one character, or a short number."""
    words: str
    shut: bool = False
    """Whether its memory rules the move out."""
    hue: int = 0
    """Which of the colours of beads the symbol is drawn in, from 1; 0 for none."""


class Player(Protocol):
    """Plays a game; never changes by playing."""

    @property
    def label(self) -> str:
        """How the player is written: `random`, `save:NAME`."""

    @property
    def game(self) -> Game: ...

    def choose(self, position: Position, random: Random) -> Choice:
        """A legal move in a position that is not over, or a resignation, all chance drawn from `random`."""

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        """What it holds of each legal move, in the order of the moves."""

    def policy(self) -> Policy:
        """How likely it plays each edge of the game's space, shape (m,). Raises `TooLarge`."""
