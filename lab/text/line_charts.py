"""Line charts over the rounds of a training: curves of dots, two thin axes, and a label at the end of each curve.

`draw_chart` is plain arithmetic; a screen, a picture and the command line show its lines. So it is not done with the
widget of `textual-hires-canvas`, which draws only inside a running app.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from math import floor
from typing import Final

from rich.text import Text

from lab.text.axes import (
    FLOOR_FROM,
    UP,
    Axes,
    axis_ticks,
    bounded,
    column_of,
    end_text,
    level_of,
    marks_at,
    rounds_line,
    scale,
)
from lab.text.columns import cut, width_of
from lab.text.curves import Cells, Series, line_of, plot_of

AXIS, TICKED, CORNER, FLOOR, MARKED = "│", "┤", "└", "─", "┬"
MAX_LABEL: Final = 40
"""The maximum width of the labels of curves, in columns; longer ones are cut."""
MIN_PLOT: Final = 15
"""The minimum width of the plot, in columns, with labels beside it; else they are above it, or left out."""
LEGEND_FROM: Final = 5
"""The minimum number of lines of a chart with its labels above it, where there is no room beside it."""
LEADER: Final = 2
"""The columns between the end of a curve and its label: the leader, and a space."""
SHORTEST: Final = 4
"""The fewest columns to which a label is cut."""
SHIFTS: Final = (-1, 1, -2, 2, -3, 3)
"""The lines above or below the end of a curve where its label may stand."""
Place = tuple[int, int, Cells]
"""Cells of a row of a plot, with their row and their first column."""
LEFT, RIGHT, ABOVE, BELOW = 1, 2, 4, 8
LINES: Final = dict(enumerate(" ╴╶─╵╯╰┴╷╮╭┬│┤├┼"))
"""The line character that goes to some sides of a cell, by the sum of these sides."""


def draw_chart(series: Sequence[Series], axes: Axes, width: int, height: int, *, letters: bool = False) -> list[Text]:
    """Return a chart from the top: `height` lines of at most `width` cells, of which the last is the axis of rounds.

    `letters` draws each curve with its letter instead of dots, so that no colour is needed.
    """
    rows, tick_texts = scale(axes, height)
    margin = max(len(text) for text in tick_texts.values())
    room = width - margin - len(AXIS)
    columns, longest = _columns(series, axes, room)
    has_floor, named = height >= FLOOR_FROM, [each for each in series if each.label and each.points]
    if height >= LEGEND_FROM and (len(named) > rows or (named and not longest)):
        legend = _legend(named, width, height - FLOOR_FROM, letters=letters)
        bare = [replace(each, label="") for each in series]
        return [*legend, *draw_chart(bare, axes, width, height - len(legend), letters=letters)]
    plot = plot_of(series, axes, columns, rows, letters=letters)
    if longest:
        _add_labels(plot, series, axes, longest)
    lines = [Text() for _ in range(max(1, height - 1 - has_floor) - rows)]
    for row, cells in enumerate(plot):
        side = TICKED if row in tick_texts else AXIS
        lines.append(line_of([(f"{tick_texts.get(row, ''):>{margin}}{side}", "dim"), *cells]))
    if has_floor:
        ticks, marks = ([column_of(each, axes, columns) for each in some] for some in (axis_ticks(axes), axes.marks))
        lines.append(line_of([(" " * margin + CORNER, "dim"), *floor_of(columns, ticks, marks)]))
    lines.append(line_of([(" " * (margin + len(AXIS)) + rounds_line(axes, columns, room), "dim")]))
    return lines


def _legend(named: Sequence[Series], width: int, most: int, *, letters: bool) -> list[Text]:
    """Return the labels of curves, each in its style, in as few lines as hold them; without room, their first words.

    There is at least one line, and at most `most`; what they do not hold is left out. Without room, the letter of a
    curve is the first of its word.
    """
    lines = list[Text]()
    for end, gap, apart in ((None, "  ", True), (1, "  ", True), (1, " ", True), (1, " ", False)):
        lines = [Text(no_wrap=True)]
        for each in named:
            words = " ".join(each.label.split()[:end])
            if letters and words.split()[0] != each.letter:
                begins = not apart and words[0].lower() == each.letter.lower()
                words = each.letter + (words[1:] if begins else f" {words}")
            words = cut(words, width)
            if lines[-1] and lines[-1].cell_len + len(gap) + width_of(words) > width:
                lines.append(Text(no_wrap=True))
            lines[-1].append(gap if lines[-1] else "").append(words, _label_style(each))
        if len(lines) <= max(1, most):
            break
    return lines[: max(1, most)]


def _columns(series: Sequence[Series], axes: Axes, room: int) -> tuple[int, int]:
    """Return the numbers of columns of the plot and of the labels beside it; the latter is 0 if they do not fit.

    Beside the plot is also room for the unit of rounds, if possible.
    """
    longest = min(MAX_LABEL, max((len(each.label) for each in series), default=0))
    wanted = (longest + LEADER if longest else 0, len(end_text(axes)) - 1)
    beside, unit = (width if room - width >= MIN_PLOT else 0 for width in wanted)
    return max(2, room - max(beside, unit)), longest if beside else 0


def rounds_at(column: int, series: Sequence[Series], axes: Axes, width: int, height: int) -> float:
    """Return the number of rounds at a column of `draw_chart`; at a column beside the plot, that at its end."""
    margin = max(map(len, scale(axes, height)[1].values())) + len(AXIS)
    place = bounded((column - margin) / (_columns(series, axes, width - margin)[0] - 1))
    return float(axes.end**place if axes.logarithmic else axes.end * place)


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


def _add_labels(plot: list[Cells], series: Sequence[Series], axes: Axes, longest: int) -> None:
    """Add the labels of the curves: close to the ends of those that end together, where no other curve is.

    The others are after the last end of any curve, in the order of their ends from the top. A leader joins each label
    to its curve.
    """
    columns, rows, ends = len(plot[0]), len(plot), dict[int, dict[int, int]]()
    for number, each in enumerate(series):
        if each.points and each.label:
            rounds, value = each.points[-1]
            row = rows - 1 - level_of(value, axes, rows) // UP
            ends.setdefault(column_of(rounds, axes, columns), {})[number] = row
    last = max((column_of(each.points[-1][0], axes, columns) for each in series if each.points), default=-1)
    far = dict[int, int]()
    for column, group in sorted(ends.items()):
        room = [cells[: last + 1] for cells in plot]
        crosses = len(group) == 1 and any(sign != " " for row in group.values() for sign, _ in room[row][column + 1 :])
        widths = range(longest, (SHORTEST if crosses else longest) - 1, -1)  # rather cut than led through a curve
        near = next(filter(None, (_near(room, column, group, series, width) for width in widths)), [])
        for place in near:
            _write(plot, place)
        if near:
            continue
        far |= group
        for number, row in group.items():
            for between in range(column + 1, last + 1):
                if plot[row][between][0] == " ":
                    plot[row][between] = FLOOR, f"dim {series[number].style}"
    for row, cells in _labels(series, far, rows, longest).items():
        _write(plot, (row, last + 1, cells))


def _write(plot: Sequence[Cells], place: Place) -> None:
    """Write cells into a plot; after one of several columns are empty ones, so that the other cells stay in theirs."""
    row, start, cells = place
    added = [cell for text, style in cells for cell in ((text, style), *[("", style)] * (width_of(text) - 1))]
    plot[row][start : start + len(added)] = added


def _near(
    plot: Sequence[Cells], column: int, ends: Mapping[int, int], series: Sequence[Series], longest: int
) -> list[Place]:
    """Return where the labels of curves that end in a column stand beside their ends; or a single one, close to it.

    They touch no curve, label or leader, but bright ones may cover dim curves. Empty if there is no room in the plot.
    """

    def free(row: int, start: int, width: int, *, bright: bool = False) -> bool:
        cells = plot[row][start : start + width]
        return len(cells) == width and all(
            sign == " " or (bright and style.startswith("dim") and len(sign) == 1 and sign != FLOOR)
            for sign, style in cells
        )

    beside = [(row, column + 1, cells) for row, cells in _labels(series, ends, len(plot), longest).items()]
    bright = not all(series[number].dim for number in ends)
    if all(free(row, at, sum(width_of(text) for text, _ in cells), bright=bright) for row, at, cells in beside):
        return beside
    (number, row), *others = ends.items()
    label = cut(series[number].label, longest)
    width = width_of(label)
    for to in () if others else [row + shift for shift in SHIFTS if 0 <= row + shift < len(plot)]:
        for start in range(column, max(0, column - width), -1):
            if free(to, start - 1, width + 2):
                return [(to, start, [(label, _label_style(series[number]))])]
    return []


def _label_style(series: Series) -> str:
    return f"{'dim' if series.dim else 'bold'} {series.style}"


def _labels(series: Sequence[Series], ends: Mapping[int, int], rows: int, longest: int) -> dict[int, Cells]:
    """Return what stands after the ends of curves in each row: leaders, and labels in the order of the ends.

    `ends` has the row of the end of each curve, by the number of the curve.
    """
    order = sorted(ends, key=lambda number: (-series[number].points[-1][1], number))
    placed = dict(zip(order, spread([ends[number] for number in order], rows), strict=False))
    leaders = _leaders([(ends[number], goal, f"dim {series[number].style}") for number, goal in placed.items()], rows)
    added = {row: [leader] for row, leader in enumerate(leaders) if leader[0] != " "}
    for number, goal in placed.items():
        added[goal].append((f" {cut(series[number].label, longest)}", _label_style(series[number])))
    return added


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


def floor_of(columns: int, ticks: Collection[int], marks: Sequence[int]) -> Cells:
    """Return the axis of rounds in `columns` cells: with ticks, and before them numbered marks, both by columns."""
    cells = [(MARKED if column in ticks else FLOOR, "dim") for column in range(columns)]
    for place, text in marks_at(marks, columns):
        cells[place : place + len(text)] = [(sign, "bold") for sign in text]
    return cells
