"""What a training shows where: the figures that take turns, and those that always have their place."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from learners.core.learner import Learner


class Part(Enum):
    """A part of the view of a training, by what it is found under."""

    TRUTH = "#chart-truth"
    RESULTS = "#chart-first"
    GROWTH = "#chart-second"
    EXACT = "#exact"
    NEWEST = "#newest"
    WALL = "#live-wall"
    SHARES = "#live-shares"


TURNS: Final = {
    False: (Part.TRUTH, Part.RESULTS, Part.GROWTH, Part.EXACT, Part.WALL, Part.SHARES),
    True: (Part.EXACT, Part.NEWEST, Part.WALL, Part.SHARES, Part.GROWTH),
}
"""What takes the room that there is for one figure, in turn; on a wide screen that is below the results and the truth.

Else the truth comes first: how its games ended is told above it in any case.
"""
LARGE: Final = frozenset({Part.EXACT, Part.WALL, Part.SHARES})
"""The figures that leave no room for what changed last."""


@dataclass(frozen=True)
class Room:
    """How much room the screen has."""

    wide: bool
    tall: bool
    low: bool

    def turns(self, kind: type[Learner]) -> list[Part]:
        """The figures of a learner that take turns. The exact results do not where they are always shown."""
        gone = {Part.EXACT} if self.tall else set()
        gone |= set() if kind.view_type.words.strand_title else {Part.SHARES}
        return [figure for figure in TURNS[self.wide] if figure not in gone]

    def usual(self, kind: type[Learner]) -> Part:
        """The figure to begin with: on a large screen the memory, where its numbers change in place."""
        if not (self.wide and self.tall and kind.spec.stores_memories):
            return self.turns(kind)[0]
        return Part.SHARES if kind.view_type.words.strand_title else Part.WALL

    def shown(self, figure: Part) -> set[Part]:
        """All that is to be seen when it is that figure's turn."""
        shown = {figure}
        if self.wide:
            shown |= {Part.RESULTS, Part.TRUTH}
        elif not self.low and figure not in LARGE:
            shown |= {Part.NEWEST}
        return shown | ({Part.EXACT} if self.tall else set())
