"""What a source prints beside what a re-run measures.

figure   a number as the source prints it, and where; or words, where it prints no number
finding  a figure beside what was measured: one number where it is exact, else one for each seed
verdict  what that comes to, always computed: the same, within the spread of the seeds, or neither
"""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from statistics import mean, stdev
from typing import Final

SPREAD: Final = 2
"""A figure is within the spread where it is at most so many standard deviations of the seeds from their mean."""
UNEXPLAINED: Final = "why is not known"


class Verdict(StrEnum):
    EXACT = "exact"
    WITHIN = "within spread"
    DIFFERS = "differs"


@dataclass(frozen=True)
class Figure:
    """What a source says. Without bounds there is no number to hold a measurement against."""

    printed: str
    place: str
    """The figure, table or section of the source."""
    low: float | None = None
    high: float | None = None
    """The numbers that it may stand for: both the same, unless it prints a range."""


UNPRINTED: Final = Figure("–", "")
"""For what is measured and told, and was never printed."""


def number(printed: str, place: str) -> Figure:
    """A figure that is one number: `3,824`, `.3354`, `−1`."""
    value = float(printed.replace(",", "").replace("−", "-"))
    return Figure(printed, place, value, value)


@dataclass(frozen=True)
class Finding:
    what: str
    figure: Figure
    measured: tuple[float, ...] | str
    """A number for each seed, one alone where chance has no part in it, none where it never came about; or words."""
    decimals: int = 0
    unit: str = ""
    known: str = ""
    """Why it differs, where it does and that is known."""

    @property
    def mean(self) -> float | None:
        return mean(self.measured) if self.measured and not isinstance(self.measured, str) else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the seeds; `None` for a number that is exact."""
        return stdev(self.measured) if not isinstance(self.measured, str) and len(self.measured) > 1 else None

    @property
    def verdict(self) -> Verdict | None:
        """`None` where the source prints nothing to hold it against."""
        low, high = self.figure.low, self.figure.high
        if self.figure is UNPRINTED:
            return None
        if isinstance(self.measured, str):
            return Verdict.EXACT if self.measured == self.figure.printed else Verdict.DIFFERS
        if low is None or high is None:
            return None
        if self.measured and all(round(each, self.decimals) == low == high for each in self.measured):
            return Verdict.EXACT
        middle, spread = self.mean, SPREAD * (self.deviation or 0.0)
        within = middle is not None and low <= middle + spread and middle - spread <= high
        return Verdict.WITHIN if within else Verdict.DIFFERS

    @property
    def why(self) -> str:
        """Why it differs; nothing where it does not."""
        return (self.known or UNEXPLAINED) if self.verdict is Verdict.DIFFERS else ""

    @property
    def text(self) -> str:
        """What was measured, as a person reads it: `142 ± 11`."""
        if isinstance(self.measured, str):
            return self.measured
        if self.mean is None:
            return "never"
        numbers = (self.mean,) if self.deviation is None else (self.mean, self.deviation)
        return (" ± ".join(f"{each:,.{self.decimals}f}" for each in numbers) + self.unit).replace("-", "−")


@dataclass(frozen=True)
class Table:
    title: str
    about: str
    """What was run, and over how many seeds."""
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Curves:
    """A figure of the source that is drawn: numbers over the games of one seed."""

    title: str
    about: str
    names: tuple[str, ...]
    """Of the curves, in the order of the numbers."""
    points: tuple[tuple[int, tuple[int, ...]], ...]
    """After how many games, ascending, and the number of each curve then."""
    log: bool
    """Whether the source draws the numbers on a logarithmic axis, as it does the games."""


@dataclass(frozen=True)
class Source:
    name: str
    """The word for it on the command line."""
    title: str
    by: str
    about: str
    """What it is, in a sentence."""


@dataclass(frozen=True)
class Report:
    """What a re-run came to."""

    source: Source
    seed: int
    seconds: float
    tables: tuple[Table, ...]
    curves: tuple[Curves, ...] = ()

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many findings have each verdict."""
        found = Counter(finding.verdict for table in self.tables for finding in table.findings)
        return {verdict: found[verdict] for verdict in Verdict}
