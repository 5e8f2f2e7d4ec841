"""Curves over the rounds of a training. Imports the plotting library, so only screens with charts import this."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10
from typing import Final

import numpy as np
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import MouseDown
from textual_plot import AxisFormatter, HiResMode, PlotWidget

from lab.words.numbers import short_count
from tui.shell.live_text import LiveText
from tui.widgets.mark_styles import theme_colour

LEFT_MARGIN: Final = 8
SIGN_EVERY: Final = 5
"""A curve has its sign at every point of this number."""
DOT: Final = "·"
Points = Sequence[tuple[int, Mapping[str, float | None]]]
"""Rounds, and the numbers by key after them; `None` where a number is not known."""
Line = list[tuple[int, float]]

ROUND_ENDS: Final = (1.0, 2.0, 5.0, 10.0)
"""Where a linear axis may end, in units of the last number's power of ten."""


class Decades(AxisFormatter):
    """Labels an axis of base-ten logarithms with the numbers themselves: 1, 10, 100, 1 k."""

    def get_ticks(self, min_: float, max_: float, max_ticks: int = 8) -> list[float]:
        low, high = ceil(min_ - 1e-9), floor(max_ + 1e-9)
        step = max(1, -(-(high - low + 1) // max(2, max_ticks)))
        return [float(power) for power in range(low, high + 1, step)]

    def get_labels_for_ticks(self, ticks: Sequence[float]) -> list[str]:
        return [tick_text(10**tick) for tick in ticks]


class Counts(AxisFormatter):
    """Labels an axis of counts: 0, 2 k, 4 k."""

    def get_ticks(self, min_: float, max_: float, max_ticks: int = 8) -> list[float]:
        rough = max(max_ - min(min_, 0), 1.0) / 3
        power = 10 ** max(0, floor(log10(rough)))  # counts are whole numbers
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
        return [float(step * index) for index in range(ceil(min_ / step - 1e-9), int(max_ / step + 1e-9) + 1)]

    def get_labels_for_ticks(self, ticks: Sequence[float]) -> list[str]:
        return [tick_text(tick) for tick in ticks]


class Shares(AxisFormatter):
    """Labels an axis of shares: 0%, 20%, 40%."""

    def get_ticks(self, min_: float, max_: float, max_ticks: int = 8) -> list[float]:
        step = next((step for step in SHARE_STEPS if 4 * step >= max_), SHARE_STEPS[-1])
        return [step * index for index in range(int(max_ / step + 1e-9) + 1)]

    def get_labels_for_ticks(self, ticks: Sequence[float]) -> list[str]:
        return [f"{100 * tick:g}%" for tick in ticks]


class ShareDecades(Decades):
    """Labels an axis of base-ten logarithms of shares: 0.1%, 1%, 10%, 100%."""

    def get_labels_for_ticks(self, ticks: Sequence[float]) -> list[str]:
        return [f"{100 * 10**tick:g}%" for tick in ticks]


class Fitted(AxisFormatter):
    """Labels an axis like another formatter, as far as the cells of the plot allow."""

    def __init__(self, plot: PlotWidget, labels: AxisFormatter) -> None:
        self.plot = plot
        self.labels = labels

    def get_ticks(self, min_: float, max_: float, max_ticks: int = 8) -> list[float]:
        return self.labels.get_ticks(min_, max_, max_ticks)

    def get_labels_for_ticks(self, ticks: Sequence[float]) -> list[str]:
        return self.labels.get_labels_for_ticks(ticks)


class Upward(Fitted):
    """Leaves out every other tick until the remaining ones are evenly spaced."""

    def get_ticks(self, min_: float, max_: float, max_ticks: int = 8) -> list[float]:
        ticks = super().get_ticks(min_, max_, max_ticks)
        return ticks[:: even_step([self.plot.get_pixel_from_coordinate(0.0, tick)[1] for tick in ticks])]


class Along(Fitted):
    """Moves labels that the right edge would cut, and leaves out labels that overlap."""

    def get_ticks_and_labels(self, min_: float, max_: float, max_ticks: int = 8) -> tuple[list[float], list[str]]:
        ticks, labels = super().get_ticks_and_labels(min_, max_, max_ticks)
        free = (
            self.plot.size.width
        )  # the columns left of the labels placed so far; the last label is placed first, since it matters most
        for number, (tick, label) in reversed([*enumerate(zip(ticks, labels, strict=True))]):
            middle = self.plot.margin_left + self.plot.get_pixel_from_coordinate(tick, 0.0)[0]
            end = middle if tick == max_ else middle + len(label) // 2  # the plot right-aligns the last one at its tick
            beyond = max(0, end - self.plot.size.width + 1)
            if end - beyond < free:
                labels[number] = label + " " * (2 * beyond)  # it is centred, so half of that moves it to the left
                free = end - beyond - len(label)
            else:
                labels[number] = ""
        return ticks, labels


def even_step(rows: Sequence[int]) -> int:
    """The least step through the ticks with which the rest are about evenly spaced."""
    step = 1
    while (gaps := [abs(one - other) for one, other in pairwise(rows[::step])]) and 2 * max(gaps) > 3 * min(gaps):
        step *= 2
    return step


SHARE_STEPS: Final = (0.01, 0.02, 0.05, 0.1, 0.25)
LEAST_SHARE: Final = 0.001
"""Where a logarithmic axis of shares begins; smaller shares are drawn there."""


def share_end(share: float) -> float:
    """The end of a linear axis of shares that includes `share`."""
    step = next((step for step in SHARE_STEPS if 5 * step >= share), SHARE_STEPS[-1])
    return step * max(1, ceil(share / step - 1e-9))


def tick_text(count: float) -> str:
    """A count for an axis: `100k`, `−5k`."""
    return ("−" if count < 0 else "") + short_count(abs(count)).replace(" ", "")


@dataclass(frozen=True)
class Curve:
    """One line of a chart: the key of its numbers, its label, and its theme colour."""

    key: str
    label: str
    """`{0}` and `{1}` stand for the marks of the sides. The legend leaves out a curve without a label."""
    colour: str
    sign: str = ""
    """A character that is drawn on the line at some points; `{0}` and `{1}` as in the label."""
    band: tuple[str, ...] = ()
    """The keys of dotted lines around it."""


def sign_of(label: str) -> str:
    """The sign of a curve, which makes it distinct without colour: the mark in its label, or the first letter."""
    return next((mark for mark in ("{0}", "{1}") if mark in label), label[:1])


def axis_end(count: int) -> int:
    """The end of a linear axis that includes `count`: a round number, which changes seldom."""
    power = 10 ** max(1, floor(log10(max(10, count))))
    return next(int(end * power) for end in ROUND_ENDS if end * power >= count)


class Plot(PlotWidget):
    """A plot that ignores the mouse."""

    def on_mouse_down(self, event: MouseDown) -> None:
        """Do not look for a legend under the mouse.

        Symptom without this guard: `NoWidget` if another screen was opened before the click is handled.
        """
        event.prevent_default()


class Chart(Vertical):
    """Shows curves of numbers over rounds. Each axis is linear or logarithmic."""

    DEFAULT_CSS = """
    Chart {
        height: 1fr;
        & > #legend-line { height: 1; padding: 0 0 0 2; }
        & > PlotWidget { height: 1fr; }
        & > PlotWidget > .plot--axis { color: $foreground 35%; }
        & > PlotWidget > .plot--tick { color: $text-muted; text-style: none; }
    }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.title = ""
        self.curves: Sequence[Curve] = ()
        self.log_counts = self.log_rounds = True
        self.shares = False
        """Whether the numbers are shares, from 0 to 1."""
        self._drawn: object = None

    def compose(self) -> ComposeResult:
        yield LiveText(id="legend-line")
        plot = Plot(allow_pan_and_zoom=False)
        plot.can_focus = False
        yield plot

    def on_mount(self) -> None:
        plot = self.query_one(PlotWidget)
        plot.margin_top, plot.margin_bottom, plot.margin_left = 0, 1, LEFT_MARGIN
        self.show(())

    def _legend(self, marks: tuple[str, str]) -> None:
        place, title = self.query_one("#legend-line", LiveText), Text(self.title, "bold", no_wrap=True)
        for gap in ("  ", " "):
            names = (
                (f"{gap}{'' if curve.sign else '━ '}{curve.label.format(*marks)}", self._colour(curve))
                for curve in self.curves
                if curve.label
            )
            curves = Text.assemble(*names, no_wrap=True)
            if title.cell_len + curves.cell_len <= place.size.width or not curves:
                place.set_text(title + curves if self.title else curves[len(gap) :])
                return
        place.set_text(curves[len(gap) :])

    def _colour(self, curve: Curve) -> str:
        return theme_colour(self, curve.colour)

    def show(self, points: Points, *, rounds: int = 10, marks: tuple[str, str] = ("X", "O")) -> None:
        """Draw the curves through these points.

        A logarithmic axis ends at `rounds`, a linear one after the last point.
        """
        at = points[-1][0] if points else 0
        axes = self.log_rounds, self.log_counts, self.shares
        drawn = (tuple(points), rounds, marks, self.app.theme, self.title, self.curves, axes, self.size.width)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self._legend(marks)
        plot = self.query_one(PlotWidget)
        plot.clear()
        plot.set_x_formatter(Along(plot, Decades() if self.log_rounds else Counts()))
        plot.set_y_formatter(Upward(plot, self._labels()))
        lines = {key: self._line(points, key) for curve in self.curves for key in (curve.key, *curve.band)}
        for curve in self.curves:
            for key in curve.band:
                self._dot(lines[key], self._colour(curve))
        for curve in self.curves:
            self._draw(lines[curve.key], self._colour(curve))
        for number, curve in enumerate(self.curves):
            if curve.sign:
                line = lines[curve.key]
                xs, ys = self._placed([*line[number % SIGN_EVERY :: SIGN_EVERY], *line[-1:]])
                plot.scatter(xs, ys, marker=curve.sign.format(*marks), marker_style=f"bold {self._colour(curve)}")
        numbers = [number for line in lines.values() for _, number in line]
        plot.set_xlimits(0, log10(max(10, rounds)) if self.log_rounds else axis_end(at))
        plot.set_ylimits(*self._limits(min([0.0, *numbers]), max(numbers, default=1.0)))

    def _labels(self) -> AxisFormatter:
        if self.shares:
            return ShareDecades() if self.log_counts else Shares()
        return Decades() if self.log_counts else Counts()

    def _limits(self, low: float, top: float) -> tuple[float, float]:
        """The ends of the axis of numbers."""
        if self.shares:
            return (log10(LEAST_SHARE), 0.0) if self.log_counts else (0.0, share_end(top))
        top = max(1.0, top)
        return (0, max(1, ceil(log10(top)))) if self.log_counts else (low * 1.05, top * 1.05)

    def _line(self, points: Points, key: str) -> Line:
        """The points of a key that can be drawn."""
        line = [(at, number) for at, numbers in points if at and (number := numbers[key]) is not None]
        if not self.log_counts:
            return line
        if self.shares:
            return [(at, max(LEAST_SHARE, number)) for at, number in line]
        return [(at, number) for at, number in line if number]

    def _placed(self, line: Line) -> tuple[list[float], list[float]]:
        """The coordinates of a line on the axes."""
        xs = [log10(at) if self.log_rounds else float(at) for at, _ in line]
        return xs, [log10(number) if self.log_counts else float(number) for _, number in line]

    def _draw(self, line: Line, style: str) -> None:
        if len(line) > 1:
            plot = self.query_one(PlotWidget)
            plot.plot(*self._placed(line), line_style=style, hires_mode=HiResMode.QUADRANT)

    def _dot(self, line: Line, style: str) -> None:
        """Draw a thin line: a dot in each column."""
        if len(line) > 1:
            xs, ys = self._placed(line)
            columns = np.linspace(xs[0], xs[-1], max(2, self.size.width))
            self.query_one(PlotWidget).scatter(columns, np.interp(columns, xs, ys), marker=DOT, marker_style=style)
