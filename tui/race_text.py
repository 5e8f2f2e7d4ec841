"""A race in plain text: shares with their bands, and what is measured."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.game import Game, Side
from learners.measures import Floats, Measure, band, measured
from learners.plain import plural
from learners.race import Standings
from tui.figures import count_text, percent_number

NOTHING: Final = "–"
"""Where there is no share to tell."""
SIDES: Final[dict[str, Side | None]] = {"both": None, "first": Side.FIRST, "second": Side.SECOND}
"""The sides that a measure is told of, as they are written; both are told by their mean."""


@dataclass(frozen=True)
class Seen:
    """What of a race is looked at."""

    measure: Measure
    side: Side | None

    def bands(self, standings: Standings, marks: slice = slice(None)) -> list[Floats]:
        """For each entrant the 10th, 50th and 90th percentile of its machines at each of `marks`, shape (3, marks)."""
        return [
            band(measured(judged[:, marks], self.measure, self.side, entrant.sides))
            for judged, entrant in zip(standings.judged, standings.entrants, strict=True)
        ]

    def text(self, game: Game) -> str:
        """In words: `lost against random, as X`."""
        side = "mean of both sides" if self.side is None else f"as {game.mark(self.side)}"
        return f"{self.measure.title}, {side}"


def share_text(share: float) -> str:
    """A share in per cent, without the sign: `43.0`, or `0` and `100` where it is exactly that."""
    if np.isnan(share):
        return NOTHING
    short = percent_number(share)
    return short if share in (0, 1) or short[0] in "<>" else f"{100 * share:.1f}"


def band_text(shares: Floats, *, one: bool) -> str:
    """The median in per cent, and where the middle 80 % lie, as `43.6 [43.0–44.1]`; of one machine just its share."""
    low, middle, high = map(share_text, shares)
    return middle if one or middle == NOTHING else f"{middle} [{low}–{high}]"


def machines_text(standings: Standings) -> str:
    """How many machines there are of each entrant, and their seeds."""
    count, first, last = len(standings.seeds), standings.seeds[0], standings.seeds[-1]
    if count == 1:
        return f"1 machine each, seed {first}"
    return f"{count_text(count)} {plural('machine', count)} each, seeds {first} to {last}"
