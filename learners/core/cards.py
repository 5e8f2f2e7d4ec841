"""What a memory holds, as the screens show it: cards, and the words for them."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.game import Position
from learners.core.player import Thought


@dataclass(frozen=True)
class Card:
    """One thing that a memory holds, as it is shown on a little board."""

    position: Position
    thoughts: tuple[Thought, ...]
    """What is drawn on the squares, by move."""
    caption: str
    group: str = ""
    """A heading over the cards that have it in common."""


@dataclass(frozen=True)
class Words:
    """How the things that a memory holds are spoken of on the screens."""

    noun: str
    """One of them, as in `failure`; an s makes the plural, unless `plural` is given."""
    newest: str
    """The heading over those that changed last."""
    none: str
    """Stands where there are none."""
    legend: Mapping[str, str]
    """What each symbol means."""
    plural: str = ""

    def counted(self, count: int) -> str:
        return self.noun if count == 1 else self.plural or f"{self.noun}s"
