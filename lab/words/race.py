"""A race in plain text: shares with their bands, what is measured, and who plays one side only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.game import Game, Side
from lab.words.numbers import count_text, percent_number
from learners.core.plural import plural
from learners.race.entrants import Entrant
from learners.race.measures import Floats, Measure, band, measured
from learners.race.race import Standings

NOTHING: Final = "–"
"""Where there is no share to tell."""
SIDES: Final[dict[str, Side | None]] = {"both": None, "first": Side.FIRST, "second": Side.SECOND}
"""The sides that a measure is told of, as they are written; both are told by their mean."""
SIDE_NAMES: Final = {side: name for name, side in SIDES.items()}


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

    def misses(self, entrant: Entrant) -> bool:
        """Whether it does not play the side that is looked at."""
        return self.side is not None and self.side not in entrant.sides

    def text(self, game: Game, entrants: Sequence[Entrant]) -> str:
        """In words: `lost against random, as X`; that as well where all of them play X only."""
        alone = {entrant.only for entrant in entrants}
        side = alone.pop() if self.side is None and len(alone) == 1 else self.side
        return f"{self.measure.title}, {'mean of both sides' if side is None else f'as {game.mark(side)}'}"


def only_text(entrant: Entrant) -> str:
    """As what it is told whichever side is asked for: `as X only`; nothing where it plays both."""
    return "" if entrant.only is None else f"as {entrant.game.mark(entrant.only)} only"


def unlike(entrants: Sequence[Entrant], names: Sequence[str], seen: Seen) -> list[tuple[Side, str]]:
    """Where figures of one side stand beside means of both: each such side with who plays it, as `2 plays X only`."""
    if seen.side is not None or len({entrant.only for entrant in entrants}) <= 1:
        return []
    told = []
    for side in Side:
        those = [name for name, entrant in zip(names, entrants, strict=True) if entrant.only is side]
        if those:
            verb = "plays" if len(those) == 1 else "play"
            told.append((side, f"{', '.join(those)} {verb} {entrants[0].game.mark(side)} only"))
    return told


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
