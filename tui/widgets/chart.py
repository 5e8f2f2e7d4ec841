"""Curves over the rounds of a training. Imports the plotting library, so only Train imports this."""

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


ROUND_ENDS: Final = (1.0, 2.0, 5.0, 10.0)
"""Where an even axis may end, in the power of ten that the last number is of."""


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


def axis_end(count: int) -> int:
    """Where an even axis ends that reaches `count`: at a round number, which it is for a while."""
    power = 10 ** max(1, floor(log10(max(10, count))))
    return next(int(end * power) for end in ROUND_ENDS if end * power >= count)


class Chart(Vertical):
    """Numbers over the rounds of a training, either of them on a logarithmic or an even axis."""

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
        self._drawn: object = None

    def compose(self) -> ComposeResult:
        yield Steady(id="legend-line")
        plot = PlotWidget(allow_pan_and_zoom=False)
        plot.can_focus = False
        yield plot

    def on_mount(self) -> None:
        plot = self.query_one(PlotWidget)
        plot.margin_top, plot.margin_bottom, plot.margin_left = 0, 1, LEFT_MARGIN
        self.show(())

    def _legend(self, marks: tuple[str, str]) -> None:
        place, title = self.query_one("#legend-line", Steady), Text(self.title, "bold", no_wrap=True)
        for gap in ("  ", " "):
            names = ((f"{gap}━ {curve.label.format(*marks)}", self._colour(curve)) for curve in self.curves)
            curves = Text.assemble(*names, no_wrap=True)
            if title.cell_len + curves.cell_len <= place.size.width or not self.curves:
                place.tell(title + curves)
                return
        place.tell(curves[1:])

    def _colour(self, curve: Curve) -> str:
        return theme_colour(self, curve.colour)

    def show(
        self, points: Sequence[tuple[int, Mapping[str, int]]], *, rounds: int = 10, marks: tuple[str, str] = ("X", "O")
    ) -> None:
        """Draw the curves' numbers after so many rounds each.

        A logarithmic axis reaches `rounds`, an even one as far as there are points.
        """
        at, last = points[-1] if points else (0, {})
        axes = self.log_rounds, self.log_counts
        drawn = (len(points), at, last, rounds, marks, self.app.theme, self.title, self.curves, axes, self.size.width)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self._legend(marks)
        plot = self.query_one(PlotWidget)
        plot.clear()
        plot.set_x_formatter(Decades() if self.log_rounds else Counts())
        plot.set_y_formatter(Decades() if self.log_counts else Counts())
        low, top = 0.0, 1.0
        for curve in self.curves:
            shown = [
                (at, numbers[curve.key]) for at, numbers in points if at and (numbers[curve.key] or not self.log_counts)
            ]
            low = min([low, *(float(count) for _, count in shown)])
            top = max([top, *(float(count) for _, count in shown)])
            if len(shown) > 1:
                xs = [log10(at) if self.log_rounds else float(at) for at, _ in shown]
                ys = [log10(count) if self.log_counts else float(count) for _, count in shown]
                plot.plot(xs, ys, line_style=self._colour(curve), hires_mode=HiResMode.QUADRANT)
        plot.set_xlimits(0, log10(max(10, rounds)) if self.log_rounds else axis_end(at))
        plot.set_ylimits(0, max(1, ceil(log10(top)))) if self.log_counts else plot.set_ylimits(low * 1.05, top * 1.05)
