"""The report of a paper: the figures of a source beside what is measured here.

figure     a number as the source prints it, and where; or words, if it prints no number
finding    a figure with what was measured: one number if it is exact, else one number for each seed
verdict    the comparison of both, always computed: exact, within the spread of the seeds, or different; or undecided;
           or the figure is for another board
spread     from the 2.5th to the 97.5th percentile of the seeds: a figure lies within it if one seed in 40 is not above
           it, and one in 40 is not below it
undecided  other seeds might decide otherwise: there are fewer than 20 seeds; or the share of those on the figure's
           farther side, or the mean that is compared, lies within 2.6 standard errors of its limit
"""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt
from statistics import mean, stdev
from typing import Final, Self

TAIL: Final = 40
"""One seed in this many lies beyond each end of the spread: 2.5 %."""
MIN_SEEDS: Final = 20
"""The least number of seeds that decide anything."""
STANDARD_ERRORS: Final = 2.6
"""A mean lies at least this many standard errors from where it was expected once in a hundred times."""
UNEXPLAINED: Final = "why is not known"


class Verdict(StrEnum):
    EXACT = "exact"
    WITHIN = "within spread"
    DIFFERS = "differs"
    UNDECIDED = "undecided"
    """Other seeds might decide otherwise."""
    ANOTHER_BOARD = "another board"
    """The figure is for another board: there is nothing to compare."""


COMPARED: Final = (Verdict.EXACT, Verdict.WITHIN, Verdict.DIFFERS, Verdict.UNDECIDED)


@dataclass(frozen=True)
class Figure:
    """A figure as a source prints it. Without bounds, there is no number to compare a measurement with."""

    printed: str
    """What it says; a number as the program writes numbers: `2,480`, where the source has `2480`."""
    place: str
    """The figure, table or section of the source."""
    low: float | None = None
    high: float | None = None
    """The numbers that the figure stands for: `low` and `high` are the same, unless the source prints a range."""


UNPRINTED: Final = Figure("–", "")
"""The figure of a measurement that the source does not print."""


def number_figure(printed: str, place: str) -> Figure:
    """Return a figure that is one number: `3,824`, `0.3354`, `−1`. Raises `ValueError` for other texts."""
    value = float(printed.replace(",", "").replace("−", "-"))
    return Figure(printed, place, value, value)


@dataclass(frozen=True)
class Finding:
    """A measurement beside the figure of a source."""

    what: str
    figure: Figure
    measured: tuple[float, ...] | str
    """A number for each seed; a single one if it involves no chance; or words."""
    decimals: int = 0
    unit: str = ""
    known: str = ""
    """The reason for a difference, if it is known."""
    never: int = 0
    """The number of further seeds in which the event never happened; they count as above every number."""
    average: bool = False
    """Whether the figure is an average or a share of runs: then the mean of the seeds is compared, not their spread.
    For a share in per cent, the numbers are 0 or 100."""
    another_board: bool = False
    """Whether the figure is for another board than the one that was measured."""

    @property
    def mean(self) -> float | None:
        """The mean over the seeds; `None` for words, and for an event that never happened."""
        if not self.measured or isinstance(self.measured, str):
            return None
        return mean(self.measured)

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the seeds; `None` for a single number, and for an average."""
        if isinstance(self.measured, str) or self.average or len(self.measured) < 2:
            return None
        return stdev(self.measured)

    @property
    def seeds(self) -> int:
        """The number of seeds; 0 for words, 1 if there is no chance."""
        return 0 if isinstance(self.measured, str) else len(self.measured) + self.never

    @property
    def verdict(self) -> Verdict | None:
        """The comparison with the figure; `None` if the source prints nothing to compare with."""
        low, high = self.figure.low, self.figure.high
        if self.figure == UNPRINTED:
            return None
        if self.another_board:
            return Verdict.ANOTHER_BOARD
        if isinstance(self.measured, str):
            return Verdict.EXACT if self.measured == self.figure.printed else Verdict.DIFFERS
        if low is None or high is None:
            return None
        return self._compare(self.measured, low, high)

    def _compare(self, measured: tuple[float, ...], low: float, high: float) -> Verdict:
        if self.seeds < MIN_SEEDS and self.seeds != 1:
            return Verdict.UNDECIDED
        numbers = [round(each, self.decimals) for each in measured]
        if numbers and not self.never and all(each == low == high for each in numbers):
            return Verdict.EXACT
        if self.average and self.seeds > 1:
            error = STANDARD_ERRORS * stdev(measured) / sqrt(self.seeds)
            lowest_mean = max(mean(measured) - error, min(measured))
            highest_mean = min(mean(measured) + error, max(measured))
            is_within = low <= lowest_mean and highest_mean <= high
            differs = highest_mean < low or lowest_mean > high
        else:
            limit, error = 1.0, 0.0
            if self.seeds > 1:
                limit = self.seeds / TAIL
                error = STANDARD_ERRORS * sqrt(limit * (1 - 1 / TAIL))
            not_above = sum(each <= high for each in numbers)
            not_below = sum(each >= low for each in numbers) + self.never
            is_within = min(not_above, not_below) >= limit + error
            differs = min(not_above, not_below) <= limit - error
        if is_within:
            return Verdict.WITHIN
        return Verdict.DIFFERS if differs else Verdict.UNDECIDED

    @property
    def why(self) -> str:
        """The reason why the measurement differs, may differ, or cannot be compared; empty if it agrees."""
        if self.verdict is Verdict.UNDECIDED:
            return self.known
        if self.verdict in (Verdict.DIFFERS, Verdict.ANOTHER_BOARD):
            return self.known or UNEXPLAINED
        return ""

    @property
    def text(self) -> str:
        """The measurement in words: `142 ± 11`."""
        if isinstance(self.measured, str):
            return self.measured
        if self.mean is None:
            return "never"
        numbers = (self.mean,) if self.deviation is None else (self.mean, self.deviation)
        return (" ± ".join(f"{each:,.{self.decimals}f}" for each in numbers) + self.unit).replace("-", "−")


@dataclass(frozen=True)
class FindingTable:
    title: str
    about: str
    """What was run, and with how many seeds."""
    findings: tuple[Finding, ...]
    correction: bool = False
    """Whether the table corrects a mistake of the source: its findings do not try to reproduce the figures."""

    @classmethod
    def of(cls, title: str, about: str, *findings: Finding, correction: bool = False) -> Self:
        return cls(title, about, findings, correction)


@dataclass(frozen=True)
class Curves:
    """A chart of the source: numbers over the games, or generations, of one seed."""

    title: str
    about: str
    names: tuple[str, ...]
    points: tuple[tuple[int, tuple[int, ...]], ...]
    """The number of rounds, ascending, and the number of each curve after them."""
    log: bool
    """Whether the axis of the numbers is logarithmic."""
    unit: str = "games"
    """What the numbers count."""
    rounds: str = "games"
    """What the rounds are."""
    log_rounds: bool = True
    """Whether the axis of the rounds is logarithmic."""


PaperResult = tuple[tuple[FindingTable, ...], tuple[Curves, ...]]


@dataclass(frozen=True)
class Source:
    """The paper, post or lecture that is computed again."""

    name: str
    title: str
    by: str
    about: str
    """What the source does, in one sentence."""
    topic: str = ""
    """The topic of the source, its author and its year, in a few words, for lists."""


@dataclass(frozen=True)
class Report:
    source: Source
    seed: int
    seconds: float
    tables: tuple[FindingTable, ...]
    curves: tuple[Curves, ...] = ()

    @property
    def counts(self) -> dict[Verdict, int]:
        """The number of findings with each verdict, without those of corrections."""
        tables = (table for table in self.tables if not table.correction)
        counts = Counter(finding.verdict for table in tables for finding in table.findings)
        return {verdict: counts[verdict] for verdict in Verdict}
