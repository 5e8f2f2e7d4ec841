"""Which parts of the view of a training are visible, depending on the size of the screen."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from learners.core.learner import Learner


class Part(Enum):
    """A part of the view of a training, with the selector of its widget."""

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
"""The parts that share one place, in the order in which a key shows them, by whether the screen is wide.

A wide screen always shows the charts of results and exact results above this place. On a narrow one the exact results
come first, since the endings of the games are also in the text above.
"""
LARGE: Final = frozenset({Part.EXACT, Part.WALL, Part.SHARES})
"""The parts that leave no space for the newest changes."""


@dataclass(frozen=True)
class Room:
    """The space on the screen."""

    wide: bool
    tall: bool
    low: bool

    def turns(self, kind: type[Learner]) -> list[Part]:
        """The parts that share one place, without the exact results if they are always shown."""
        gone = {Part.EXACT} if self.tall else set()
        gone |= set() if kind.view_type.words.strand_title else {Part.SHARES}
        return [figure for figure in TURNS[self.wide] if figure not in gone]

    def usual(self, kind: type[Learner]) -> Part:
        """The part to begin with: on a large screen the memory, if the learner changes its numbers in place."""
        if not (self.wide and self.tall and kind.spec.stores_memories):
            return self.turns(kind)[0]
        return Part.SHARES if kind.view_type.words.strand_title else Part.WALL

    def shown(self, figure: Part) -> set[Part]:
        """All visible parts when `figure` is in the shared place."""
        shown = {figure}
        if self.wide:
            shown |= {Part.RESULTS, Part.TRUTH}
        elif not self.low and figure not in LARGE:
            shown |= {Part.NEWEST}
        return shown | ({Part.EXACT} if self.tall else set())
