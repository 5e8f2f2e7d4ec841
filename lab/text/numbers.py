"""Numbers as text for people: counts, rates, shares and durations."""

import math
from collections import deque
from collections.abc import Sequence
from typing import Final

from engine.plural import plural


def count_text(count: float) -> str:
    """Return a count, rounded, with thousands separators: `1,571,823`."""
    return f"{round(count):,}"


SCALES: Final = ((1, ""), (1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T"))


def short_count(count: float) -> str:
    """Return a count in at most five characters: `862`, `6.4k`, `16.6M`."""
    size, letter = next((scale for scale in SCALES if count / scale[0] < 999.5), SCALES[-1])
    scaled = count / size
    digits = f"{scaled:.1f}" if letter and scaled < 99.95 else f"{scaled:.0f}"
    return digits.removesuffix(".0") + letter


def rounds_text(count: int, noun: str) -> str:
    """Return a short count and its noun: `6.4k games`, `1 generation`. See `counted_noun` for the full number."""
    return f"{short_count(count)} {plural(noun, count)}"


def rate_text(per_second: float, noun: str = "") -> str:
    """Return a rate per second: `0.1/s`, `12.4M/s`, `12.4M games/s`; a dash if it is not known yet (0)."""
    unit = f" {plural(noun, 2)}/s" if noun else "/s"
    if per_second <= 0:
        return f"–{unit}"
    return f"{per_second:.1f}{unit}" if per_second < 10 else f"{short_count(per_second)}{unit}"


def share_text(share: float) -> str:
    """Return a share from 0 to 1 in whole per cent: `50 %`; `0 %` and `100 %` only if that is exact."""
    shown = round(100 * share)
    if shown == 0 and share > 0:
        return "<1 %"
    return ">99 %" if shown == 100 and share < 1 else f"{shown} %"


def duration_text(seconds: float) -> str:
    """Return a duration as `0:07`, `12:30` or `3:05:00`; dashes if it is infinite."""
    if not math.isfinite(seconds):
        return "–:––"
    minutes, rest = divmod(math.ceil(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def remaining_seconds(done: int, total: int, per_second: float) -> float:
    """Return the seconds that are left at this rate; infinite if the rate is not known yet (0)."""
    if done >= total:
        return 0.0
    return (total - done) / per_second if per_second > 0 else math.inf


def percent_text(share: float) -> str:
    """Return a share from 0 to 1 as `93.8 %`: `0 %` and `100 %` only if exact, otherwise `<0.1 %` and `>99.9 %`."""
    return f"{percent_number(share)} %"


def percent_number(share: float) -> str:
    """Return a share as in `percent_text`, without the percent sign."""
    percent = round(100 * share, 1)
    if percent == 0 and share > 0:
        return "<0.1"
    return ">99.9" if percent == 100 and share < 1 else f"{percent:g}"


def decimal_percent(share: float) -> str:
    """Return a share in per cent for a column, without the percent sign: `43.0`; `0` and `100` are exact."""
    short = percent_number(share)
    return short if share in (0, 1) or short[0] in "<>" else f"{100 * share:.1f}"


def in_games(share: float) -> str:
    """Return a share of games as a small fraction: `never`, `in about 3 of 4 games`, `in every game`."""
    if share in (0, 1):
        return "in every game" if share else "never"
    about, part, whole = small_fraction(share)
    return f"in {about}{part:,} of {whole:,} games"


def small_fraction(share: float) -> tuple[str, int, int]:
    """Return a share between 0 and 1 as a numerator and a denominator, after `about ` if they are not exact."""
    from fractions import Fraction  # slow to import

    if share < 0.2:
        fraction = Fraction(1, round(1 / share))
    elif share > 0.8:
        fraction = 1 - Fraction(1, round(1 / (1 - share)))
    else:
        fraction = Fraction(share).limit_denominator(5)
    about = "" if abs(float(fraction) - share) < 1e-9 else "about "
    return about, fraction.numerator, fraction.denominator


ZERO: Final = "·"
BARS: Final = "▁▂▃▄▅▆▇"
"""Bars of ascending heights. The full block is left out: two of them in adjacent lines would touch."""


def bars(numbers: Sequence[int], least: int, most: int, heights: str = BARS) -> str:
    """Return numbers from `least` to `most` as a row of bars. The first of `heights` is used only for `least`."""
    steps, span = len(heights) - 1, max(1, most - least)
    return "".join(heights[math.ceil((number - least) * steps / span)] for number in numbers)


def spark(numbers: Sequence[int], maximum: int, width: int) -> str:
    """Return a row of at most `width` bars for numbers from 0 to `maximum`; of more numbers, some are left out."""
    if len(numbers) > width:
        numbers = [numbers[round(at * (len(numbers) - 1) / max(1, width - 1))] for at in range(width)]
    return bars(numbers, 0, maximum, ZERO + BARS)


class RateMeter:
    """A rate over the last few seconds, so that a change of pace shows soon."""

    def __init__(self, window: float = 3.0) -> None:
        self._window = window
        self._counts: deque[tuple[float, int]] = deque()
        """Times and counts, ascending."""

    def add(self, now: float, done: int) -> None:
        """Record that the count is `done` at the time `now`, in seconds. Times must ascend."""
        if not self._counts or done > self._counts[-1][1]:
            self._counts.append((now, done))
        while len(self._counts) > 2 and now - self._counts[0][0] > self._window:
            self._counts.popleft()

    @property
    def per_second(self) -> float:
        """The rate; 0 before two counts are recorded."""
        if len(self._counts) < 2:
            return 0.0
        (start, low), (end, high) = self._counts[0], self._counts[-1]
        return (high - low) / (end - start) if end > start else 0.0
