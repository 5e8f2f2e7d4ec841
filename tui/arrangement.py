"""What a training shows where: the figures that take turns, and those that always have their place."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from learners.learner import Learner


class Figure(Enum):
    """A part of the view of a training, by what it is found under."""

    TRUTH = "#chart-truth"
    RESULTS = "#chart-first"
    GROWTH = "#chart-second"
    EXACT = "#exact"
    NEWEST = "#newest"
    WALL = "#live-wall"
    SHARES = "#live-shares"


TURNS: Final = {
    False: (Figure.TRUTH, Figure.RESULTS, Figure.GROWTH, Figure.EXACT, Figure.WALL, Figure.SHARES),
    True: (Figure.EXACT, Figure.NEWEST, Figure.WALL, Figure.SHARES, Figure.GROWTH),
}
"""What takes the room that there is for one figure, in turn; on a wide screen that is below the results and the truth.

Else the truth comes first: how its games ended is told above it in any case.
"""
LARGE: Final = frozenset({Figure.EXACT, Figure.WALL, Figure.SHARES})
"""The figures that leave no room for what changed last."""


@dataclass(frozen=True)
class Room:
    """How much room the screen has."""

    wide: bool
    tall: bool
    low: bool

    def turns(self, kind: type[Learner]) -> list[Figure]:
        """The figures of a learner that take turns. The exact results do not where they are always shown."""
        gone = {Figure.EXACT} if self.tall else set()
        gone |= set() if kind.strand_title else {Figure.SHARES}
        return [figure for figure in TURNS[self.wide] if figure not in gone]

    def usual(self, kind: type[Learner]) -> Figure:
        """The figure to begin with: on a large screen the memory, where its numbers change in place."""
        if not (self.wide and self.tall and kind.keeps_memories):
            return self.turns(kind)[0]
        return Figure.SHARES if kind.strand_title else Figure.WALL

    def shown(self, figure: Figure) -> set[Figure]:
        """All that is to be seen when it is that figure's turn."""
        shown = {figure}
        if self.wide:
            shown |= {Figure.RESULTS, Figure.TRUTH}
        elif not self.low and figure not in LARGE:
            shown |= {Figure.NEWEST}
        return shown | ({Figure.EXACT} if self.tall else set())
