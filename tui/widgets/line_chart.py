"""A widget that draws line charts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from rich.text import Text
from textual.events import Click
from textual.message import Message
from textual.widget import Widget

from lab.text.axes import Axes
from lab.text.curves import Series
from lab.text.line_charts import draw_chart, rounds_at
from tui.shell.files import Export
from tui.shell.lab_app import LabApp
from tui.shell.looks import ASCII
from tui.shell.screen import LabScreen

if TYPE_CHECKING:
    from lab.pictures.drawing import Picture


def uses_letters(widget: Widget, curves: int = 1) -> bool:
    """Return whether curves are drawn as letters: without dots, and, if there are several, without colours."""
    return (widget.app.no_color and curves > 1) or cast("LabApp", widget.app).looks.skin == ASCII


class LineChart(Widget):
    """Draws curves as a chart that fills the widget. Posts `Chosen` when it is clicked."""

    DEFAULT_CSS = "LineChart { height: 1fr; min-height: 3; }"

    class Chosen(Message):
        """Posted when the user clicked on the chart, at a number of rounds."""

        def __init__(self, chart: "LineChart", rounds: float) -> None:
            super().__init__()
            self.chart, self.rounds = chart, rounds

        @property
        def control(self) -> "LineChart":
            return self.chart

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.series: Sequence[Series] = ()
        self.axes = Axes(10)
        self._is_known = False
        """Whether there is something to draw: axes that are not known yet would change."""

    @property
    def has_curve(self) -> bool:
        return any(each.points for each in self.series)

    def show(self, series: Sequence[Series], axes: Axes) -> None:
        if not self._is_known or (series, axes) != (self.series, self.axes):
            self.series, self.axes, self._is_known = series, axes, True
            self.refresh()

    def render(self) -> Text:
        """Draw the chart for the current size."""
        if not self._is_known:
            return Text()
        letters = uses_letters(self, len(self.series))
        lines = draw_chart(self.series, self.axes, self.size.width, self.size.height, letters=letters)
        return Text("\n", no_wrap=True).join(lines)

    def on_click(self, event: Click) -> None:
        if self.series:
            rounds = rounds_at(event.x, self.series, self.axes, *self.size)
            self.post_message(self.Chosen(self, rounds))


def chart_export(screen: LabScreen, name: str, title: str) -> Export | None:
    """Return the export of the largest chart with a curve on a screen; `None` if there is none."""
    charts = [each for each in screen.query(LineChart) if each.display and each.has_curve]
    chart = max(charts, key=lambda each: each.size.area, default=None)
    if chart is None:
        return None
    series, axes = tuple(chart.series), chart.axes

    def draw() -> "Picture":
        from lab.pictures.charts import chart_picture  # slow to import, and needed only here

        return chart_picture(title, series, axes)

    return Export(name, draw)
