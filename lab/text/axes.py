"""The axes of line charts over the rounds of a training: where numbers stand on them, and their labels.

    column   cells of the plot one above the other, counted from 0 at the left; the scale is logarithmic or linear
    row      cells of the plot side by side, counted from 0 at the top
    level    the place of a dot, counted from 0 at the bottom of the plot; a cell has four levels

The numbers of an axis are in the middle of their lines, and so are its ends. The axis of rounds is a line below the
plot, so that neither hides the other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10
from typing import Final

from lab.text.numbers import percent_text, short_count

ACROSS, UP = 2, 4
"""The number of dots in a cell, across and up."""
EACH_ROUND: Final = 9
EVERY_OTHER_ROUND: Final = 12
"""The largest numbers of rounds for which a linear axis labels each round, and every other one."""
MAX_INTERVALS: Final = 5
"""The maximum number of intervals between the labels of an axis, except on axes of powers of ten."""
ROUND_STEPS: Final = (1, 2, 2.5, 5)
"""The distance between two labels of a vertical axis is one of these, times a power of ten."""
MIN_LINES: Final = 3
"""The minimum distance of two labels of a vertical axis, in lines; one less if there are at most three labels."""
MAX_EMPTY: Final = 3
"""The maximum number of lines above the plot that are left empty to space the labels equally."""
FLOOR_FROM: Final = 6
"""The minimum number of lines of a chart with a line for the axis of rounds; a smaller chart has only its numbers."""
MIN_SHARE: Final = 0.001
"""The lower end of a logarithmic axis of shares; smaller shares are drawn at that end."""
TOPS: Final = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
"""The possible upper ends of a linear axis of shares; an exploitability can reach 2."""
EMPTY_TOP: Final = 0.5
"""The share at the top of the axis of a chart without curves: about that of learners before their training."""
ROUNDING: Final = 1e-9
"""A number that exceeds the end of an axis by less than this does not lengthen the axis."""
NUMBERS: Final = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
"""The signs of the first marks; many fonts have no others, so that later ones are plain numbers."""
Points = Sequence[tuple[int, float]]
"""Pairs of a number of rounds and the number drawn there, ascending by rounds."""


@dataclass(frozen=True)
class Axes:
    rounds: int
    unit: str = "games"
    logarithmic: bool = True
    """Whether the axis of rounds is logarithmic."""
    low: float = 0.0
    high: float = 1.0
    """The numbers at the bottom and at the top of the vertical axis."""
    number_text: Callable[[float], str] = percent_text
    step: float = 0.0
    """The numbers that are labelled are multiples of this."""
    log_numbers: bool = False
    """Whether the vertical axis is logarithmic; `low` and `high` must then be at least 1."""
    marks: tuple[int, ...] = ()
    """Numbers of rounds, ascending, that are numbered ①, ② … on the axis of rounds."""

    def across(self, rounds: float) -> float:
        """Return the place of a number of rounds on its axis, from 0 to 1."""
        if self.logarithmic:
            return clamp_share(log10(max(1.0, rounds)) / log10(self.end))
        return clamp_share(rounds / self.end)

    @property
    def end(self) -> int:
        """The last number of rounds on the axis as it is drawn."""
        return max(self.rounds, 2 if self.logarithmic else 1)

    def up(self, number: float) -> float:
        """Return the place of a number on the vertical axis, from 0 to 1; beyond an end of the axis, that end."""
        low, high = self.low, self.high
        if self.log_numbers:
            low, high, number = log10(low), log10(high), log10(max(low, number))
        return clamp_share((number - low) / (high - low) if high > low else 0.0)


def clamp_share(share: float) -> float:
    """Return a share, or 0 or 1 if it is beyond them."""
    return min(1.0, max(0.0, share))


def share_axes(top: float, rounds: int, *, log: bool) -> Axes:
    """Return the axes of a chart of shares up to `top`. With `log`, the numbers are base-ten logarithms of shares."""
    if log:
        low = log10(MIN_SHARE)

        def power_text(power: float) -> str:
            share = f"{100 * 10**power:g} %"
            return f"≤{share}" if power <= low + ROUNDING else share

        return Axes(rounds, low=low, high=0.0, step=1.0, number_text=power_text)
    return Axes(rounds, high=next(end for end in TOPS if end >= min(2.0, top) - ROUNDING))


def share_height(share: float, *, log: bool) -> float:
    """Return the number that represents a share on the axes of `share_axes`."""
    return log10(max(MIN_SHARE, share)) if log else share


def mark_of(number: int) -> str:
    """Return the sign of a mark, counted from 0: ①, ② … ⑳, 21, 22 …"""
    return NUMBERS[number] if number < len(NUMBERS) else str(number + 1)


def column_of(rounds: float, axes: Axes, columns: int) -> int:
    """Return the column of a number of rounds, from 0; on a logarithmic axis, 0 for rounds below 1."""
    return round(axes.across(rounds) * (columns - 1))


def level_of(number: float, axes: Axes, rows: int, *, whole: bool = False) -> int:
    """Return the level of a number in a plot with this many rows; a number beyond the axis is drawn at its end.

    The ends of the axis are in the middle of the first and the last row, where they are labelled. With `whole`, and in
    a single row, they are the edges of the plot.
    """
    edge = 0 if whole or rows == 1 else UP // 2
    return min(rows * UP - 1, floor(edge + axes.up(number) * (rows * UP - 2 * edge) + ROUNDING))


def axis_ticks(axes: Axes) -> list[int]:
    """Return the rounds to label, with the end: powers of ten on a logarithmic axis, otherwise round numbers or all."""
    end = axes.end
    if not axes.logarithmic:
        step = _step(end)
        if end <= EVERY_OTHER_ROUND:
            return [*range(0, end + 1, step)]
        return [*(tick for tick in range(0, end, step) if end - tick >= step / 2), end]
    powers = [10**power for power in range(floor(log10(end)) + 1)]
    return sorted({*powers, end})


def even_end(rounds: int) -> int:
    """Return the end of a linear axis of at least so many rounds that has labels equally far apart, and one there."""
    step = _step(rounds)
    return ceil(rounds / step) * step


def _step(end: int) -> int:
    """Return how many rounds apart the labels of a linear axis are."""
    if end <= EVERY_OTHER_ROUND:
        return 1 if end <= EACH_ROUND else 2
    steps = (factor * int(10**power) for power in range(end) for factor in (1, 2, 5))
    return next(step for step in steps if end <= MAX_INTERVALS * step)


def marks_at(wanted: Sequence[int], room: int) -> list[tuple[int, str]]:
    """Return the places and signs of marks, ascending, in `room` columns; `wanted` has the columns where they belong.

    Marks that would touch become one group, such as `②…⑤`.
    """

    def place_group(first: int, last: int) -> tuple[int, str]:
        text = mark_of(first) if first == last else f"{mark_of(first)}…{mark_of(last)}"
        start = round((wanted[first] + wanted[last] - len(text) + 1) / 2)
        return max(0, min(room - len(text), start)), text

    groups: list[tuple[int, int]] = []  # the first and the last number of each
    for number in range(len(wanted)):
        groups.append((number, number))
        while len(groups) > 1:
            (start, text), (following, _) = place_group(*groups[-2]), place_group(*groups[-1])
            if start + len(text) < following:
                break
            groups[-2:] = [(groups[-2][0], number)]
    return [place_group(*group) for group in groups]


def scale(axes: Axes, height: int) -> tuple[int, dict[int, str]]:
    """Return the number of rows of the plot of a chart, and the labels of the vertical axis by row.

    Labels that divide the whole axis are equally far apart.
    """
    rows = max(1, height - 1 - (height >= FLOOR_FROM))
    numbers = _numbers_to_label(axes, rows - 1)
    if height >= FLOOR_FROM and abs(axes.up(numbers[0])) < ROUNDING and abs(axes.up(numbers[-1]) - 1) < ROUNDING:
        rows -= (rows - 1) % (len(numbers) - 1)
    labels: dict[int, str] = {}
    for number in (numbers[0], numbers[-1], *numbers[1:-1]):  # the ends have their labels first
        row = rows - 1 - level_of(number, axes, rows) // UP
        if labels.keys().isdisjoint(range(row - 1, row + 2)):
            labels[row] = axes.number_text(number)
    return rows, labels


def _numbers_to_label(axes: Axes, rows: int) -> list[float]:
    """Return the numbers to label on a vertical axis with this many rows, ascending: round numbers, or powers of ten.

    If there are none, return the ends of the axis.
    """
    if not axes.log_numbers:
        return _round_numbers(axes, rows) or [axes.low, axes.high]
    powers = [10.0**power for power in range(ceil(log10(axes.low)), floor(log10(axes.high) + ROUNDING) + 1)]
    if len(powers) < 2:
        return [axes.low, axes.high]
    intervals = len(powers) - 1
    for step in range(1, intervals):
        if intervals % step == 0 and rows * step // intervals > 1 and rows % (intervals // step) <= MAX_EMPTY:
            return powers[::step]
    return powers[::intervals]


def _round_numbers(axes: Axes, rows: int) -> list[float]:
    """Return the round numbers to label, equally far apart: if possible with the upper end, and many."""
    span = axes.high - axes.low
    if span <= 0:
        return []
    power, ranked = floor(log10(span)), dict[tuple[bool, bool, int, float], list[float]]()
    for step in (factor * 10.0**exponent for exponent in (power - 1, power) for factor in ROUND_STEPS):
        intervals = span / step
        if intervals > MAX_INTERVALS + ROUNDING or rows * step / span < (MIN_LINES if intervals > 2 else MIN_LINES - 1):
            continue
        if axes.step and abs(step / axes.step - round(step / axes.step)) >= ROUNDING:
            continue
        first, last = ceil(axes.low / step - ROUNDING), floor(axes.high / step + ROUNDING)
        labels_end = abs(step * last - axes.high) < ROUNDING * span
        is_many = intervals >= MAX_INTERVALS - 1  # then, rather as many as leave few lines above the plot
        empty_lines = rows % round(intervals) if is_many else 0
        ranked[labels_end, is_many, -empty_lines, intervals] = [step * nth for nth in range(first, last + 1)]
    return ranked[max(ranked)] if ranked else []


def end_text(axes: Axes) -> str:
    """Return the last label of the axis of rounds, with the unit, if it has one."""
    return f"{short_count(axis_ticks(axes)[-1])} {axes.unit}".rstrip()


def rounds_line(axes: Axes, columns: int, room: int) -> str:
    """Return as many labels of the axis of rounds as fit below their columns, with the unit at the end.

    The last one is always there, and the first if there is room; those between are evenly spaced. If there is no room
    for the unit, it is left out.
    """
    ticks = axis_ticks(axes)
    names = [(column_of(tick, axes, columns), short_count(tick)) for tick in ticks]
    (column, last), text = names.pop(), end_text(axes)
    if column + len(text) > room:
        text = last
    end = (max(0, min(column, room - len(text))), text)
    labels = [end]
    for step in range(1, len(names) + 1):
        candidates = [*(name for name in names[::step] if _are_apart([name, end])), end]
        if _are_apart(candidates):
            labels = candidates
            break
    line = ""
    for start, text in labels:
        line = line.ljust(start) + text
    return line[: max(0, room)]


def _are_apart(labels: Sequence[tuple[int, str]]) -> bool:
    return all(start + len(text) + 2 <= following for (start, text), (following, _) in pairwise(labels))
