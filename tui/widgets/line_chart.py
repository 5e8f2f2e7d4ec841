"""A widget that draws line charts."""

from collections.abc import Sequence
from typing import cast

from rich.text import Text
from textual.widget import Widget

from lab.text.line_charts import Axes, Series, draw_chart
from tui.shell.lab_app import LabApp
from tui.shell.looks import ASCII


class LineChart(Widget):
    """Draws curves as a chart that fills the widget."""

    DEFAULT_CSS = """
    LineChart { height: 1fr; min-height: 3; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.series: Sequence[Series] = ()
        self.axes = Axes(10)

    def show(self, series: Sequence[Series], axes: Axes) -> None:
        """Show these curves."""
        if (series, axes) != (self.series, self.axes):
            self.series, self.axes = series, axes
            self.refresh()

    def render(self) -> Text:
        """Draw the chart for the current size; in letters where colours or dots are missing."""
        letters = self.app.no_color or cast("LabApp", self.app).looks.skin == ASCII
        lines = draw_chart(self.series, self.axes, self.size.width, self.size.height, letters=letters)
        return Text("\n", no_wrap=True).join(lines)
