"""Line charts over the rounds of a training: curves of dots, two thin axes, and a label at the end of each curve.

    column   cells of the plot one above the other, counted from 0 at the left; the scale is logarithmic or linear
    row      cells of the plot side by side, counted from 0 at the top
    dot      an eighth of a cell: a cell has two dots across and four up, as a Braille character does
    level    the place of a dot, counted from 0 at the bottom of the plot
    owner    the number of the curve drawn in a cell, `NOBODY` if none is; curves that share cells take turns in them

The numbers of an axis are in the middle of their lines, and so are its ends: a curve that falls to the lower end lies
on the line of the axis of rounds, which is the last row of the plot.

`draw_chart` is plain arithmetic; a screen, a picture and the command line show its lines. So it is not done with the
widget of `textual-hires-canvas`, which draws only inside a running app.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from math import ceil, floor, log10
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from lab.text.columns import cut
from lab.text.numbers import percent_text, short_count

NOBODY: Final = 1 << 20
"""Larger than the number of any curve."""
ACROSS, UP = 2, 4
"""The number of dots in a cell, across and up."""
BITS: Final = np.array([[64, 4, 2, 1], [128, 32, 16, 8]])
"""What each dot of a cell adds to the code of its Braille character: by column, and from the bottom."""
BLANK: Final = "\u2800"
SHADE: Final = "░"
AXIS, TICKED, CORNER, FLOOR, MARKED = "│", "┤", "└", "─", "┬"
MAX_LABEL: Final = 40
"""The maximum width of the labels of curves, in columns; longer ones are cut."""
MIN_PLOT: Final = 16
"""The minimum width of the plot, in columns, with labels beside it; without that room there are no labels."""
LEADER: Final = 2
"""The columns between the end of a curve and its label: the leader, and a space."""
FEW: Final = 12
"""The largest number of rounds for which a linear axis labels each round or every other one."""
MANY: Final = 5
"""The maximum number of intervals between the labels of an axis, except on axes of powers of ten."""
ROUND: Final = (1, 2, 2.5, 5)
"""The distance between two labels of a vertical axis is one of these, times a power of ten."""
APART: Final = 3
"""The minimum distance of two such labels, in lines; one line less if there are at most three labels."""
AIR: Final = 3
"""The maximum number of lines above the plot that are left empty to space the labels equally."""
FLOOR_FROM: Final = 6
"""The minimum number of lines of a chart with a line for the axis of rounds; a smaller chart has only its numbers."""
MIN_SHARE: Final = 0.001
"""The lower end of a logarithmic axis of shares; smaller shares are drawn at that end."""
TOPS: Final = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
"""The possible upper ends of a linear axis of shares; an exploitability can reach 2."""
ROUNDING: Final = 1e-9
"""A number that exceeds the end of an axis by less than this does not lengthen the axis."""
NUMBERS: Final = "①②③④⑤⑥⑦⑧⑨"
"""The signs of the first marks; many fonts have no others, so that later ones are plain numbers."""
LEFT, RIGHT, ABOVE, BELOW = 1, 2, 4, 8
LINES: Final = dict(enumerate(" ╴╶─╵╯╰┴╷╮╭┬│┤├┼"))
"""The line character that goes to some sides of a cell, by the sum of these sides."""

Points = Sequence[tuple[int, float]]
"""Pairs of a number of rounds and the number drawn there, ascending by rounds."""


@dataclass(frozen=True)
class Series:
    label: str
    points: Points
    style: str = ""
    """A Rich style, such as a colour."""
    letter: str = ""
    """The character that draws the curve where colours cannot be relied on."""
    low: Points = ()
    high: Points = ()
    """The lower and upper edge of a band around the curve, drawn dim; if they are empty, there is no band."""
    dim: bool = False
    """Whether the curve is drawn dim, for comparison only."""
    steps: bool = False
    """Whether the curve keeps a number until half way to the next point, and then changes at once."""


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
        return _bounded(log10(max(1.0, rounds)) / log10(self.end) if self.logarithmic else rounds / self.end)

    @property
    def end(self) -> int:
        """The last number of rounds on the axis as it is drawn."""
        return max(self.rounds, 2)

    def up(self, number: float) -> float:
        """Return the place of a number on the vertical axis, from 0 to 1; beyond an end of the axis, that end."""
        low, high = self.low, self.high
        if self.log_numbers:
            low, high, number = log10(low), log10(high), log10(max(low, number))
        return _bounded((number - low) / (high - low) if high > low else 0.0)


def _bounded(share: float) -> float:
    return min(1.0, max(0.0, share))


def share_axes(top: float, rounds: int, *, log: bool) -> Axes:
    """Return the axes of a chart of shares up to `top`. With `log`, the numbers are base-ten logarithms of shares."""
    if log:
        return Axes(
            rounds, low=log10(MIN_SHARE), high=0.0, step=1.0, number_text=lambda power: f"{100 * 10**power:g} %"
        )
    return Axes(rounds, high=next(end for end in TOPS if end >= min(2.0, top) - ROUNDING))


def share_height(share: float, *, log: bool) -> float:
    """Return the number that represents a share on the axes of `share_axes`."""
    return log10(max(MIN_SHARE, share)) if log else share


def mark_of(number: int) -> str:
    """Return the sign of a mark, counted from 0: ①, ② … ⑨, 10, 11 …"""
    return NUMBERS[number] if number < len(NUMBERS) else str(number + 1)


def draw_chart(series: Sequence[Series], axes: Axes, width: int, height: int, *, letters: bool = False) -> list[Text]:
    """Return a chart from the top: `height` lines of at most `width` cells, of which the last is the axis of rounds.

    `letters` draws each curve with its letter instead of dots, so that no colour is needed.
    """
    has_floor = height >= FLOOR_FROM
    rows, tick_texts = _scale(axes, height)
    margin = max(len(text) for text in tick_texts.values())
    room = width - margin - len(AXIS)
    columns, longest = _columns(series, room)
    crowded = sum(bool(each.label and each.points) for each in series) > rows
    legend = _legend(series, width, letters=letters, whole=crowded) if has_floor and (crowded or not longest) else None
    if legend is not None:
        bare = [replace(each, label="") for each in series]
        return [legend, *draw_chart(bare, axes, width, height - 1, letters=letters)]
    plot = _plot(series, axes, columns, rows, letters=letters)
    if has_floor:
        _add_floor(plot[-1], axes)
    if longest:
        _add_labels(plot, series, axes, longest, has_floor=has_floor)
    lines = [Text() for _ in range(max(1, height - 1) - rows)]
    for row, cells in enumerate(plot):
        side = CORNER if has_floor and row == rows - 1 else TICKED if row in tick_texts else AXIS
        lines.append(_line([(f"{tick_texts.get(row, ''):>{margin}}{side}", "dim"), *cells]))
    lines.append(_line([(" " * (margin + len(AXIS)) + _rounds_line(axes, columns, room), "dim")]))
    return lines


def _legend(series: Sequence[Series], width: int, *, letters: bool, whole: bool) -> Text | None:
    """Return the labels of the curves in a line, each in its style, or only their first words; `None` if none fits.

    With `whole`, labels are never shortened.
    """
    shown = [each for each in series if each.label and each.points]
    named = [(each, f"{each.letter} " * (letters and each.label.split()[0] != each.letter)) for each in shown]
    for end in (None,) if whole else (None, 1):
        words = [sign + " ".join(each.label.split()[:end]) for each, sign in named]
        styles = [f"{'dim' if each.dim else 'bold'} {each.style}" for each, _ in named]
        line = Text("  ").join(map(Text, words, styles))
        if len(named) > 1 and line.cell_len <= width:
            return line
    return None


def _columns(series: Sequence[Series], room: int) -> tuple[int, int]:
    """Return the numbers of columns of the plot and of the labels beside it; the latter is 0 if they do not fit."""
    longest = min(MAX_LABEL, max((len(each.label) for each in series), default=0))
    if longest == 0 or room - longest - LEADER < MIN_PLOT:
        return max(2, room), 0
    return max(2, room - longest - LEADER), longest


def rounds_at(column: int, series: Sequence[Series], axes: Axes, width: int, height: int) -> float:
    """Return the number of rounds at a column of `draw_chart`; at a column beside the plot, that at its end."""
    margin = max(map(len, _scale(axes, height)[1].values())) + len(AXIS)
    place = _bounded((column - margin) / (_columns(series, width - margin)[0] - 1))
    return float(axes.end**place if axes.logarithmic else axes.end * place)


def draw_curves(  # noqa: PLR0913  curves, and how they are drawn
    series: Sequence[Series], axes: Axes, columns: int, rows: int, *, letters: bool = False, whole: bool = False
) -> list[Text]:
    """Return only the curves of a chart: `rows` lines of `columns` cells.

    `draw_chart` explains `letters`, `level_of` explains `whole`.
    """
    return [_line(cells) for cells in _plot(series, axes, columns, rows, letters=letters, whole=whole)]


def spread(wanted: Sequence[float], room: int) -> list[int]:
    """Return a distinct place for each of the wanted places, ascending, in `room` places from 0.

    The order is kept, and the places move as little as possible: the sum of the squared distances is least, up to
    rounding (pool-adjacent-violators algorithm). If there is not enough room, the last ones are left out.
    """
    pools: list[list[float]] = []
    for number, place in enumerate(wanted[: max(0, room)]):
        pools.append([place - number])  # the places of neighbours that touch differ by 1
        while len(pools) > 1 and _mean(pools[-2]) >= _mean(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    begins = [_mean(pool) for pool in pools for _ in pool]
    free = room - len(begins)
    return [min(free, max(0, floor(begin + 0.5))) + number for number, begin in enumerate(begins)]


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


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
    if not axes.logarithmic and end <= FEW:
        return [*range(0, end + 1, 1 if end <= FEW // 2 else 2)]
    if not axes.logarithmic:
        step = next(each * 10**power for power in range(end) for each in (1, 2, 5) if end <= MANY * each * 10**power)
        return [*(tick for tick in range(0, end, step) if end - tick >= step / 2), end]
    powers = [10**power for power in range(floor(log10(end)) + 1)]
    return sorted({*powers, end})


Cells = list[tuple[str, str]]
"""Signs from left to right, each with its style."""


def _plot(  # noqa: PLR0913  curves, and how they are drawn
    series: Sequence[Series], axes: Axes, columns: int, rows: int, *, letters: bool, whole: bool = False
) -> list[Cells]:
    curves, bands = np.zeros((2, len(series), columns * ACROSS, rows * UP), np.bool_)
    for each, curve, band in zip(series, curves, bands, strict=True):
        _trace(curve, each, axes, whole=whole)
        _fill(band, each.low, each.high, axes, whole=whole)
    signs, owners = _cells(curves, series)
    shades, shaded = _cells(bands, series)

    def cell(column: int, row: int) -> tuple[str, str]:
        number, band = int(owners[column, row]), int(shaded[column, row])
        if number != NOBODY:
            each = series[number]
            return each.letter if letters else chr(signs[number, column, row]), _style(each)
        if band != NOBODY:
            return SHADE if letters else chr(shades[band, column, row]), f"dim {series[band].style}"
        return " ", ""

    return [[cell(column, row) for column in range(columns)] for row in range(rows)]


def _style(series: Series) -> str:
    return f"dim {series.style}" if series.dim else series.style


def _levels_by_column(
    points: Points, axes: Axes, dots: NDArray[np.bool_], *, whole: bool, steps: bool = False
) -> dict[int, int]:
    """Return the level of a curve in each column of dots from its first point to its last.

    Between two points the curve is a straight line, or with `steps` a step.
    """
    if not points:
        return {}
    columns, rows = dots.shape[0], dots.shape[1] // UP
    at = np.array([column_of(rounds, axes, columns) for rounds, _ in points])
    numbers = np.array([number for _, number in points], float)
    # of several points in one column, the last counts, since the curve leaves the column there
    last = np.append(np.flatnonzero(np.diff(at)), len(at) - 1)
    reached, at, numbers = [*range(int(at[0]), int(at[-1]) + 1)], at[last], numbers[last]
    between = numbers[np.searchsorted((at[1:] + at[:-1]) / 2, reached)] if steps else np.interp(reached, at, numbers)
    levels = [level_of(float(number), axes, rows, whole=whole) for number in between]
    return dict(zip(reached, levels, strict=True))


def _cells(dots: NDArray[np.bool_], series: Sequence[Series]) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Return the code of the Braille character of each curve in each cell, and the owner of each cell.

    Curves take turns in the cells that they share, so that none is hidden; a cell shows only the dots of its owner. A
    dim curve gives way to others.
    """
    count, columns, rows = len(dots), dots.shape[1] // ACROSS, dots.shape[2] // UP
    cells = dots.reshape(count, columns, ACROSS, rows, UP)[:, :, :, ::-1]
    codes = (cells * BITS[:, None, :]).sum(axis=(2, 4))
    if not count:
        return codes, np.full((columns, rows), NOBODY)
    passed = codes > 0
    bright = passed & ~np.array([each.dim for each in series])[:, None, None]
    shared = np.where(bright.any(axis=0), bright, passed)
    sharing = shared.sum(axis=0)
    turn = np.add.outer(np.arange(columns), np.arange(rows)) % np.maximum(1, sharing)
    owners = np.take_along_axis(np.argsort(~shared, axis=0, kind="stable"), turn[None], axis=0)[0]
    return ord(BLANK) + codes, np.where(sharing > 0, owners, NOBODY)


def _trace(dots: NDArray[np.bool_], series: Series, axes: Axes, *, whole: bool) -> None:
    """Draw a curve, without gaps: where it is steep, fill the dots in between, half of them in either column."""
    levels = [*_levels_by_column(series.points, axes, dots, whole=whole, steps=series.steps).items()]
    for column, level in levels:
        dots[column, level] = True
    for (column, level), (following, after) in pairwise(levels):
        half = level if series.steps else (level + after) // 2
        for each, end in ((column, level), (following, after)):
            dots[each, min(half, end) : max(half, end) + 1] = True


def _fill(dots: NDArray[np.bool_], low: Points, high: Points, axes: Axes, *, whole: bool) -> None:
    """Draw a band as every other dot of every other line."""
    bottoms = _levels_by_column(low, axes, dots, whole=whole)
    for column, top in _levels_by_column(high, axes, dots, whole=whole).items():
        bottom = bottoms[column]
        dots[column, bottom + (bottom + column) % 2 : top + 1 : 2] = True


def _line(cells: Cells) -> Text:
    """Return cells as a line; adjacent cells with the same style become one piece."""
    line = Text(no_wrap=True)
    for style, run in groupby(cells, lambda cell: cell[1]):
        line.append("".join(sign for sign, _ in run), style)
    return line


def _add_labels(plot: list[Cells], series: Sequence[Series], axes: Axes, longest: int, *, has_floor: bool) -> None:
    """Add the labels of the curves after their last end, in the order of the ends from the top.

    A leader joins each label to its curve. The line of the axis of rounds has a label only if the curves have reached
    the end of that axis.
    """
    columns, ends = len(plot[0]), dict[int, tuple[int, int]]()
    for number, each in enumerate(series):
        if each.points and each.label:
            rounds, value = each.points[-1]
            row = len(plot) - 1 - level_of(value, axes, len(plot)) // UP
            ends[number] = row, column_of(rounds, axes, columns)
    last = max((column for _, column in ends.values()), default=-1)
    rows = len(plot) - (has_floor and last < columns - 1)
    ends = {number: (min(row, rows - 1), column) for number, (row, column) in ends.items()}
    order = sorted(ends, key=lambda number: (-series[number].points[-1][1], number))
    placed = dict(zip(order, spread([ends[number][0] for number in order], rows), strict=False))
    ways = list[tuple[int, int, str]]()
    for number, goal in placed.items():
        (row, column), style = ends[number], f"dim {series[number].style}"
        ways.append((row, goal, style))
        for between in range(column + 1, last + 1):
            if plot[row][between][0] == " ":
                plot[row][between] = FLOOR, style
    leaders = _leaders(ways, rows)
    labels = {goal: series[number] for number, goal in placed.items()}
    for row, cells in enumerate(plot[:rows]):
        cells[last + 1 :] = [leaders[row]]
        if row in labels:
            style = f"{'dim' if labels[row].dim else 'bold'} {labels[row].style}"
            cells.append((f" {cut(labels[row].label, longest)}", style))


def _leaders(ways: Iterable[tuple[int, int, str]], rows: int) -> Cells:
    """Return a column with leaders from the rows of ends to the rows of labels, each in its style.

    Where leaders meet, they have no colour.
    """
    sides, styles = [0] * rows, [""] * rows
    for row, goal, style in ways:
        step, ahead, behind = (1, BELOW, ABOVE) if goal > row else (-1, ABOVE, BELOW)
        passed = [(row, LEFT), (goal, RIGHT)]
        for at in range(row, goal, step):
            passed += [(at, ahead), (at + step, behind)]
        for at, side in passed:
            styles[at] = style if styles[at] in ("", style) else "dim"
            sides[at] |= side
    return [(LINES[side], style) for side, style in zip(sides, styles, strict=True)]


def _add_floor(cells: Cells, axes: Axes) -> None:
    """Draw the axis of rounds and its ticks behind the curves of the last row, and its marks before them."""
    ticks = {column_of(tick, axes, len(cells)) for tick in axis_ticks(axes)}
    for column, (sign, _) in enumerate(cells):
        if sign == " ":
            cells[column] = (MARKED if column in ticks else FLOOR), "dim"
    for place, text in marks_at([column_of(rounds, axes, len(cells)) for rounds in axes.marks], len(cells)):
        cells[place : place + len(text)] = [(sign, "bold") for sign in text]


def marks_at(wanted: Sequence[int], room: int) -> list[tuple[int, str]]:
    """Return the places and signs of marks, ascending, in `room` columns; `wanted` has the columns where they belong.

    Marks that would touch become one group, such as `②–⑤`.
    """

    def placed(first: int, last: int) -> tuple[int, str]:
        text = mark_of(first) if first == last else f"{mark_of(first)}–{mark_of(last)}"
        middle = round((wanted[first] + wanted[last] - len(text) + 1) / 2)
        return max(0, min(room - len(text), middle)), text

    groups: list[tuple[int, int]] = []  # the first and the last number of each
    for number in range(len(wanted)):
        groups.append((number, number))
        while len(groups) > 1:
            (start, text), (following, _) = placed(*groups[-2]), placed(*groups[-1])
            if start + len(text) < following:
                break
            groups[-2:] = [(groups[-2][0], number)]
    return [placed(*group) for group in groups]


def _scale(axes: Axes, height: int) -> tuple[int, dict[int, str]]:
    """Return the number of rows of the plot of a chart, and the labels of the vertical axis by row.

    Labels that divide the whole axis are equally far apart.
    """
    rows = max(1, height - 1)
    numbers = _labelled(axes, rows - 1)
    if height >= FLOOR_FROM and abs(axes.up(numbers[0])) < ROUNDING and abs(axes.up(numbers[-1]) - 1) < ROUNDING:
        rows -= (rows - 1) % (len(numbers) - 1)
    found: dict[int, str] = {}
    for number in (numbers[0], numbers[-1], *numbers[1:-1]):  # the ends have their labels first
        row = rows - 1 - level_of(number, axes, rows) // UP
        if found.keys().isdisjoint(range(row - 1, row + 2)):
            found[row] = axes.number_text(number)
    return rows, found


def _labelled(axes: Axes, rows: int) -> list[float]:
    """Return the numbers to label on a vertical axis with this many rows, ascending: round numbers, or powers of ten.

    If there are none, return the ends of the axis.
    """
    if not axes.log_numbers:
        return _round_numbers(axes, rows) or [axes.low, axes.high]
    powers = [10.0**power for power in range(ceil(log10(axes.low)), floor(log10(axes.high) + ROUNDING) + 1)]
    parts = max(1, len(powers) - 1)
    steps = (step for step in range(1, parts) if parts % step == 0)
    fitting = (step for step in steps if rows * step // parts > 1 and rows % (parts // step) <= AIR)
    return powers[:: next(fitting, parts)] if len(powers) > 1 else [axes.low, axes.high]


def _round_numbers(axes: Axes, rows: int) -> list[float]:
    """Return the round numbers to label, equally far apart: if possible with the upper end, and many."""
    span = axes.high - axes.low
    if span <= 0:
        return []
    power, found = floor(log10(span)), dict[tuple[bool, bool, int, float], list[float]]()
    for step in (each * 10.0**exponent for exponent in (power - 1, power) for each in ROUND):
        parts = span / step
        fits = parts <= MANY + ROUNDING and rows * step / span >= (APART if parts > 2 else APART - 1)
        if fits and (not axes.step or abs(step / axes.step - round(step / axes.step)) < ROUNDING):
            first, last = ceil(axes.low / step - ROUNDING), floor(axes.high / step + ROUNDING)
            ends = abs(step * last - axes.high) < ROUNDING * span
            many = parts >= MANY - 1  # then, rather as many as leave few lines above the plot
            left = rows % round(parts) if many else 0
            found[ends, many, -left, parts] = [step * nth for nth in range(first, last + 1)]
    return found[max(found)] if found else []


def _rounds_line(axes: Axes, columns: int, room: int) -> str:
    """Return as many labels of the axis of rounds as fit, below their columns, with the unit beside the last one.

    The unit is after the last label; if there is no room, the label ends below its column, and the unit is before it.
    """
    cells = [" "] * room
    free = room
    names = [(column_of(tick, axes, columns), short_count(tick)) for tick in axis_ticks(axes)]
    column, last = names.pop()
    text = f"{last} {axes.unit}"
    end = (column, text) if column + len(text) <= room else (column + 1 - len(text), f"{axes.unit} {last}")
    for start, text in [end, *reversed(names)]:
        if start >= 0 and start + len(text) <= free:
            cells[start : start + len(text)] = text
            free = start - 2
    return "".join(cells).rstrip()
