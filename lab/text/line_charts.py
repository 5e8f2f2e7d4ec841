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
    clamp_share,
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
MIN_LABEL: Final = 4
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
        ticks = [column_of(tick, axes, columns) for tick in axis_ticks(axes)]
        marks = [column_of(mark, axes, columns) for mark in axes.marks]
        lines.append(line_of([(" " * margin + CORNER, "dim"), *floor_of(columns, ticks, marks)]))
    lines.append(line_of([(" " * (margin + len(AXIS)) + rounds_line(axes, columns, room), "dim")]))
    return lines


def _legend(named: Sequence[Series], width: int, most: int, *, letters: bool) -> list[Text]:
    """Return the labels of curves, each in its style, in as few lines as hold them; without room, their first words.

    There is at least one line, and at most `most`; what they do not hold is left out. Without room, the letter of a
    curve is the first of its word.
    """
    lines = list[Text]()
    for word_count, gap, joined in ((None, "  ", False), (1, "  ", False), (1, " ", False), (1, " ", True)):
        lines = [Text(no_wrap=True)]
        for each in named:
            words = " ".join(each.label.split()[:word_count])
            if letters:
                words = _add_letter(words, each.letter, joined=joined)
            words = cut(words, width)
            if lines[-1] and lines[-1].cell_len + len(gap) + width_of(words) > width:
                lines.append(Text(no_wrap=True))
            lines[-1].append(gap if lines[-1] else "").append(words, _label_style(each))
        if len(lines) <= max(1, most):
            break
    return lines[: max(1, most)]


def _add_letter(words: str, letter: str, *, joined: bool) -> str:
    """Put the letter of a curve before the words of its label, unless they have it; `joined` if they begin with it."""
    if words.split(maxsplit=1)[0] == letter:
        return words
    if joined and words[0].lower() == letter.lower():
        return letter + words[1:]
    return f"{letter} {words}"


def _columns(series: Sequence[Series], axes: Axes, room: int) -> tuple[int, int]:
    """Return the numbers of columns of the plot and of the labels beside it; the latter is 0 if they do not fit.

    Beside the plot is also room for the unit of rounds, if possible.
    """
    longest = min(MAX_LABEL, max((len(each.label) for each in series), default=0))
    beside, unit = longest + LEADER, len(end_text(axes)) - 1
    if not longest or room - beside < MIN_PLOT:
        longest, beside = 0, 0
    if room - unit < MIN_PLOT:
        unit = 0
    return max(2, room - max(beside, unit)), longest


def rounds_at(column: int, series: Sequence[Series], axes: Axes, width: int, height: int) -> float:
    """Return the number of rounds at a column of `draw_chart`; at a column beside the plot, that at its end."""
    margin = max(map(len, scale(axes, height)[1].values())) + len(AXIS)
    place = clamp_share((column - margin) / (_columns(series, axes, width - margin)[0] - 1))
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
    starts = [_mean(pool) for pool in pools for _ in pool]
    last_start = room - len(starts)
    return [min(last_start, max(0, floor(start + 0.5))) + number for number, start in enumerate(starts)]


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
    ends_without_label = dict[int, int]()
    for column, group in sorted(ends.items()):
        room = [cells[: last + 1] for cells in plot]
        crosses = len(group) == 1 and any(sign != " " for row in group.values() for sign, _ in room[row][column + 1 :])
        min_width = MIN_LABEL if crosses else longest  # rather cut than led through a curve
        labels = list[Place]()
        for width in range(longest, min_width - 1, -1):
            labels = _labels_at_ends(room, column, group, series, width)
            if labels:
                break
        for place in labels:
            _write(plot, place)
        if not labels:
            ends_without_label |= group
            _draw_leaders(plot, series, group, range(column + 1, last + 1))
    for row, cells in _labels(series, ends_without_label, rows, longest).items():
        _write(plot, (row, last + 1, cells))


def _draw_leaders(plot: list[Cells], series: Sequence[Series], ends: Mapping[int, int], columns: range) -> None:
    """Draw lines from the ends of curves to the right, through the empty cells of these columns."""
    for number, row in ends.items():
        for column in columns:
            if plot[row][column][0] == " ":
                plot[row][column] = FLOOR, f"dim {series[number].style}"


def _write(plot: Sequence[Cells], place: Place) -> None:
    """Write cells into a plot; after one of several columns are empty ones, so that the other cells stay in theirs."""
    row, start, cells = place
    written: Cells = []
    for text, style in cells:
        written += [(text, style), *[("", style)] * (width_of(text) - 1)]
    plot[row][start : start + len(written)] = written


def _labels_at_ends(
    plot: Sequence[Cells], column: int, ends: Mapping[int, int], series: Sequence[Series], longest: int
) -> list[Place]:
    """Return where the labels of curves that end in a column stand beside their ends; or a single one, close to it.

    They touch no curve, label or leader, but bright ones may cover dim curves. Empty if there is no room in the plot.
    """

    def is_free(row: int, start: int, width: int, *, bright: bool = False) -> bool:
        cells = plot[row][start : start + width]
        return len(cells) == width and all(
            sign == " " or (bright and style.startswith("dim") and len(sign) == 1 and sign != FLOOR)
            for sign, style in cells
        )

    beside = [(row, column + 1, cells) for row, cells in _labels(series, ends, len(plot), longest).items()]
    bright = not all(series[number].dim for number in ends)
    if all(is_free(row, at, sum(width_of(text) for text, _ in cells), bright=bright) for row, at, cells in beside):
        return beside
    if len(ends) > 1:
        return []
    ((number, row),) = ends.items()
    label = cut(series[number].label, longest)
    width = width_of(label)
    for label_row in (row + shift for shift in SHIFTS if 0 <= row + shift < len(plot)):
        for start in range(column, max(0, column - width), -1):
            if is_free(label_row, start - 1, width + 2):
                return [(label_row, start, [(label, _label_style(series[number]))])]
    return []


def _label_style(series: Series) -> str:
    return f"{'dim' if series.dim else 'bold'} {series.style}"


def _labels(series: Sequence[Series], ends: Mapping[int, int], rows: int, longest: int) -> dict[int, Cells]:
    """Return what stands after the ends of curves in each row: leaders, and labels in the order of the ends.

    `ends` has the row of the end of each curve, by the number of the curve.
    """
    order = sorted(ends, key=lambda number: (-series[number].points[-1][1], number))
    label_rows = dict(zip(order, spread([ends[number] for number in order], rows), strict=False))
    lines = [(ends[number], row, f"dim {series[number].style}") for number, row in label_rows.items()]
    cells = {row: [leader] for row, leader in enumerate(_leaders(lines, rows)) if leader[0] != " "}
    for number, row in label_rows.items():
        cells[row].append((f" {cut(series[number].label, longest)}", _label_style(series[number])))
    return cells


def _leaders(lines: Iterable[tuple[int, int, str]], rows: int) -> Cells:
    """Return a column with leaders from the rows of ends to the rows of labels, each in its style.

    Where leaders meet, they have no colour.
    """
    sides, styles = [0] * rows, [""] * rows
    for row, label_row, style in lines:
        step, ahead, behind = (1, BELOW, ABOVE) if label_row > row else (-1, ABOVE, BELOW)
        strokes = [(row, LEFT), (label_row, RIGHT)]
        for at in range(row, label_row, step):
            strokes += [(at, ahead), (at + step, behind)]
        for at, side in strokes:
            styles[at] = style if styles[at] in ("", style) else "dim"
            sides[at] |= side
    return [(LINES[side], style) for side, style in zip(sides, styles, strict=True)]


def floor_of(columns: int, ticks: Collection[int], marks: Sequence[int]) -> Cells:
    """Return the axis of rounds in `columns` cells: with ticks, and before them numbered marks, both by columns."""
    cells = [(MARKED if column in ticks else FLOOR, "dim") for column in range(columns)]
    for place, text in marks_at(marks, columns):
        cells[place : place + len(text)] = [(sign, "bold") for sign in text]
    return cells
