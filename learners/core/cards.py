"""Cards: the entries of a memory, as screens show them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.game import Position
from learners.core.player import Thought


@dataclass(frozen=True)
class Card:
    """One entry of a memory, drawn on a small board."""

    position: Position
    thoughts: tuple[Thought, ...]
    """What is drawn on the squares, one thought a move, by ascending move."""
    caption: str
    """A few characters below the board."""
    group: str = ""
    """The heading that this card shares with its neighbours."""
    signs: Mapping[int, str] = field(default_factory=dict)
    """What is drawn on further squares, one character each."""
