"""Numbers as a person reads them: counts, rates, durations. Plain arithmetic, without an app."""

import math
from collections import deque
from collections.abc import Sequence
from typing import Final


def count_text(count: float) -> str:
    """A count with its thousands apart: `1,571,823`."""
    return f"{round(count):,}"


SCALES = ((1, ""), (1e3, " k"), (1e6, " M"), (1e9, " G"), (1e12, " T"))


def short_count(count: float) -> str:
    """A count in at most six characters: `862`, `6.4 k`, `16.6 M`."""
    size, letter = next((scale for scale in SCALES if count / scale[0] < 999.5), SCALES[-1])
    scaled = count / size
    return f"{scaled:.{1 if letter and scaled < 99.95 else 0}f}".removesuffix(".0") + letter


def rounds_text(count: int, noun: str, *, short: bool = True) -> str:
    """How long something was trained: `6.4 k games`, or in full `6,409 games`; `1 generation`."""
    return f"{short_count(count) if short else count_text(count)} {noun}{'' if count == 1 else 's'}"


def rate_text(per_second: float) -> str:
    """Rounds a second: `0.1/s`, `12.4 M/s`; a dash before there is a rate."""
    if per_second <= 0:
        return "–/s"
    return f"{per_second:.1f}/s" if per_second < 10 else f"{short_count(per_second)}/s"


def duration_text(seconds: float) -> str:
    """A duration as `0:07`, `12:30` or `3:05:00`; a dash for one that cannot be told."""
    if not math.isfinite(seconds):
        return "–:––"
    minutes, rest = divmod(math.ceil(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def remaining_seconds(done: int, total: int, per_second: float) -> float:
    """How long the rest takes at this rate; infinite before there is a rate."""
    if done >= total:
        return 0.0
    return (total - done) / per_second if per_second > 0 else math.inf


def percent_text(share: float) -> str:
    """A share of one as `93.8 %`; `0 %` and `100 %` only where it is exactly that, else `<0.1 %` and `>99.9 %`."""
    shown = round(100 * share, 1)
    if shown == 0 and share > 0:
        return "<0.1 %"
    return ">99.9 %" if shown == 100 and share < 1 else f"{shown:g} %"


def percent_number(share: float) -> str:
    """A share of one as `percent_text` tells it, without the sign."""
    return percent_text(share).removesuffix(" %")


BARS: Final = "▁▂▃▄▅▆▇"  # not the full block: lines of it would run into each other


def bars(numbers: Sequence[int], least: int, most: int, heights: str = BARS) -> str:
    """Numbers from `least` to `most` as small bars; the first of `heights` is for `least` alone."""
    steps, span = len(heights) - 1, max(1, most - least)
    return "".join(heights[-(-(number - least) * steps // span)] for number in numbers)


class RateMeter:
    """Counts per second over the last few seconds, so that a change of pace shows at once."""

    def __init__(self, window: float = 3.0) -> None:
        self._window = window
        self._seen: deque[tuple[float, int]] = deque()

    def add(self, now: float, done: int) -> None:
        """Take note of a count. Times ascend."""
        if not self._seen or done > self._seen[-1][1]:
            self._seen.append((now, done))
        while len(self._seen) > 2 and now - self._seen[0][0] > self._window:
            self._seen.popleft()

    @property
    def per_second(self) -> float:
        """The rate, or 0 before two counts are known."""
        if len(self._seen) < 2:
            return 0.0
        (begun, low), (ended, high) = self._seen[0], self._seen[-1]
        return (high - low) / (ended - begun) if ended > begun else 0.0
