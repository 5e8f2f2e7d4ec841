"""Line charts over the rounds of a training: two thin axes, no frame, and a label at the end of each curve.

    column   cells of the plot one above the other, counted from 0 at the left; the scale is logarithmic or linear
    level    half a cell of the plot, vertically, from 0 at the bottom
    owner    the number of the curve drawn at a column and level, −1 if none is; earlier curves lie on top

`draw_chart` is plain arithmetic; a screen and a picture show its lines.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from lab.text.numbers import percent_text, short_count

NOBODY: Final = -1
HALVES: Final = 2
"""The levels of a cell."""
UPPER, LOWER, BOTH, SHADE = "▀", "▄", "█", "░"
AXIS: Final = "│"
MAX_LABEL: Final = 40
"""The maximum width of the labels of curves, in columns; longer ones are cut."""
MIN_PLOT: Final = 20
"""The minimum width of the plot, in columns, with labels beside it; if it would be less, there are no labels."""
MIN_SHARE: Final = 0.001
"""The lower end of a logarithmic axis of shares; smaller shares are drawn there."""
TOPS: Final = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0)
"""The possible upper ends of a linear axis of shares."""

Points = Sequence[tuple[int, float]]
"""Pairs of a number of rounds and the number drawn there, ascending by rounds."""


@dataclass(frozen=True)
class Series:
    """One curve."""

    label: str
    """The text at the end of the curve."""
    points: Points
    style: str
    """A Rich style, such as a colour."""
    letter: str
    """The character that draws the curve where colours cannot be relied on."""
    low: Points = ()
    high: Points = ()
    """The lower and upper edge of a band around the curve, drawn dim; if they are empty, there is no band."""
    dim: bool = False
    """Whether the curve is drawn dim, for comparison only."""


@dataclass(frozen=True)
class Axes:
    """The scales of the two axes."""

    rounds: int
    """The end of the axis of rounds."""
    unit: str = "games"
    logarithmic: bool = True
    """Whether the axis of rounds is logarithmic."""
    low: float = 0.0
    high: float = 1.0
    """The numbers at the bottom and at the top of the vertical axis."""
    number_text: Callable[[float], str] = percent_text
    log_numbers: bool = False
    """Whether the vertical axis is logarithmic; `low` and `high` must then be at least 1."""


def share_axes(top: float, rounds: int, *, log: bool) -> Axes:
    """The axes of a chart of shares up to `top`. With `log`, the numbers are base-ten logarithms of shares."""
    if log:
        return Axes(rounds, low=log10(MIN_SHARE), high=0.0, number_text=lambda power: f"{100 * 10**power:g} %")
    return Axes(rounds, high=next(end for end in TOPS if end >= min(1.0, top)))


def share_height(share: float, *, log: bool) -> float:
    """The number that stands for a share on the axes of `share_axes`."""
    return log10(max(MIN_SHARE, share)) if log else share


def draw_chart(series: Sequence[Series], axes: Axes, width: int, height: int, *, letters: bool = False) -> list[Text]:
    """The lines of a chart, from the top: `height` lines of at most `width` cells; the last one is the axis of rounds.

    `letters` draws each curve with its letter instead of blocks, so that no colour is needed.
    """
    rows = max(1, height - 1)
    tick_texts = _number_ticks(axes, rows)
    margin = max(len(text) for text in tick_texts.values())
    room = width - margin - len(AXIS)
    longest = min(MAX_LABEL, max((len(each.label) for each in series), default=0))
    labelled = longest > 0 and room - longest - 1 >= MIN_PLOT
    columns = max(2, room - longest - 1 if labelled else room)
    owner = np.full((columns, rows * HALVES), NOBODY)
    shade = np.full((columns, rows * HALVES), NOBODY)
    for number in reversed(range(len(series))):
        each = series[number]
        _fill(shade, number, each.low, each.high, axes)
        _trace(owner, number, each.points, axes)
    labels = _label_rows(series, axes, rows) if labelled else {}
    lines = []
    for row in range(rows):
        line = Text(no_wrap=True)
        line.append(f"{tick_texts.get(row, ''):>{margin}}{AXIS}", "dim")
        upper = rows * HALVES - 1 - row * HALVES
        for column in range(columns):
            glyph, style = _cell(series, owner[column], shade[column], upper, letters=letters)
            line.append(glyph, style)
        if row in labels:
            each = series[labels[row]]
            line.append(f" {_cut(each.label, longest)}", _label_style(each))
        lines.append(line)
    lines.append(Text(" " * (margin + len(AXIS)) + _rounds_line(axes, columns, room), "dim", no_wrap=True))
    return lines


def column_of(rounds: float, axes: Axes, columns: int) -> int:
    """The column of a number of rounds, from 0; on a logarithmic axis, the first one also for rounds below 1."""
    end = max(axes.rounds, 2)
    share = log10(max(1.0, rounds)) / log10(end) if axes.logarithmic else rounds / end
    return min(columns - 1, max(0, round(share * (columns - 1))))


def level_of(number: float, axes: Axes, levels: int) -> int:
    """The level of a number, from 0 at the bottom; numbers beyond the axis are drawn at its end."""
    low, high, here = axes.low, axes.high, number
    if axes.log_numbers:
        low, high, here = log10(low), log10(high), log10(max(low, number))
    share = (here - low) / (high - low) if high > low else 0.0
    return min(levels - 1, max(0, round(share * (levels - 1))))


def axis_ticks(axes: Axes) -> list[int]:
    """The numbers of rounds to label: powers of ten on a logarithmic axis, else quarters, and always the end."""
    end = max(axes.rounds, 2)
    if not axes.logarithmic:
        return sorted({round(end * part / 4) for part in range(5)})
    powers = [10**power for power in range(floor(log10(end)) + 1)]
    return sorted({*powers, end})


def tick_text(count: float) -> str:
    """A count in short form, for an axis: `100k`."""
    return short_count(count).replace(" ", "")


def _levels_by_column(points: Points, axes: Axes, columns: int, levels: int) -> dict[int, int]:
    """The level of a curve in each column from its first point to its last, interpolated linearly between points."""
    if not points:
        return {}
    at = np.array([column_of(rounds, axes, columns) for rounds, _ in points])
    numbers = np.array([number for _, number in points], float)
    reached = range(int(at[0]), int(at[-1]) + 1)
    # of several points in one column, the last counts, since the curve leaves the column there
    last = np.append(np.flatnonzero(np.diff(at)), len(at) - 1)
    between = np.interp(list(reached), at[last], numbers[last])
    return {column: level_of(float(number), axes, levels) for column, number in zip(reached, between, strict=True)}


def _trace(owner: NDArray[np.int_], number: int, points: Points, axes: Axes) -> None:
    """Draw a curve; where it is steep, fill the levels in between, so that it has no gaps."""
    columns, levels = owner.shape
    before = None
    for column, level in _levels_by_column(points, axes, columns, levels).items():
        begin = level if before is None or abs(level - before) <= 1 else before + (1 if level > before else -1)
        owner[column, min(begin, level) : max(begin, level) + 1] = number
        before = level


def _fill(shade: NDArray[np.int_], number: int, low: Points, high: Points, axes: Axes) -> None:
    columns, levels = shade.shape
    bottoms = _levels_by_column(low, axes, columns, levels)
    for column, top in _levels_by_column(high, axes, columns, levels).items():
        shade[column, bottoms[column] : top + 1] = number


def _cell(
    series: Sequence[Series], owner: NDArray[np.int_], shade: NDArray[np.int_], upper: int, *, letters: bool
) -> tuple[str, str]:
    """The character and the style of a cell whose upper level is `upper`."""
    above, below = int(owner[upper]), int(owner[upper - 1])
    if letters and max(above, below) != NOBODY:
        first = min(each for each in (above, below) if each != NOBODY)
        return series[first].letter, _style(series[first])
    if above != NOBODY and below not in (NOBODY, above):
        return UPPER, f"{series[above].style} on {series[below].style}"
    if above != NOBODY:
        return BOTH if below == above else UPPER, _style(series[above])
    if below != NOBODY:
        return LOWER, _style(series[below])
    band = max(int(shade[upper]), int(shade[upper - 1]))
    return (" ", "") if band == NOBODY else (SHADE, f"dim {series[band].style}")


def _style(series: Series) -> str:
    return f"dim {series.style}" if series.dim else series.style


def _label_style(series: Series) -> str:
    return _style(series) if series.dim else f"bold {series.style}"


def _cut(label: str, width: int) -> str:
    return label if len(label) <= width else f"{label[: width - 1]}…"


def _label_rows(series: Sequence[Series], axes: Axes, rows: int) -> dict[int, int]:
    """The number of the curve whose label is in each row: near its end, so that each label has its own row."""
    levels = rows * HALVES
    wanted = sorted(
        ((levels - 1 - level_of(each.points[-1][1], axes, levels)) // HALVES, number)
        for number, each in enumerate(series)
        if each.points
    )[:rows]
    placed = [row for row, _ in wanted]
    for place in range(1, len(placed)):
        placed[place] = max(placed[place], placed[place - 1] + 1)
    for place in reversed(range(len(placed))):
        most = rows - 1 if place == len(placed) - 1 else placed[place + 1] - 1
        placed[place] = min(placed[place], most)
    return dict(zip(placed, (number for _, number in wanted), strict=True))


def _number_ticks(axes: Axes, rows: int) -> dict[int, str]:
    """The labels of the vertical axis by row: its ends, and in between the middle or powers of ten, if they fit."""
    found = {0: axes.number_text(axes.high), rows - 1: axes.number_text(axes.low)}
    if axes.log_numbers:
        levels = rows * HALVES
        for power in range(1, floor(log10(axes.high)) + 1):
            row = (levels - 1 - level_of(10.0**power, axes, levels)) // HALVES
            if found.keys().isdisjoint(range(row - 1, row + 2)):
                found[row] = axes.number_text(10.0**power)
    elif rows % 2 and rows > 4:
        found[rows // 2] = axes.number_text((axes.low + axes.high) / 2)
    return found


def _rounds_line(axes: Axes, columns: int, room: int) -> str:
    """As many labels of the axis of rounds as fit, below their columns, with the unit after the last one."""
    cells = [" "] * room
    free = room
    names = [(column_of(tick, axes, columns), tick_text(tick)) for tick in axis_ticks(axes)]
    last_column, last = names.pop()
    for column, text in [(last_column, f"{last} {axes.unit}"), *reversed(names)]:
        start = min(column, room - len(text))
        if start >= 0 and start + len(text) <= free:
            cells[start : start + len(text)] = text
            free = start - 1
    return "".join(cells).rstrip()
