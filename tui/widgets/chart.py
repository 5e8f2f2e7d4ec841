"""Curves over the number of games, on a logarithmic axis. Imports the plotting library, so only Train imports this."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual_plot import AxisFormatter, HiResMode, PlotWidget

from tui.figures import short_count
from tui.widgets.palette import theme_colour
from tui.widgets.steady import Steady

LEFT_MARGIN: Final = 8


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
        power = 10 ** max(0, floor(log10(rough)))  # a count is whole, and so is the step between two of them
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
        return [float(step * index) for index in range(ceil(min_ / step - 1e-9), int(max_ / step + 1e-9) + 1)]

    def get_labels_for_ticks(self, ticks: Sequence[float]) -> list[str]:
        return [tick_text(tick) for tick in ticks]


def tick_text(count: float) -> str:
    """A count as short as an axis wants it: `100k`, `−5k`."""
    return ("−" if count < 0 else "") + short_count(abs(count)).replace(" ", "")


@dataclass(frozen=True)
class Curve:
    """One line of a chart: a number of each point, what to call it, its theme colour."""

    key: str
    label: str
    """`{0}` and `{1}` are the sides' marks."""
    colour: str


class Chart(Vertical):
    """Numbers over games: games on a logarithmic axis, numbers on a logarithmic or an even one."""

    DEFAULT_CSS = """
    Chart {
        height: 1fr;
        & > #legend-line { height: 1; padding: 0 0 0 2; }
        & > PlotWidget { height: 1fr; }
        & > PlotWidget > .plot--axis { color: $foreground 35%; }
        & > PlotWidget > .plot--tick { color: $text-muted; text-style: none; }
    }
    """

    def __init__(self, title: str, curves: Sequence[Curve], *, log_counts: bool, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.title = title
        self.curves = curves
        self._log_counts = log_counts
        self._drawn: object = None

    def compose(self) -> ComposeResult:
        yield Steady(id="legend-line")
        plot = PlotWidget(allow_pan_and_zoom=False)
        plot.can_focus = False
        plot.set_x_formatter(Decades())
        plot.set_y_formatter(Decades() if self._log_counts else Counts())
        yield plot

    def on_mount(self) -> None:
        plot = self.query_one(PlotWidget)
        plot.margin_top, plot.margin_bottom, plot.margin_left = 0, 1, LEFT_MARGIN
        self.show(())

    def _legend(self, marks: tuple[str, str]) -> None:
        line = Text(self.title, "bold", no_wrap=True)
        for curve in self.curves:
            line.append(f"  ━ {curve.label.format(*marks)}", self._colour(curve))
        self.query_one("#legend-line", Steady).tell(line)

    def _colour(self, curve: Curve) -> str:
        return theme_colour(self, curve.colour)

    def show(
        self, history: Sequence[Mapping[str, int]], *, games: int = 10, marks: tuple[str, str] = ("X", "O")
    ) -> None:
        """Draw the points of `history`, `games` and the curves' numbers, on an axis that reaches `games` at least."""
        last = dict(history[-1]) if history else {}
        drawn = (len(history), last, games, marks, self.app.theme, self.title, self.curves)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self._legend(marks)
        plot = self.query_one(PlotWidget)
        plot.clear()
        low, top = 0.0, 1.0
        for curve in self.curves:
            points = [(point["games"], point[curve.key]) for point in history if point["games"]]
            if self._log_counts:
                points = [(at, count) for at, count in points if count]
            low = min([low, *(float(count) for _, count in points)])
            top = max([top, *(float(count) for _, count in points)])
            if len(points) > 1:
                xs = [log10(at) for at, _ in points]
                ys = [log10(count) if self._log_counts else float(count) for _, count in points]
                plot.plot(xs, ys, line_style=self._colour(curve), hires_mode=HiResMode.QUADRANT)
        plot.set_xlimits(0, log10(max(10, games)))
        plot.set_ylimits(0, max(1, ceil(log10(top)))) if self._log_counts else plot.set_ylimits(low * 1.05, top * 1.05)
