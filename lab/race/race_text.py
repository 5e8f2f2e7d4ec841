"""A race in words: the measure, shares with their bands, and the learners that play one side only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from sys import maxsize
from typing import Final

import numpy as np

from engine.game import Game, Side
from engine.plural import counted_noun, listed
from lab.results.score_lines import READER
from lab.text.names import learner_name
from lab.text.numbers import decimal_percent, percent_text
from learners.core.snapshot import ITSELF
from learners.race.entrants import Entrant
from learners.race.measures import MEMORY_READER, Floats, Judging, Measure, band, measure_shares
from learners.race.race import Standings

NOTHING: Final = "–"
SIDES: Final[dict[str, Side | None]] = {"both": None, "first": Side.FIRST, "second": Side.SECOND}
"""The sides for which a measure can be shown, by name; `None` is the mean of both."""
BOTH_SIDES: Final = "mean of both sides"
SIDE_NAMES: Final = {side: name for name, side in SIDES.items()}


@dataclass(frozen=True)
class ShownMeasure:
    measure: Measure
    side: Side | None
    """The side; `None` for the mean of both."""

    def bands(self, standings: Standings, marks: slice = slice(None)) -> list[Floats]:
        """Return for each entrant the 10th, 50th and 90th percentile of its machines at `marks`, shape (3, marks)."""
        return [
            band(measure_shares(judged[:, marks], self.measure, self.side, entrant.sides))
            for judged, entrant in zip(standings.judged, standings.entrants, strict=True)
        ]

    def within(self, judging: Judging) -> "ShownMeasure":
        """Return this measure if `judging` computes it; otherwise the default measure of the same side."""
        return self if self.measure in judging.measures else replace(self, measure=judging.measures[0])

    def excludes(self, entrant: Entrant) -> bool:
        return self.side is not None and self.side not in entrant.sides

    @property
    def side_text(self) -> str:
        """The side as text where no game is known, and so no mark: `as the first side`."""
        return BOTH_SIDES if self.side is None else f"as the {SIDE_NAMES[self.side]} side"

    @property
    def title(self) -> str:
        """The description where no game is known: `lost against random, as the first side`."""
        return f"{self.measure.title}, {self.side_text}"

    def text(self, game: Game, entrants: Sequence[Entrant]) -> str:
        """Return a description: `lost against random, as X`; so also for both sides if all entrants play X only."""
        alone = {entrant.only_side for entrant in entrants}
        side = alone.pop() if self.side is None and len(alone) == 1 else self.side
        return f"{self.measure.title}, {BOTH_SIDES if side is None else f'as {game.mark(side)}'}"


def only_text(entrant: Entrant) -> str:
    """Return `as X only` for an entrant that plays one side; empty for one that plays both."""
    return "" if entrant.only_side is None else f"as {entrant.game.mark(entrant.only_side)} only"


def _title_and_facts(entrant: Entrant) -> tuple[str, list[str]]:
    """Return what an entrant is called, and what else tells it from others."""
    if entrant.fixed is not None:
        title, facts = entrant.text, ["does not learn"]
    else:
        title, facts = entrant.kind.spec.title, [entrant.preset]
        facts += [f"{key} {str(value).lower()}" for key, value in entrant.settings.items()]
        if entrant.opponent != ITSELF:
            facts.append(f"against {entrant.opponent}")
    if entrant.only_side is not None:
        facts[-1] = f"{facts[-1]} {only_text(entrant)}"
    return title, facts


def entrant_text(entrant: Entrant, room: int = maxsize) -> str:
    """Return an entrant in words, in `room` columns: learner, preset, changed settings, opponent, and an only side."""
    title, facts = _title_and_facts(entrant)
    return ", ".join((title, *facts)) if entrant.fixed is not None else learner_name(title, *facts, room=room)


def best_text(entrants: Sequence[Entrant], ahead: Iterable[int], share: str) -> str:
    """Return who is `ahead` with which share: `Best: MENACE and Q-learner, 0 %.`

    Two entrants with the same learner are told apart by what else is known of each: `MENACE (steady, win 5)`.
    """
    described = [_title_and_facts(entrant) for entrant in entrants]
    titles = [title for title, _ in described]
    names = list[str]()
    for number in ahead:
        title, facts = described[number]
        names.append(title if titles.count(title) == 1 else f"{title} ({', '.join(facts)})")
    return f"Best: {listed(names, 'and')}, {share} %."


def title_wordings(title: str) -> list[str]:
    """Return the description of a measure as a title, and then ever shorter ones."""
    title = title[0].upper() + title[1:]
    short = title.replace(MEMORY_READER, f"a {READER}")
    sides = (f", {BOTH_SIDES}", ", both sides", "")
    forms = (title, short, short.replace("Lost against", "Lost to"))
    return [form.replace(sides[0], side) for side in sides for form in forms]


def ranking(shares: Sequence[float], measure: Measure) -> list[int]:
    """Return the indices of the entrants, the best first, given the share of each; those without a share come last."""
    sign = 1 if measure.lower_is_better else -1
    known = [(sign * share, number) for number, share in enumerate(shares) if not np.isnan(share)]
    return [number for _, number in sorted(known)] + [number for number, share in enumerate(shares) if np.isnan(share)]


def one_sided_texts(entrants: Sequence[Entrant], names: Sequence[str], shown: ShownMeasure) -> list[tuple[Side, str]]:
    """Return each side that some entrants play alone, with a text that names them: `2 plays X only`.

    Empty if the measure is for one side, or if all entrants play the same sides.
    """
    if shown.side is not None or len({entrant.only_side for entrant in entrants}) <= 1:
        return []
    texts = []
    for side in Side:
        one_sided = [name for name, entrant in zip(names, entrants, strict=True) if entrant.only_side is side]
        if one_sided:
            verb = "plays" if len(one_sided) == 1 else "play"
            texts.append((side, f"{', '.join(one_sided)} {verb} {entrants[0].game.mark(side)} only"))
    return texts


def entrants_without_a_round(standings: Standings) -> list[int]:
    """Return the numbers of the entrants, from 0, that are judged as they began: not one round ended in the budget."""
    numbers = []
    for number, (entrant, judged) in enumerate(zip(standings.entrants, standings.judged, strict=True)):
        if entrant.fixed is not None or entrant.kind.spec.round_noun == "game":
            continue
        finished = judged[~np.isnan(judged[:, -1]).all(axis=(1, 2))]
        if len(finished) and np.array_equal(finished[:, 0], finished[:, -1], equal_nan=True):
            numbers.append(number)
    return numbers


def share_figure(share: float) -> str:
    return NOTHING if np.isnan(share) else decimal_percent(share)


def band_text(shares: Floats, *, one: bool) -> str:
    """Return the median and the middle 80 % in per cent: `43.6 [43.0–44.1]`; for one machine only the share."""
    low, middle, high = map(share_figure, shares)
    return middle if one or middle == NOTHING else f"{middle} [{low}–{high}]"


def exactness_text(judging: Judging, shown: ShownMeasure) -> str:
    """Return that results are exact, or else the largest standard error of a machine's sampled results."""
    if not judging.trials:
        return "every result is exact"
    largest_error = float(judging.error(shown.measure, shown.side, np.array(0.5)))
    return f"sampled results: standard error up to {percent_text(largest_error)} a machine"


def machines_text(standings: Standings) -> str:
    count, first, last = len(standings.seeds), standings.seeds[0], standings.seeds[-1]
    if count == 1:
        return f"1 machine each, seed {first}"
    return f"{counted_noun(count, 'machine')} each, seeds {first} to {last}"
