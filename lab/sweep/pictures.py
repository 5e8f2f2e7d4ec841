"""Pictures of a sweep to keep, and as lines for a terminal: bands over rounds, and a heat map over two columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, isnan
from typing import Final

from engine.game import BadText
from lab.pictures.charts import Frame, chart_elements
from lab.pictures.drawing import CURVES, HEAD, MARGIN, Cell, Picture, heading, rectangle, text
from lab.race.race_text import share_figure
from lab.text.axes import Axes, share_axes
from lab.text.columns import columns, cut
from lab.text.curves import Series
from lab.text.line_charts import draw_chart
from learners.sweep.analysis import Group, Machines, groups

MAX_CURVES: Final = CURVES
"""The maximum number of curves of a picture: as many as there are colours."""
MAX_CELLS: Final = 40
"""The maximum number of columns of a heat map, and of rows."""
WIDTH, HEIGHT, LABELS_WIDTH = 960.0, 380.0, 230
"""The width of a picture of curves, the height of the plot, and the width of the labels beside it."""
LABEL: Final = 28
"""The longest label of a curve, in characters."""
CELL_WIDTH, CELL_HEIGHT = 72, 32
"""The size of a cell of a heat map in a picture."""
PLOT_ROWS: Final = 16
MIN_WIDTH, MAX_WIDTH = 27, 107
"""The least and the greatest width of a plot in a terminal, in columns."""
LETTERS: Final = "ABCDEFGH"
SHADES: Final = " ░▒▓█"
"""The shades that draw the levels of a heat map in a terminal."""


@dataclass(frozen=True)
class Band:
    """The results of the machines that have the same values in some columns, at each mark in turn."""

    name: str
    points: tuple[tuple[int, Group], ...]

    def series(self, label: str, letter: str = "") -> Series:
        """Return the curve of the medians, with the band around it."""
        medians = [(mark, group.median) for mark, group in self.points]
        low = [(mark, group.low) for mark, group in self.points]
        high = [(mark, group.high) for mark, group in self.points]
        return Series(label, medians, letter=letter, low=low, high=high)


@dataclass(frozen=True)
class CurvePicture:
    title: str
    curves: tuple[Band, ...]
    left_out: int
    """How many curves are not drawn, since there are more than `MAX_CURVES`."""

    @property
    def _heading(self) -> str:
        return f"{self.title} ({self.left_out:,} more not drawn)" if self.left_out else self.title

    @property
    def _top(self) -> float:
        """The end of the axis of shares: the largest one, rounded up to 5 %, or to 1 % if it is at most 5 %."""
        largest = max((group.high for curve in self.curves for _, group in curve.points), default=0.0)
        steps = 20 if largest > 0.05 else 100
        return min(2.0, max(0.01, ceil(largest * steps) / steps))

    @property
    def _axes(self) -> Axes:
        last = max(curve.points[-1][0] for curve in self.curves)
        return replace(share_axes(self._top, last, log=False), high=self._top, unit="rounds")

    def picture(self) -> Picture:
        frame = Frame(MARGIN + 40, HEAD, WIDTH - 2 * MARGIN - 40 - LABELS_WIDTH, HEIGHT, self._axes)
        series = [curve.series(cut(curve.name, LABEL)) for curve in self.curves]
        body = [*heading(self._heading, "medians, and bands of the middle 80 %"), *chart_elements(frame, series)]
        rows: list[tuple[Cell, ...]] = [
            (curve.name, mark, *(f"{share:.6g}" for share in (group.low, group.median, group.high)))
            for curve in self.curves
            for mark, group in curve.points
        ]
        height = HEAD + HEIGHT + MARGIN
        return Picture(self._heading, WIDTH, height, body, ("curve", "rounds", "p10", "median", "p90"), rows)

    def lines(self, width: int) -> list[str]:
        """Return the picture as lines of at most `width` columns: letters for the medians, shades for the bands."""
        shown = list(zip(self.curves, LETTERS, strict=False))
        series = [curve.series("", letter) for curve, letter in shown]
        chart = draw_chart(series, self._axes, max(MIN_WIDTH, min(MAX_WIDTH, width)), PLOT_ROWS + 2, letters=True)
        names = [f"  {letter} {curve.name}" for curve, letter in shown]
        return [cut(line, max(width, MIN_WIDTH)).rstrip() for line in [self._heading, *map(str, chart), *names]]


def curves(machines: Machines, by: Sequence[str], title: str, *, lower_is_better: bool) -> CurvePicture:
    """Return a picture with a curve for each group, the best at the last mark first. Raises `BadText`."""
    points: dict[tuple[str, ...], list[tuple[int, Group]]] = {}
    for mark in machines.marks:
        for group in groups(machines.at(mark), by, lower_is_better=lower_is_better):
            if not isnan(group.median):
                points.setdefault(group.values, []).append((mark, group))
    if not points:
        raise BadText("no machine was trained for the chosen side")
    last_groups = groups(machines.at(machines.marks[-1]), by, lower_is_better=lower_is_better)
    ranked = [group.values for group in last_groups if group.values in points]
    bands = []
    for values in ranked[:MAX_CURVES]:
        name = ", ".join(f"{key} {value}" for key, value in zip(by, values, strict=True))
        bands.append(Band(name or "all", tuple(points[values])))
    return CurvePicture(title, tuple(bands), max(0, len(ranked) - MAX_CURVES))


@dataclass(frozen=True)
class HeatMap:
    """The median of the machines for each pair of values in two columns."""

    title: str
    across: tuple[str, tuple[str, ...]]
    """The column whose values run across, and these values."""
    down: tuple[str, tuple[str, ...]]
    """The column whose values run down, and these values."""
    shares: dict[tuple[str, str], float]
    """The medians by the values across and down; pairs without a machine are missing."""
    lower_is_better: bool = True

    def level(self, share: float) -> float:
        """Return the place of a share between the worst and the best of the map, from 0 to 1."""
        worst, best = min(self.shares.values()), max(self.shares.values())
        if self.lower_is_better:
            worst, best = best, worst
        return (share - worst) / (best - worst) if best != worst else 0.5

    def picture(self) -> Picture:
        left, top = MARGIN + 120, HEAD + 40
        (across_name, across_values), (down_name, down_values) = self.across, self.down
        body = heading(self.title, "medians; the darker, the better")
        body.append(text(left, top - 30, across_name, "ink", 13, "b"))
        body.append(text(MARGIN, top - 8, down_name, "ink", 13, "b"))
        for column, across in enumerate(across_values):
            middle = left + CELL_WIDTH * (column + 0.5)
            body.append(text(middle, top - 8, cut(across or "–", 11), "quiet", 12, "m"))
        for row, down in enumerate(down_values):
            y = top + CELL_HEIGHT * row
            body.append(text(left - 10, y + 20, cut(down or "–", 18), "quiet", 12, "e"))
            for column, across in enumerate(across_values):
                if (across, down) in self.shares:
                    body += self._cell_elements(self.shares[across, down], left + CELL_WIDTH * column, y)
        width = max(left + CELL_WIDTH * len(across_values) + MARGIN, 2 * MARGIN + 13 * len(self.title))
        rows = [(*pair, f"{share:.6g}") for pair, share in self.shares.items()]
        height = top + CELL_HEIGHT * len(down_values) + MARGIN
        return Picture(self.title, width, height, body, (across_name, down_name, "median"), rows)

    def _cell_elements(self, share: float, x: float, y: float) -> list[str]:
        level = self.level(share)
        square = rectangle(x, y, CELL_WIDTH - 2, CELL_HEIGHT - 2, 3)
        ink = "ground" if level > 0.5 else "ink"
        return [
            f'<path class="share-f" opacity="{0.08 + 0.92 * level:.2f}" d="{square}"/>',
            text(x + CELL_WIDTH / 2, y + 20, share_figure(share), ink, 12, "m"),
        ]

    def lines(self, width: int) -> list[str]:
        (across_name, across_values), (down_name, down_values) = self.across, self.down
        rows = [(f"{down_name} \\ {across_name}", *(across or "–" for across in across_values))]
        for down in down_values:
            cells = (self._cell_text(self.shares.get((across, down))) for across in across_values)
            rows.append((down or "–", *cells))
        table = columns(rows, "<" + ">" * len(across_values))
        return [self.title, "", *(cut(line, max(width, 20)) for line in (*table, "the fuller, the better"))]

    def _cell_text(self, share: float | None) -> str:
        if share is None:
            return ""
        shade = SHADES[min(4, int(self.level(share) * 5))]
        return f"{share_figure(share)} {shade * 2}"


def heat_map(machines: Machines, axes: Sequence[str], title: str, *, lower_is_better: bool) -> HeatMap:
    """Return the heat map over two columns. Raises `BadText`."""
    if len(axes) != 2 or axes[0] == axes[1]:
        raise BadText("a heat map has two different columns: write --heat X,Y")
    grid = {axis: sorted(machines.values[axis], key=natural_key) for axis in axes}
    heat = medians(machines, axes, title, grid, lower_is_better=lower_is_better)
    if max(len(heat.across[1]), len(heat.down[1])) > MAX_CELLS:
        raise BadText(f"a heat map has room for {MAX_CELLS} values: choose another column, or draw curves")
    if not heat.shares:
        raise BadText("no machine was trained for the chosen side")
    return heat


def medians(
    machines: Machines, axes: Sequence[str], title: str, grid: Mapping[str, Sequence[str]], *, lower_is_better: bool
) -> HeatMap:
    """Return the map of medians over two columns with the values in `grid`, the best cell first. Raises `BadText`."""
    across, down = ((axis, tuple(grid[axis])) for axis in axes)
    shares = {
        (group.values[0], group.values[1]): group.median
        for group in groups(machines, axes, lower_is_better=lower_is_better)
        if not isnan(group.median)
    }
    return HeatMap(title, across, down, shares, lower_is_better)


def natural_key(text: str) -> tuple[int, float, str]:
    """Return a sort key: numbers by size, then words."""
    try:
        return 0, float(text), text
    except ValueError:
        return 1, 0.0, text
