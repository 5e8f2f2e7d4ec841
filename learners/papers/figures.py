"""The figures of a source, beside what is measured here.

figure   a number as the source prints it, and where; or words, if it prints no number
finding  a figure with what was measured: one number if it is exact, else one number for each seed
verdict  the comparison of both, always computed: exact, within the spread of the seeds, or different
"""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from statistics import mean, stdev
from typing import Final

SPREAD: Final = 2
"""A figure within this many standard deviations from the mean of the seeds is within the spread."""
UNEXPLAINED: Final = "why is not known"


class Verdict(StrEnum):
    """How a measurement compares with the figure."""

    EXACT = "exact"
    WITHIN = "within spread"
    DIFFERS = "differs"


@dataclass(frozen=True)
class Figure:
    """What a source prints. Without bounds there is no number to compare a measurement with."""

    printed: str
    place: str
    """The figure, table or section of the source."""
    low: float | None = None
    high: float | None = None
    """The numbers that it stands for: both the same, unless the source prints a range."""


UNPRINTED: Final = Figure("–", "")
"""The figure of a measurement that the source does not print."""


def number(printed: str, place: str) -> Figure:
    """Return a figure that is one number: `3,824`, `.3354`, `−1`. Raises `ValueError` for other texts."""
    value = float(printed.replace(",", "").replace("−", "-"))
    return Figure(printed, place, value, value)


@dataclass(frozen=True)
class Finding:
    """A measurement beside the figure of the source."""

    what: str
    figure: Figure
    measured: tuple[float, ...] | str
    """A number for each seed; a single one if it involves no chance; none if it never happened; or words."""
    decimals: int = 0
    unit: str = ""
    known: str = ""
    """Why it differs, if that is known."""

    @property
    def mean(self) -> float | None:
        """The mean of the seeds; `None` for words, and for what never happened."""
        return mean(self.measured) if self.measured and not isinstance(self.measured, str) else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the seeds; `None` for a single number."""
        return stdev(self.measured) if not isinstance(self.measured, str) and len(self.measured) > 1 else None

    @property
    def verdict(self) -> Verdict | None:
        """The comparison with the figure; `None` if the source prints nothing to compare with."""
        low, high = self.figure.low, self.figure.high
        if self.figure == UNPRINTED:
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
        """Why it differs; empty if it does not."""
        return (self.known or UNEXPLAINED) if self.verdict is Verdict.DIFFERS else ""

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
class Table:
    """A table of findings."""

    title: str
    about: str
    """What was run, and with how many seeds."""
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Curves:
    """A chart of the source: numbers over the games of one seed."""

    title: str
    about: str
    names: tuple[str, ...]
    """The name of each curve."""
    points: tuple[tuple[int, tuple[int, ...]], ...]
    """The number of games, ascending, and the number of each curve after them."""
    log: bool
    """Whether the axis of the numbers is logarithmic, like that of the games."""
    unit: str = "games"
    """What the numbers count."""


@dataclass(frozen=True)
class Source:
    """The paper, post or lecture that is computed again."""

    name: str
    """The name on the command line."""
    title: str
    by: str
    about: str
    """What it does, in one sentence."""
    topic: str = ""
    """What it is about, its author and its year, in a few words, for lists."""


@dataclass(frozen=True)
class Report:
    """The result of computing a paper again."""

    source: Source
    seed: int
    seconds: float
    tables: tuple[Table, ...]
    curves: tuple[Curves, ...] = ()

    @property
    def counts(self) -> dict[Verdict, int]:
        """The number of findings with each verdict."""
        found = Counter(finding.verdict for table in self.tables for finding in table.findings)
        return {verdict: found[verdict] for verdict in Verdict}
